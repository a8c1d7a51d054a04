//! The algorithms of tables whose trees are made without the rules of HTML, as far as a table does not write them itself.
//! Invariant: they are read as those of tables are, and no mistake is in them.

use crate::model::tree::Elements;
use crate::parse;
use crate::syntax::{Item, Table, TreeItem};

/// What `elements plain` means, and of `elements xml` what is not said beside.
pub(crate) const PLAIN: &str = include_str!("elements-plain.states");
/// What `elements xml` means.
pub(crate) const XML: &str = include_str!("elements-xml.states");

/// The tables whose algorithms are taken over, those of the first one before those of the others.
pub(super) fn of(elements: Elements) -> Vec<Table> {
    match elements {
        Elements::Plain => vec![parse::readable(PLAIN)],
        Elements::Xml => vec![parse::readable(XML), parse::readable(PLAIN)],
        // What rows append is the same there; how elements are made is not.
        Elements::Html => {
            let mut plain = parse::readable(PLAIN);
            let appends = |name: &str| name.starts_with("append-") && name != "append-element";
            plain.items.retain(|item| {
                matches!(item, Item::Tree(TreeItem::Algorithm { name, .. }) if appends(&name.value))
            });
            vec![plain]
        }
    }
}
