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

/// Conversion of a writing function to one that returns a string.
impl NodeRef<'_> {
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

/// Writes a text with some of its bytes replaced. `replace` may return a replacement for ASCII bytes only.
fn write_replacing(
    out: &mut dyn fmt::Write,
    text: &str,
    replace: impl Fn(u8) -> Option<&'static str>,
) -> fmt::Result {
    let mut written = 0;
    for (index, &byte) in text.as_bytes().iter().enumerate() {
        if let Some(replacement) = replace(byte) {
            out.write_str(&text[written..index])?;
            out.write_str(replacement)?;
            written = index + 1;
        }
    }
    out.write_str(&text[written..])
}
