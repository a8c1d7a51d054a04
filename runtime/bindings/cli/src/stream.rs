//! Streaming output of text as bytes or as a JSON string.

use crate::visible;
use std::fmt;
use std::io::{self, Write};

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

/// An adapter that writes text to a writer of bytes.
struct Stream<'a> {
    out: &'a mut dyn Write,
    encoding: OutputEncoding,
    /// A reused buffer for text in JSON.
    json_buffer: Vec<u8>,
    result: io::Result<()>,
}

impl fmt::Write for Stream<'_> {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        self.result = match self.encoding {
            OutputEncoding::Text => self.out.write_all(text.as_bytes()),
            OutputEncoding::Visible => self.out.write_all(visible::text(text).as_bytes()),
            OutputEncoding::JsonString => write_escaped(self.out, &mut self.json_buffer, text),
        };
        if self.result.is_ok() { Ok(()) } else { Err(fmt::Error) }
    }
}

/// Passes a writer to `produce`, and writes the text that this writer receives to `out` in the encoding.
pub(crate) fn write(
    out: &mut dyn Write,
    encoding: OutputEncoding,
    produce: impl FnOnce(&mut dyn fmt::Write) -> fmt::Result,
) -> io::Result<()> {
    let quotes: &[u8] = if encoding == OutputEncoding::JsonString { b"\"" } else { b"" };
    out.write_all(quotes)?;
    let mut stream = Stream { out, encoding, json_buffer: Vec::new(), result: Ok(()) };
    let outcome = produce(&mut stream);
    stream.result?;
    outcome.map_err(|_| io::Error::other("the text cannot be formatted"))?;
    out.write_all(quotes)
}

/// Writes a part of a JSON string, escaped. `json_buffer` is reused between calls.
fn write_escaped(out: &mut dyn Write, json_buffer: &mut Vec<u8>, text: &str) -> io::Result<()> {
    json_buffer.clear();
    serde_json::to_writer(&mut *json_buffer, text)?;
    out.write_all(&json_buffer[1..json_buffer.len() - 1])
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
        assert_eq!(out, serde_json::to_vec(&text).expect("a string can be serialized"));
    }
}
