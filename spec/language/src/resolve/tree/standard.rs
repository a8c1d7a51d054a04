//! Standard algorithms that a table need not contain, by its kind of elements: for trees without the rules of HTML and,
//! for those of HTML, on tokens and the stack. They are written in the table language, and contain no errors.

use crate::model::tree::Elements;
use crate::parse;
use crate::syntax::Table;

/// Algorithms common to all kinds of elements.
pub(crate) const ANY: &str = include_str!("elements-any.states");
/// Algorithms of `elements plain`, and those of `elements xml` that are not overridden.
pub(crate) const PLAIN: &str = include_str!("elements-plain.states");
/// Algorithms of `elements xml`.
pub(crate) const XML: &str = include_str!("elements-xml.states");
/// Algorithms of `elements html` on tokens before rows, and on the stack in rows.
pub(crate) const HTML: &str = include_str!("elements-html.states");

/// Returns the tables of standard algorithms; those of earlier ones take precedence.
pub(super) fn tables(elements: Elements) -> Vec<Table> {
    let texts: &[&str] = match elements {
        Elements::Plain => &[PLAIN, ANY],
        Elements::Xml => &[XML, PLAIN, ANY],
        Elements::Html => &[HTML, ANY],
    };
    texts.iter().map(|text| parse::lenient(text)).collect()
}
