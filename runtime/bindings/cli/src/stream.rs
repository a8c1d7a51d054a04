//! Streaming output of text as bytes or as a JSON string.

use crate::visible;
use std::fmt;
use std::io::{self, Write};

/// The encoding of text in the output.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum OutputEncoding {
    /// Unchanged, in UTF-8.
    Text,
    /// With control characters replaced, for a terminal.
    Visible,
    /// As a JSON string.
    JsonString,
}

/// An adapter that writes text to a writer of bytes.
struct Stream<'a> {
    out: &'a mut dyn Write,
    encoding: OutputEncoding,
    /// A buffer for quoted text.
    quoted: Vec<u8>,
    result: io::Result<()>,
}

impl fmt::Write for Stream<'_> {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        self.result = match self.encoding {
            OutputEncoding::Text => self.out.write_all(text.as_bytes()),
            OutputEncoding::Visible => self.out.write_all(visible::text(text).as_bytes()),
            OutputEncoding::JsonString => write_escaped(self.out, &mut self.quoted, text),
        };
        if self.result.is_ok() { Ok(()) } else { Err(fmt::Error) }
    }
}

/// Writes the text that `produce` writes to its argument.
pub(crate) fn write(
    out: &mut dyn Write,
    encoding: OutputEncoding,
    produce: impl FnOnce(&mut dyn fmt::Write) -> fmt::Result,
) -> io::Result<()> {
    let quotes: &[u8] = if encoding == OutputEncoding::JsonString { b"\"" } else { b"" };
    out.write_all(quotes)?;
    let mut stream = Stream { out, encoding, quoted: Vec::new(), result: Ok(()) };
    let outcome = produce(&mut stream);
    stream.result?;
    outcome.map_err(|_| io::Error::other("the text cannot be formatted"))?;
    out.write_all(quotes)
}

/// Writes a part of a JSON string, escaped; `quoted` is a buffer to reuse.
fn write_escaped(out: &mut dyn Write, quoted: &mut Vec<u8>, text: &str) -> io::Result<()> {
    quoted.clear();
    serde_json::to_writer(&mut *quoted, text)?;
    out.write_all(&quoted[1..quoted.len() - 1])
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
