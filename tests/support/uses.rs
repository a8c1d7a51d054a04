//! Typical uses of whole pages, applied to everything on a page: serialization, text, links and values, selectors,
//! sanitizing, rewriting, edits, copies and changes of trees. Results are not checked here but in the tests of the
//! packages.

use crate::random::pieces;
use tabulex::edit::Edits;
use tabulex::html::Html;
use tabulex::rewrite::{Content, RewriteError, Rewriter, Rules, rewrite_str};
use tabulex::sanitize::Sanitizer;
use tabulex::select::{Index, Query as _, Selector};
use tabulex::text::{indent, links, markdown, pretty, rendered_text, tables, words};
use tabulex::tree::{HtmlSerializer, Namespace, NodeId, NodeRef, Tree};
use tabulex::xml_er::XmlEr;
use tabulex::{Adjacent, Construction, Dialect, Options, WriteNode as _, parse};

/// The names of the uses.
pub const USES: [&str; 19] = [
    "written",
    "read",
    "printed",
    "selected",
    "indexed",
    "sanitized",
    "rewritten",
    "trickled",
    "moved",
    "edited",
    "wrapped",
    "filled",
    "followed",
    "unwrapped",
    "copied",
    "dissolved",
    "indented",
    "linked",
    "valued",
];

/// Applies a use to a page; returns `false` if there is no such use.
///
/// # Panics
/// If no uses apply to the dialect.
pub fn apply_use(dialect: &Dialect, way: &str, page: &str) -> bool {
    match dialect.id() {
        "html" => apply_use_as::<Html>(way, page),
        "xml-er" => apply_use_as::<XmlEr>(way, page),
        other => panic!("no uses apply to pages of `{other}`"),
    }
}

fn apply_use_as<D: Construction>(way: &str, page: &str) -> bool {
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
        "printed" => drop(pretty(tree().root(), &HtmlSerializer::new(&D::SERIALIZATION))),
        "selected" => {
            let tree = tree();
            for selector in pieces("selectors") {
                let selector = Selector::parse(selector).unwrap();
                let _ = tree.root().select(&selector).count();
            }
        }
        "indexed" => {
            let tree = tree();
            let index = Index::new(tree.root());
            for selector in pieces("selectors") {
                let selector = Selector::parse(selector).unwrap();
                let _ = index.select(&tree, &selector).count();
            }
        }
        "sanitized" => {
            // Errors are ignored: the sanitizer fails if its output still parses differently after several rounds.
            let _ = Sanitizer::new().clean::<D>(page);
            let _ = Sanitizer::permissive().clean::<D>(page);
        }
        "rewritten" => match rewrite_str::<D>(page, rules().unwrap()) {
            // Both outcomes are allowed: the rewriter may refuse a change, such as one to an element that an entity
            // inserted.
            Ok(_) | Err(_) => {}
        },
        "trickled" => {
            let mut rewriter = Rewriter::<D, _>::new(rules().unwrap(), std::io::sink())
                .expect("no selector depends on input after the start tag");
            let result = page.as_bytes().chunks(1).try_for_each(|byte| rewriter.write(byte));
            drop(result.and_then(|()| rewriter.finish()));
        }
        "linked" => {
            let document_url = "https://example.com/a/".parse().unwrap();
            let _ = links(tree().root(), &document_url).count();
        }
        "valued" => {
            let tree = tree();
            if let Some(root) = tree.document_element() {
                let _ = tabulex_serde::from_element::<serde_json::Value>(root);
            }
        }
        "moved" | "copied" | "dissolved" | "indented" => change_tree(tree(), way),
        "edited" | "wrapped" | "filled" | "followed" | "unwrapped" => edit_page::<D>(way, page),
        _ => return false,
    }
    true
}

/// Copies a tree, or changes all its nodes, as the use called `way` does.
fn change_tree(mut tree: Tree, way: &str) {
    let root = tree.root().id();
    let select_nodes = |tree: &Tree, is_wanted: &dyn Fn(NodeRef<'_>) -> bool| -> Vec<NodeId> {
        let nodes = tree.root().descendants().filter(|node| is_wanted(*node));
        nodes.map(|node| node.id()).collect()
    };
    match way {
        "moved" => {
            for node in select_nodes(&tree, &|_| true) {
                let wrapper = tree.create_element(Namespace::HTML, "b");
                // Wrapping fails only at the node limit, where no wrapper can be created, so errors are ignored.
                let _ = tree.wrap(node, wrapper);
                let _ = tree.prepend(root, wrapper);
            }
            drop(tree.root().text());
        }
        "copied" => {
            let mut target = Tree::new();
            let copy = target.import(tree.root());
            assert!(target.node(copy).is_like_inside_normalized(&tree.root()));
            let mut clone = tree.clone();
            assert!(clone.root().is_like(&tree.root()));
            let _ = clone.clone_node(root);
        }
        "indented" => {
            let _ = indent(&mut tree, root, " ");
        }
        _ => {
            // Inner elements first: in this order, a naive implementation would move each node once per ancestor.
            let elements = select_nodes(&tree, &|node| node.is_element());
            elements.into_iter().skip(1).rev().for_each(|element| tree.unwrap(element));
            tree.merge_texts(root);
        }
    }
}

/// Edits all nodes of a page, except elements whose tags must stay, as the use called `way` does. Edits of nodes
/// without markup in the page are refused.
fn edit_page<D: Construction>(way: &str, page: &str) {
    let tree = parse::<D>(page, &Options::new().errors(false)).tree;
    let mut edits = Edits::new(&tree, page);
    let nodes = tree.root().descendants().filter(|node| !must_keep_tags(*node));
    // The list holds ids, which take less memory than references to nodes.
    let mut nodes: Vec<NodeId> = nodes.map(|node| node.id()).collect();
    if way == "unwrapped" {
        // Inner elements first: in this order, a naive implementation would move each node once per ancestor.
        nodes.reverse();
    }
    for node in nodes {
        let node = tree.node(node);
        let _ = match way {
            "edited" => edits.set_attribute(node, "edited", "yes"),
            "wrapped" => edits.wrap(node, "b"),
            "filled" if node.first_child().is_none() => edits.set_text(node, "<full>"),
            "filled" => edits.rename(node, "q"),
            "followed" => edits.insert(node, Adjacent::AfterEnd, "<i>1</i>"),
            _ => edits.unwrap(node),
        };
    }
    let _ = edits.apply(&D::DIALECT, &Options::new());
}

/// Whether the element's tags must stay in an HTML page.
fn must_keep_tags(node: NodeRef<'_>) -> bool {
    ["html", "head", "body", "frameset"].iter().any(|name| node.is_html(name))
}

/// Returns rules that apply to each element, to texts in paragraphs, and to each comment.
fn rules() -> Result<Rules<'static>, RewriteError> {
    let rules = Rules::new()
        .element("*", |element| {
            element.set_attribute("rewritten", "yes")?;
            element.after(Content::Text("after"));
            element.on_end(|_| Ok(()));
            Ok(())
        })?
        .element("b > i, p ~ p, :nth-child(3), :nth-of-type(4)", |element| {
            element.remove_tags();
            Ok(())
        })?
        .text("p", |text| {
            text.before(Content::Markup("<u>"))?;
            Ok(())
        })?;
    Ok(rules.all_comments(|comment| {
        comment.remove();
        Ok(())
    }))
}
