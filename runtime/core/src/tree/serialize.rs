//! Serialization of trees, one file per format. Nothing here recurses.

mod dump;
mod escape;
mod html;
mod json;
mod shadow;
mod steps;
mod xml;
pub(super) mod xml_characters;
mod xml_names;

pub use escape::escape;
pub use html::{HtmlSerializer, SerializerNames};
pub use shadow::{ShadowRootDeclaration, ShadowRootNames};
pub use steps::{Pieces, SerializerSteps, StepsWriter, WrittenNode};

use super::node_ref::NodeRef;
use std::fmt;

impl NodeRef<'_> {
    /// Returns what `write` writes for the node as a string.
    fn to_string_with(
        self,
        write: impl FnOnce(&Self, &mut dyn fmt::Write) -> fmt::Result,
    ) -> String {
        let mut text = String::new();
        // Writing to a string cannot fail.
        let _ = write(&self, &mut text);
        text
    }
}

/// Writes a text, replacing each byte for which `replace` returns a replacement. Such bytes must be ASCII.
fn write_replacing(
    out: &mut dyn fmt::Write,
    text: &str,
    replace: impl Fn(u8) -> Option<&'static str>,
) -> fmt::Result {
    let mut written_end = 0;
    for (index, &byte) in text.as_bytes().iter().enumerate() {
        if let Some(replacement) = replace(byte) {
            out.write_str(&text[written_end..index])?;
            out.write_str(replacement)?;
            written_end = index + 1;
        }
    }
    out.write_str(&text[written_end..])
}
