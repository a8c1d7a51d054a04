//! Deserialization of XML with serde, from trees of the dialect `xml`. Serialization is not provided.
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
//! let wrong = tabulex_serde::from_str::<Channel>("<channel version='two'><title/></channel>").unwrap_err();
//! assert_eq!(wrong.span().map(|span| span.start), Some(18));
//! # Ok::<(), tabulex_serde::Error>(())
//! ```
//!
//! # Mapping
//!
//! Field names follow the conventions of quick-xml's serde support.
//!
//! - `@name` is an attribute. A prefix is part of the name, as in `@xml:lang`.
//! - `name` is the child element with this local name, in any namespace: a struct or map, or a scalar if it contains only
//!   text. A sequence takes all children of that name, adjacent or not; any other type requires exactly one. In a struct,
//!   `media:title` is the element as written, and elements with a prefix match `title` only if there is none without.
//! - An element with `xsi:nil="true"` is `None`.
//! - `$text` is the text directly in the element.
//! - `$value` is a sequence of the children that no other field takes, as an enum whose variants are their names; text that
//!   is not blank is the variant `$text`.
//!
//! White space around numbers and booleans is ignored. A unit variant may also be text: `<kind>open</kind>`.

mod children;
mod error;
mod fields;
mod value;

pub use error::Error;

use serde::Deserialize;
use tabulex_core::tree::NodeRef;
use tabulex_core::{Event, Options, Parsed};

/// Deserializes the root element of a document. The value cannot borrow from the text, as character references are
/// replaced.
///
/// # Errors
///
/// Returns the first parse error, or the first [limit](tabulex_core::Limits) whose event changes the tree (such as
/// elements nested deeper than 513), or else the reason why the root element does not fit the type.
pub fn from_str<'de, T: Deserialize<'de>>(text: &str) -> Result<T, Error> {
    let parsed = tabulex_xml::parse(text, Options::new());
    if let Some(error) = first_fault(&parsed) {
        return Err(error);
    }
    let root = parsed.tree.document_element();
    from_element(root.ok_or_else(|| Error::new("the document has no root element"))?)
}

/// Returns the first parse error or tree-changing event of a document, if there is one. At equal offsets the event
/// wins, since it may have caused the error.
fn first_fault(parsed: &Parsed) -> Option<Error> {
    let error = parsed.errors.first();
    let events = parsed.events.iter().filter(|event| changes_tree(event));
    let event = events.min_by_key(|event| event.offset());
    match (error, event) {
        (Some(error), event) if event.is_none_or(|event| error.span.start < event.offset()) => {
            Some(Error::new(&error.code.replace('-', " ")).at(Some(error.span)))
        }
        (_, event) => event.map(|event| Error::of_event(*event)),
    }
}

/// Whether an event means that the tree differs from the document. Only events about errors and positions do not.
fn changes_tree(event: &Event) -> bool {
    !matches!(event, Event::ErrorsDropped { .. } | Event::PositionsClamped { .. })
}

/// Deserializes an element of a tree. Errors and limits of the parser are not checked; [`Parsed::events`] lists the
/// limits.
///
/// # Errors
///
/// Returns an error if the element does not fit the type.
pub fn from_element<'de, T: Deserialize<'de>>(element: NodeRef<'_>) -> Result<T, Error> {
    T::deserialize(children::Children::one(element))
}

#[cfg(test)]
mod tests {
    use super::*;
    use tabulex_core::Limits;

    #[test]
    fn only_tree_changing_events_are_faults() {
        let text = "<a b='' c=''><d></x></d></y></a>";
        let fault = |limits| {
            let parsed = tabulex_xml::parse(text, Options::new().errors(false).limits(limits));
            first_fault(&parsed).and_then(|error| error.event())
        };
        let limits = Limits::new;
        assert_eq!(fault(limits()), None);
        assert!(matches!(fault(limits().depth(1)), Some(Event::Flattened { .. })));
        assert!(matches!(fault(limits().attributes(1)), Some(Event::AttributesDropped { .. })));
        assert!(matches!(fault(limits().nodes(2)), Some(Event::NodesDropped { .. })));
        // Of two faults, the earlier one is returned.
        let earlier_fault = fault(limits().depth(1).attributes(1));
        assert!(
            matches!(earlier_fault, Some(Event::AttributesDropped { .. })),
            "{earlier_fault:?}"
        );
        let parsed = tabulex_xml::parse(text, Options::new().limits(limits().errors(1)));
        assert!(matches!(parsed.events[..], [Event::ErrorsDropped { .. }]));
        assert_eq!(first_fault(&parsed).and_then(|error| error.event()), None);
    }
}
