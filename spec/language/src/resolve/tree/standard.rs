//! The algorithms of tables whose trees are made without the rules of HTML, and by these rules those for tokens and for what
//! rows do with the stack, as far as a table does not write them itself.
//! Invariant: they are read as those of tables are, and no mistake is in them.

use crate::model::tree::Elements;
use crate::parse;
use crate::syntax::{Item, Table, TreeItem};

/// What `elements plain` means, and of `elements xml` what is not said beside.
pub(crate) const PLAIN: &str = include_str!("elements-plain.states");
/// What `elements xml` means.
pub(crate) const XML: &str = include_str!("elements-xml.states");
/// What is done with tokens before rows of `elements html`, and what these do with the stack.
pub(crate) const HTML: &str = include_str!("elements-html.states");

/// The tables whose algorithms are taken over, those of the first one before those of the others.
pub(super) fn of(elements: Elements) -> Vec<Table> {
    match elements {
        Elements::Plain => vec![parse::readable(PLAIN)],
        Elements::Xml => vec![parse::readable(XML), parse::readable(PLAIN)],
        // What rows append is the same there; how elements are made is not.
        Elements::Html => {
            let mut plain = parse::readable(PLAIN);
            plain.items.retain(|item| {
                matches!(item, Item::Tree(TreeItem::Algorithm { name, .. }) if is_alike(&name.value))
            });
            vec![parse::readable(HTML), plain]
        }
    }
}

/// Whether the algorithm is the same with the rules of HTML.
fn is_alike(name: &str) -> bool {
    let appends = name.starts_with("append-") && name != "append-element";
    appends || ["trim-text", "wrap-unless-single-element"].contains(&name)
}
