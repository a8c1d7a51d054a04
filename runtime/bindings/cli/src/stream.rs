//! Streaming output of text as bytes or as a JSON string.

use crate::visible;
use std::fmt;
use std::io::{self, Write};
use tabulex::{write_json_text, write_to};

/// The encoding of text in the output.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum OutputEncoding {
    /// The text unchanged, in UTF-8.
    Text,
    /// The text with control characters replaced, for a terminal.
    Visible,
    /// A JSON string.
    JsonString,
}

/// An adapter that writes text in an encoding.
struct Encoded<'a> {
    out: &'a mut dyn fmt::Write,
    encoding: OutputEncoding,
}

impl fmt::Write for Encoded<'_> {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        match self.encoding {
            OutputEncoding::Text => self.out.write_str(text),
            OutputEncoding::Visible => self.out.write_str(&visible::text(text)),
            OutputEncoding::JsonString => write_json_text(self.out, text),
        }
    }
}

/// Passes a writer to `produce`, and writes the text that this writer receives to `out` in the encoding.
pub(crate) fn write(
    out: &mut dyn Write,
    encoding: OutputEncoding,
    produce: impl FnOnce(&mut dyn fmt::Write) -> fmt::Result,
) -> io::Result<()> {
    let quote = if encoding == OutputEncoding::JsonString { "\"" } else { "" };
    write_to(out, |out| {
        out.write_str(quote)?;
        produce(&mut Encoded { out: &mut *out, encoding })?;
        out.write_str(quote)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn escapes_json_strings() {
        let text: String = (0..300).filter_map(char::from_u32).chain("\u{1F600}".chars()).collect();
        let mut out = Vec::new();
        let parts = text.split_at(40);
        write(&mut out, OutputEncoding::JsonString, |out| {
            out.write_str(parts.0)?;
            out.write_str(parts.1)
        })
        .expect("writing to memory succeeds");
        let parsed: String = serde_json::from_slice(&out).expect("the output is JSON");
        assert_eq!(parsed, text);
        let output = String::from_utf8(out).expect("the output is UTF-8");
        assert!(!output.contains(char::is_control), "{output:?}");
        let mut out = Vec::new();
        crate::json::to_writer(&mut out, &text).expect("a string can be serialized");
        assert_eq!(out, output.as_bytes());
    }
}
