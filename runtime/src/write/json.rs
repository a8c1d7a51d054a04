//! Elements as JSON in the data model of MicroXML: name, attributes, children.

use std::fmt;
use tabulex_core::tree::{Edge, NodeKind, NodeRef};

/// Writes a node as JSON: `null` if it is a comment, instruction or document type, or a document without an element.
pub(super) fn write(node: &NodeRef<'_>, out: &mut dyn fmt::Write) -> fmt::Result {
    let root = match node.kind() {
        NodeKind::Document => node.child_elements().next(),
        NodeKind::Element | NodeKind::Fragment | NodeKind::Text => Some(*node),
        _ => None,
    };
    let Some(root) = root else { return out.write_str("null") };
    let mut writer = Writer { out, position: JsonPosition::Start };
    for edge in root.walk() {
        match edge {
            Edge::Open(node) => writer.open(&node)?,
            Edge::Close(node) => writer.close(&node)?,
        }
    }
    writer.end_text()
}

/// The position in the output at which the next write takes place.
#[derive(PartialEq)]
enum JsonPosition {
    /// At the start of the output or of a list.
    Start,
    /// In a string that is not closed yet.
    InText,
    /// After a value, so that a comma must precede the next one.
    AfterValue,
}

/// A writer of nodes as JSON, with its position in the output.
struct Writer<'a> {
    out: &'a mut dyn fmt::Write,
    position: JsonPosition,
}

impl Writer<'_> {
    /// Writes the start of a node.
    fn open(&mut self, node: &NodeRef<'_>) -> fmt::Result {
        match node.kind() {
            NodeKind::Element => {
                self.end_text()?;
                self.separate()?;
                self.out.write_str("[\"")?;
                if let Some(name) = node.name() {
                    write_escaped(self.out, &name.to_string())?;
                }
                self.out.write_str("\",{")?;
                self.write_attributes(node)?;
                self.out.write_str("},[")?;
                self.position = JsonPosition::Start;
            }
            NodeKind::Fragment => self.out.write_str("[")?,
            NodeKind::Text => {
                if self.position != JsonPosition::InText {
                    self.separate()?;
                    self.out.write_str("\"")?;
                    self.position = JsonPosition::InText;
                }
                write_escaped(self.out, node.data().unwrap_or_default())?;
            }
            _ => {}
        }
        Ok(())
    }

    /// Writes the end of a node.
    fn close(&mut self, node: &NodeRef<'_>) -> fmt::Result {
        let end = match node.kind() {
            NodeKind::Element => "]]",
            NodeKind::Fragment => "]",
            _ => return Ok(()),
        };
        self.end_text()?;
        self.position = JsonPosition::AfterValue;
        self.out.write_str(end)
    }

    fn write_attributes(&mut self, node: &NodeRef<'_>) -> fmt::Result {
        for (index, attribute) in node.attributes().enumerate() {
            self.out.write_str(if index == 0 { "\"" } else { ",\"" })?;
            write_escaped(self.out, &attribute.name().to_string())?;
            self.out.write_str("\":\"")?;
            write_escaped(self.out, attribute.value())?;
            self.out.write_str("\"")?;
        }
        Ok(())
    }

    /// Writes a comma if a value precedes.
    fn separate(&mut self) -> fmt::Result {
        if self.position == JsonPosition::AfterValue { self.out.write_str(",") } else { Ok(()) }
    }

    /// Closes the current string, if there is one.
    fn end_text(&mut self) -> fmt::Result {
        if self.position == JsonPosition::InText {
            self.position = JsonPosition::AfterValue;
            self.out.write_str("\"")?;
        }
        Ok(())
    }
}

/// Writes text as the contents of a JSON string. Control characters from U+007F to U+009F are escaped, too, because they
/// control terminals.
pub fn write_escaped(out: &mut dyn fmt::Write, text: &str) -> fmt::Result {
    let mut written_end = 0;
    for (index, &byte) in text.as_bytes().iter().enumerate() {
        if !matches!(byte, ..0x20 | b'"' | b'\\' | 0x7F | 0xC2) {
            continue;
        }
        let (code, length) = match text.as_bytes().get(index + 1) {
            // The characters from U+0080 to U+00BF are encoded as 0xC2 and their own number.
            Some(&next) if byte == 0xC2 => (next, 2),
            _ => (byte, 1),
        };
        if code >= 0xA0 {
            continue;
        }
        out.write_str(&text[written_end..index])?;
        match code {
            b'"' => out.write_str("\\\"")?,
            b'\\' => out.write_str("\\\\")?,
            b'\x08' => out.write_str("\\b")?,
            b'\x0C' => out.write_str("\\f")?,
            b'\n' => out.write_str("\\n")?,
            b'\r' => out.write_str("\\r")?,
            b'\t' => out.write_str("\\t")?,
            control => write!(out, "\\u{control:04x}")?,
        }
        written_end = index + length;
    }
    out.write_str(&text[written_end..])
}
