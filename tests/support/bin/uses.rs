//! What people do with whole pages, done to everything on a page: written anew, read as text, asked with selectors,
//! sanitized, rewritten, edited. What comes out is the business of the packages' own tests. Invariant: all of the result is
//! made.

use tabulex::edit::Edits;
use tabulex::html::Html;
use tabulex::rewrite::{Content, RewriteError, Rules, rewrite_str};
use tabulex::sanitize::Sanitizer;
use tabulex::select::{Query as _, Selector};
use tabulex::text::{markdown, rendered_text, tables, words};
use tabulex::tree::{HtmlSerializer, NodeId, NodeRef};
use tabulex::xml_er::XmlEr;
use tabulex::{Construction, Dialect, Options, parse};

/// Selectors of each kind, but for those that `CONFORMANCE.md` says take more.
const SELECTORS: &[&str] = &[
    "*",
    "b i",
    "p > b",
    "a + b",
    "a ~ b",
    "#i1",
    ".c",
    "[id]",
    "[a$='x']",
    ":not(p)",
    ":is(b, i) > *",
    ":nth-child(2n+1)",
    ":nth-last-child(2)",
    ":only-child",
    ":first-of-type",
    ":nth-last-of-type(2n)",
    "* ~ :nth-child(2n)",
    ":empty",
    ":root > *",
    ":checked, :disabled, :required, :link",
];

/// Uses a page in one of the ways. False if there is no such way.
pub(super) fn used(dialect: &Dialect, way: &str, page: &str) -> bool {
    match dialect.id() {
        "html" => used_as::<Html>(way, page),
        "xml-er" => used_as::<XmlEr>(way, page),
        other => panic!("no page of {other} is used"),
    }
}

fn used_as<D: Construction>(way: &str, page: &str) -> bool {
    let tree = || parse::<D>(page, &Options::new().errors(false)).tree;
    match way {
        "written" => {
            let tree = tree();
            drop(tree.root().to_xml());
            drop(tree.root().to_json());
            drop(HtmlSerializer::new(&D::SERIALIZATION).inner(tree.root()));
        }
        "read" => {
            let tree = tree();
            drop(rendered_text(tree.root()));
            drop(words(tree.root()));
            drop(markdown(tree.root()));
            tables(tree.root()).for_each(|table| drop(table.texts()));
        }
        "selected" => {
            let tree = tree();
            for selector in SELECTORS {
                let selector = Selector::parse(selector).expect("a selector");
                let _ = tree.root().select(&selector).count();
            }
        }
        "sanitized" => {
            // What never reads as it was written is an error, after as many rounds.
            let _ = Sanitizer::new().clean::<D>(page);
            let _ = Sanitizer::permissive().clean::<D>(page);
        }
        "rewritten" => match rewrite_str::<D>(page, rules().expect("selectors")) {
            // A page may hold what a rewriter refuses, and says so.
            Ok(_) | Err(_) => {}
        },
        "edited" => {
            let tree = tree();
            let mut edits = Edits::new(&tree, page);
            for node in tree.root().descendants().filter(NodeRef::is_element) {
                // What has no tag cannot be edited, which is an error.
                let _ = edits.set_attribute(node, "edited", "yes");
            }
            let _ = edits.apply::<D>(&Options::new());
        }
        "unwrapped" => {
            let tree = tree();
            let mut edits = Edits::new(&tree, page);
            let within = tree.root().descendants().filter(NodeRef::is_element);
            // Ids, as what is measured is not to be the list of nodes.
            let nodes: Vec<NodeId> =
                within.filter(|node| !is_part_of_page(*node)).map(|node| node.id()).collect();
            // The innermost ones first.
            for node in nodes.into_iter().rev() {
                let _ = edits.unwrap(tree.node(node));
            }
            let _ = edits.apply::<D>(&Options::new());
        }
        _ => return false,
    }
    true
}

/// True of the elements whose tags may not leave a page of HTML.
fn is_part_of_page(node: NodeRef<'_>) -> bool {
    ["html", "head", "body", "frameset"].iter().any(|name| node.is_html(name))
}

/// Something is done to each element, text and comment.
fn rules() -> Result<Rules<'static>, RewriteError> {
    let rules = Rules::new()
        .element("*", |element| {
            element.set_attribute("rewritten", "yes")?;
            element.after(Content::Text("after"));
            Ok(())
        })?
        .element("b > i, p ~ p, :nth-child(3)", |element| {
            element.remove_tags();
            Ok(())
        })?
        .text("p", |text| {
            text.before(Content::Markup("<u>"));
            Ok(())
        })?;
    Ok(rules.all_comments(|comment| {
        comment.remove();
        Ok(())
    }))
}
