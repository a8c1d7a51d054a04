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
use tabulex_core::tree::NodeRef;
use tabulex_core::{Event, Options, ParseError, Parsed};

/// The value that a document says. Its texts must be owned, as references are replaced.
///
/// # Errors
///
/// If the parser reports a mistake or reaches one of its [limits](tabulex_core::Limits) in a way that makes another value, such
/// as elements nested deeper than 513, the first one; or if the root element is no such value. XML-ER takes some documents that
/// are not well-formed without a report, such as those with values without quotation marks.
pub fn from_str<'de, T: Deserialize<'de>>(text: &str) -> Result<T, Error> {
    let parsed = tabulex_xml_er::parse(text, Options::new());
    if let Some(error) = first_fault(text, &parsed) {
        return Err(error);
    }
    let root = parsed.tree.document_element();
    from_element(root.ok_or_else(|| Error::new("no element"))?)
}

/// The first mistake in a document, or limit that made another one of it. At one place it is the limit: what was left out may
/// be what is missed.
fn first_fault(text: &str, parsed: &Parsed) -> Option<Error> {
    let root = parsed.tree.document_element().and_then(|root| root.span());
    // XML-ER says of each `<!DOCTYPE` that it is a mistake; before the root it is none of XML.
    let is_prolog = |error: &&ParseError| {
        let before = text.get(..error.span.end).is_some_and(|text| text.ends_with("<!DOCTYPE"));
        before && root.is_some_and(|root| error.span.end <= root.start)
    };
    let error = parsed.errors.iter().find(|error| !is_prolog(error));
    let events = parsed.events.iter().filter(|event| changes_value(event));
    let event = events.min_by_key(|event| event.offset());
    match (error, event) {
        (Some(error), event) if event.is_none_or(|event| error.span.start < event.offset()) => {
            Some(Error::new(&error.code.replace('-', " ")).at(Some(error.span)))
        }
        (_, event) => event.map(|event| Error::of_event(*event)),
    }
}

/// Whether the tree says something else than the document because of an event: each does so but those about errors and
/// about places.
fn changes_value(event: &Event) -> bool {
    !matches!(event, Event::ErrorsLeftOut { .. } | Event::PlacesLeftOut { .. })
}

/// The value that an element says, also of a document with mistakes, or with other limits than the defaults. Whether its parser
/// reached one is in [`Parsed::events`].
///
/// # Errors
///
/// If it is no such value.
pub fn from_element<'de, T: Deserialize<'de>>(element: NodeRef<'_>) -> Result<T, Error> {
    T::deserialize(children::Children::one(element))
}

#[cfg(test)]
mod tests {
    use super::*;
    use tabulex_core::Limits;

    #[test]
    fn events_are_faults_unless_they_are_about_reports() {
        let text = "<a b='' c=''><d></x></d></y></a>";
        let fault = |limits| {
            let parsed = tabulex_xml_er::parse(text, Options::new().errors(false).limits(limits));
            first_fault(text, &parsed).and_then(|error| error.event())
        };
        let limits = Limits::new;
        assert_eq!(fault(limits()), None);
        assert!(matches!(fault(limits().depth(1)), Some(Event::Flattened { .. })));
        assert!(matches!(fault(limits().attributes(1)), Some(Event::AttributesLeftOut { .. })));
        assert!(matches!(fault(limits().nodes(2)), Some(Event::NodesLeftOut { .. })));
        // The first of two.
        let two = fault(limits().depth(1).attributes(1));
        assert!(matches!(two, Some(Event::AttributesLeftOut { .. })), "{two:?}");
        let parsed = tabulex_xml_er::parse(text, Options::new().limits(limits().errors(1)));
        assert!(matches!(parsed.events[..], [Event::ErrorsLeftOut { .. }]));
        assert_eq!(first_fault(text, &parsed).and_then(|error| error.event()), None);
    }
}
