//! XML as values: types that implement serde's `Deserialize` are read of the trees of `xml-er`. Nothing is written.
//! Invariant: what a value is made of is in the tree, and an error says where.
//!
//! ```
//! use serde::Deserialize;
//!
//! #[derive(Debug, Deserialize, PartialEq)]
//! struct Channel {
//!     #[serde(rename = "@version")]
//!     version: f32,
//!     title: String,
//!     #[serde(default)]
//!     item: Vec<Item>,
//! }
//!
//! #[derive(Debug, Deserialize, PartialEq)]
//! struct Item {
//!     title: Option<String>,
//! }
//!
//! let text = "<channel version='2.0'><title>A &amp; B</title><item><title>1</title></item><item/></channel>";
//! let channel: Channel = tabulex_serde::from_str(text)?;
//! assert_eq!((channel.version, &*channel.title, channel.item.len()), (2.0, "A & B", 2));
//!
//! let wrong = tabulex_serde::from_str::<Channel>("<channel version=two><title/></channel>").unwrap_err();
//! assert_eq!(wrong.span().map(|span| span.start), Some(17));
//! # Ok::<(), tabulex_serde::Error>(())
//! ```
//!
//! # What stands for what
//!
//! Names of fields are those that users of quick-xml's serde know.
//!
//! - `@name` is an attribute, `@xml:lang` one with a prefix as it is written.
//! - `name` is the child element of this local name, whatever its namespace: a struct or map, or a value if it holds text
//!   alone. A list takes all children of that name, wherever they stand; any other type must find one.
//! - `$text` is the text that stands directly in the element.
//! - `$value` is a list of the children that no other field takes, as an enum whose variants are their names; text that is
//!   not blank is the variant `$text`.
//!
//! Numbers and truth values may have white space around them. A unit variant is a value as well: `<kind>open</kind>`.

mod children;
mod error;
mod fields;
mod value;

pub use error::Error;

use serde::Deserialize;
use tabulex_core::Options;
use tabulex_core::tree::NodeRef;

/// The value that a document says. Its texts must be owned, as references are replaced.
///
/// # Errors
///
/// If the parser reports a mistake, the first one; or if the root element is no such value. XML-ER takes some documents that
/// are not well-formed without a report, such as those with values without quotation marks.
pub fn from_str<'de, T: Deserialize<'de>>(text: &str) -> Result<T, Error> {
    let parsed = tabulex_xml_er::parse(text, Options::new());
    if let Some(error) = parsed.errors.first() {
        return Err(Error::new(&error.code.replace('-', " ")).at(Some(error.span)));
    }
    let root = parsed.tree.document_element();
    from_element(root.ok_or_else(|| Error::new("no element"))?)
}

/// The value that an element says, also of a document with mistakes.
///
/// # Errors
///
/// If it is no such value.
pub fn from_element<'de, T: Deserialize<'de>>(element: NodeRef<'_>) -> Result<T, Error> {
    T::deserialize(children::Children::one(element))
}
