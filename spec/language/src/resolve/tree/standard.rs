//! The algorithms of tables whose trees are made without the rules of HTML, and by these rules those for tokens and for what
//! rows do with the stack, as far as a table does not write them itself.
//! Invariant: they are read as those of tables are, and no mistake is in them.

use crate::model::tree::Elements;
use crate::parse;
use crate::syntax::Table;

/// What is the same with all kinds of elements.
pub(crate) const ANY: &str = include_str!("elements-any.states");
/// What `elements plain` means, and of `elements xml` what is not said beside.
pub(crate) const PLAIN: &str = include_str!("elements-plain.states");
/// What `elements xml` means.
pub(crate) const XML: &str = include_str!("elements-xml.states");
/// What is done with tokens before rows of `elements html`, and what these do with the stack.
pub(crate) const HTML: &str = include_str!("elements-html.states");

/// The tables whose algorithms are taken over, those of the first one before those of the others.
pub(super) fn of(elements: Elements) -> Vec<Table> {
    let texts: &[&str] = match elements {
        Elements::Plain => &[PLAIN, ANY],
        Elements::Xml => &[XML, PLAIN, ANY],
        Elements::Html => &[HTML, ANY],
    };
    texts.iter().map(|text| parse::readable(text)).collect()
}
