//! Standard algorithms for tables that lack their own, by kind of elements. They are written in the table language.

use crate::model::tree::Elements;
use crate::parse;
use crate::syntax::Table;

/// Algorithms common to all kinds of elements.
pub(crate) const ANY: &str = include_str!("elements-any.states");
/// Algorithms of `elements plain`, and those of `elements xml` that are not overridden.
pub(crate) const PLAIN: &str = include_str!("elements-plain.states");
/// Algorithms of `elements xml`.
pub(crate) const XML: &str = include_str!("elements-xml.states");
/// Algorithms of `elements html` that prepare tokens for rows, or change the stack of open elements.
pub(crate) const HTML: &str = include_str!("elements-html.states");

/// Returns the tables of standard algorithms for this kind of elements. An algorithm of an earlier table overrides
/// those of later ones.
pub(super) fn tables(elements: Elements) -> Vec<Table> {
    let texts: &[&str] = match elements {
        Elements::Plain => &[PLAIN, ANY],
        Elements::Xml => &[XML, PLAIN, ANY],
        Elements::Html => &[HTML, ANY],
    };
    texts.iter().map(|text| parse::lenient(text)).collect()
}
