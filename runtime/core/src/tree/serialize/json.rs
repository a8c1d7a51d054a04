//! Elements as JSON in the data model of MicroXML: name, attributes, children. It reads no JSON, and needs no library to
//! write it. Invariant: what is written is one JSON value.

use crate::tree::iterate::Edge;
use crate::tree::node::NodeKind;
use crate::tree::node_ref::NodeRef;
use std::fmt;

impl NodeRef<'_> {
    /// An element as `[name, {attributes}, [children]]`, text as a string. Comments, processing instructions and document
    /// types are left out, and texts that are then neighbours are one string. A document is its element, or `null`; a
    /// fragment is the list of what is inside.
    ///
    /// Each level of the tree makes two of lists. Readers that refuse deep values, as `serde_json` does beyond 127 levels
    /// unless told otherwise, refuse trees of about half that depth.
    ///
    /// ```
    /// use tabulex::tree::{Namespace, Tree};
    /// let mut tree = Tree::new();
    /// let element = tree.create_element(Namespace::NONE, "p");
    /// tree.set_attribute(element, "id", "x").unwrap();
    /// tree.append_text(element, "a\n\"b\"");
    /// assert_eq!(tree.node(element).to_json(), r#"["p",{"id":"x"},["a\n\"b\""]]"#);
    /// ```
    pub fn to_json(&self) -> String {
        self.written(Self::write_json)
    }

    /// What is inside, as a list of what [`to_json`](Self::to_json) makes of each node.
    pub fn children_to_json(&self) -> String {
        let children: Vec<String> = self
            .children()
            .filter(|child| child.is_element() || child.is_text())
            .map(|child| child.to_json())
            .collect();
        format!("[{}]", children.join(","))
    }

    /// Writes what [`to_json`](Self::to_json) returns.
    ///
    /// # Errors
    ///
    /// If `out` fails.
    pub fn write_json(&self, out: &mut dyn fmt::Write) -> fmt::Result {
        let root = match self.kind() {
            NodeKind::Document => self.child_elements().next(),
            NodeKind::Element | NodeKind::Fragment | NodeKind::Text => Some(*self),
            _ => None,
        };
        let Some(root) = root else { return out.write_str("null") };
        let mut writer = Writer { out, place: Place::First };
        for edge in root.walk() {
            match edge {
                Edge::Open(node) => writer.open(&node)?,
                Edge::Close(node) => writer.close(&node)?,
            }
        }
        writer.end_text()
    }
}

/// What stands right before the place where is written.
#[derive(PartialEq)]
enum Place {
    /// Nothing, or the beginning of a list.
    First,
    /// A string that is not closed yet.
    InText,
    /// A whole value.
    Behind,
}

struct Writer<'a> {
    out: &'a mut dyn fmt::Write,
    place: Place,
}

impl Writer<'_> {
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
                self.attributes(node)?;
                self.out.write_str("},[")?;
                self.place = Place::First;
            }
            NodeKind::Fragment => self.out.write_str("[")?,
            NodeKind::Text => {
                if self.place != Place::InText {
                    self.separate()?;
                    self.out.write_str("\"")?;
                    self.place = Place::InText;
                }
                write_escaped(self.out, node.data().unwrap_or_default())?;
            }
            _ => {}
        }
        Ok(())
    }

    fn close(&mut self, node: &NodeRef<'_>) -> fmt::Result {
        let end = match node.kind() {
            NodeKind::Element => "]]",
            NodeKind::Fragment => "]",
            _ => return Ok(()),
        };
        self.end_text()?;
        self.place = Place::Behind;
        self.out.write_str(end)
    }

    fn attributes(&mut self, node: &NodeRef<'_>) -> fmt::Result {
        for (index, attribute) in node.attributes().enumerate() {
            self.out.write_str(if index == 0 { "\"" } else { ",\"" })?;
            write_escaped(self.out, &attribute.name().to_string())?;
            self.out.write_str("\":\"")?;
            write_escaped(self.out, attribute.value())?;
            self.out.write_str("\"")?;
        }
        Ok(())
    }

    fn separate(&mut self) -> fmt::Result {
        if self.place == Place::Behind { self.out.write_str(",") } else { Ok(()) }
    }

    fn end_text(&mut self) -> fmt::Result {
        if self.place == Place::InText {
            self.place = Place::Behind;
            self.out.write_str("\"")?;
        }
        Ok(())
    }
}

/// Writes what is between the quotes of a JSON string.
fn write_escaped(out: &mut dyn fmt::Write, text: &str) -> fmt::Result {
    let mut written = 0;
    for (index, &byte) in text.as_bytes().iter().enumerate() {
        if byte >= 0x20 && byte != b'"' && byte != b'\\' {
            continue;
        }
        out.write_str(&text[written..index])?;
        match byte {
            b'"' => out.write_str("\\\"")?,
            b'\\' => out.write_str("\\\\")?,
            b'\n' => out.write_str("\\n")?,
            b'\r' => out.write_str("\\r")?,
            b'\t' => out.write_str("\\t")?,
            control => write!(out, "\\u{control:04x}")?,
        }
        written = index + 1;
    }
    out.write_str(&text[written..])
}
