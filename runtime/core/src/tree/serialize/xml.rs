//! Trees as well-formed XML 1.0. It adds no namespace declarations: they are attributes of the tree. Invariant: a tree
//! whose document holds one element, and text in elements only, is written as a well-formed document, whatever its names
//! and texts are.

use super::xml_characters::{is_char, is_name, is_name_start, is_public_identifier};
use crate::tree::iterate::Edge;
use crate::tree::node::NodeKind;
use crate::tree::node_ref::NodeRef;
use std::borrow::Cow;
use std::collections::HashSet;
use std::fmt::{self, Write as _};

impl NodeRef<'_> {
    /// The node and all inside as XML. Template contents stand where the template's children would.
    ///
    /// What XML cannot say is coerced as the HTML standard proposes for trees that go to XML tools: a character that a
    /// name cannot have becomes `U` and its number (`U00003C`), two hyphens in a comment get a space between them, a
    /// form feed becomes a space and any other character that is none of XML U+FFFD. The data of a processing
    /// instruction get a space inside of `?>`. A document type without a name is left out. A processing instruction
    /// `xml` with a version, first in the document, is its declaration, and written without an encoding.
    ///
    /// ```
    /// use tabulex::tree::{Namespace, Tree};
    /// let mut tree = Tree::new();
    /// let element = tree.create_element(Namespace::NONE, "a<b");
    /// tree.set_attribute(element, "title", "\"1\n2\"");
    /// tree.append_text(element, "x ]]> y");
    /// let xml = "<aU00003Cb title=\"&quot;1&#xA;2&quot;\">x ]]&gt; y</aU00003Cb>";
    /// assert_eq!(tree.node(element).to_xml(), xml);
    /// ```
    pub fn to_xml(&self) -> String {
        self.written(Self::write_xml)
    }

    /// Writes what [`to_xml`](Self::to_xml) returns.
    ///
    /// # Errors
    ///
    /// If `out` fails.
    pub fn write_xml(&self, out: &mut dyn fmt::Write) -> fmt::Result {
        for edge in self.walk_with_contents() {
            match edge {
                Edge::Open(node) => write_open(&node, out)?,
                Edge::Close(node) => {
                    if let Some(name) = node.name()
                        && !is_empty(&node)
                    {
                        write!(out, "</{}>", coerced_name(&name.to_string()))?;
                    }
                }
            }
        }
        Ok(())
    }
}

fn is_empty(node: &NodeRef<'_>) -> bool {
    node.first_child().is_none() && node.template_contents().is_none()
}

fn write_open(node: &NodeRef<'_>, out: &mut dyn fmt::Write) -> fmt::Result {
    let data = node.data().unwrap_or_default();
    match node.kind() {
        NodeKind::Element => write_start_tag(node, out),
        NodeKind::Text => write_escaped(out, data, false),
        NodeKind::Comment => write_comment(out, data),
        NodeKind::ProcessingInstruction => match declaration(node, data) {
            Some(standalone) => write!(out, "<?xml version=\"1.0\"{standalone}?>"),
            None => write_instruction(out, node.target().unwrap_or_default(), data),
        },
        NodeKind::Doctype => write_doctype(node, out),
        NodeKind::Document | NodeKind::Fragment => Ok(()),
    }
}

fn write_start_tag(node: &NodeRef<'_>, out: &mut dyn fmt::Write) -> fmt::Result {
    let Some(name) = node.name() else { return Ok(()) };
    write!(out, "<{}", coerced_name(&name.to_string()))?;
    // Names that differ in their parts, or were coerced, can look alike.
    let mut written = (node.attributes().len() > 1).then(HashSet::new);
    for attribute in node.attributes() {
        let name = attribute.name().to_string();
        let name = coerced_name(&name);
        if written.as_mut().is_some_and(|written| !written.insert(name.to_string())) {
            continue;
        }
        write!(out, " {name}=\"")?;
        write_escaped(out, attribute.value(), true)?;
        out.write_str("\"")?;
    }
    out.write_str(if is_empty(node) { "/>" } else { ">" })
}

fn write_comment(out: &mut dyn fmt::Write, data: &str) -> fmt::Result {
    out.write_str("<!--")?;
    let mut hyphen = false;
    for character in data.chars() {
        if hyphen && character == '-' {
            out.write_char(' ')?;
        }
        hyphen = character == '-';
        out.write_char(allowed(character))?;
    }
    out.write_str(if hyphen { " -->" } else { "-->" })
}

/// What is after the version, if the instruction is the XML declaration of its document. Its encoding is left out,
/// for what is written is a string.
fn declaration(node: &NodeRef<'_>, data: &str) -> Option<&'static str> {
    let is_first = node.previous_sibling().is_none()
        && node.parent().is_some_and(|parent| parent.kind() == NodeKind::Document);
    let rest = pseudo_attribute(data, "version").filter(|_| is_first)?.1;
    if node.target() != Some("xml") {
        return None;
    }
    let rest = pseudo_attribute(rest, "encoding").map_or(rest, |(_, rest)| rest);
    let (standalone, rest) = pseudo_attribute(rest, "standalone").unwrap_or(("", rest));
    match (standalone, rest.trim_ascii()) {
        ("", "") => Some(""),
        ("yes", "") => Some(" standalone=\"yes\""),
        ("no", "") => Some(" standalone=\"no\""),
        _ => None,
    }
}

/// The value of the pseudo-attribute at the beginning, and what is after.
fn pseudo_attribute<'a>(text: &'a str, name: &str) -> Option<(&'a str, &'a str)> {
    let value = text.trim_ascii_start().strip_prefix(name)?.trim_ascii_start();
    let value = value.strip_prefix('=')?.trim_ascii_start();
    let quote = value.chars().next().filter(|quote| ['"', '\''].contains(quote))?;
    value[1..].split_once(quote)
}

fn write_instruction(out: &mut dyn fmt::Write, target: &str, data: &str) -> fmt::Result {
    let target = coerced_name(target);
    // The target that begins XML declarations is taken.
    let reserved = if target.eq_ignore_ascii_case("xml") { "_" } else { "" };
    write!(out, "<?{reserved}{target}")?;
    if !data.is_empty() {
        out.write_char(' ')?;
    }
    let mut question = false;
    for character in data.chars() {
        if question && character == '>' {
            out.write_char(' ')?;
        }
        question = character == '?';
        out.write_char(allowed(character))?;
    }
    out.write_str("?>")
}

fn write_doctype(node: &NodeRef<'_>, out: &mut dyn fmt::Write) -> fmt::Result {
    let doctype = node.doctype().unwrap_or_default();
    if doctype.name.is_empty() {
        return Ok(());
    }
    write!(out, "<!DOCTYPE {}", coerced_name(doctype.name))?;
    let system = doctype.system_identifier.unwrap_or_default();
    if let Some(public) = doctype.public_identifier {
        let public: String =
            public.chars().filter(|&character| is_public_identifier(character)).collect();
        write!(out, " PUBLIC \"{public}\"")?;
    } else if doctype.system_identifier.is_some() {
        out.write_str(" SYSTEM")?;
    }
    if doctype.public_identifier.is_some() || doctype.system_identifier.is_some() {
        // A literal ends at its quotation mark, and has no way to hold both kinds.
        let quote = if system.contains('"') { '\'' } else { '"' };
        let system: String =
            system.chars().filter(|&character| character != quote).map(allowed).collect();
        write!(out, " {quote}{system}{quote}")?;
    }
    out.write_str(">")
}

/// The name with what XML does not allow written as numbers.
fn coerced_name(name: &str) -> Cow<'_, str> {
    let fits = name.chars().enumerate().all(|(index, character)| {
        if index == 0 { is_name_start(character) } else { is_name(character) }
    });
    if fits && !name.is_empty() {
        return Cow::Borrowed(name);
    }
    let mut coerced = String::new();
    for character in name.chars() {
        let fits = if coerced.is_empty() { is_name_start(character) } else { is_name(character) };
        if fits {
            coerced.push(character);
        } else {
            // Writing to a string cannot fail.
            let _ = write!(coerced, "U{:06X}", u32::from(character));
        }
    }
    if coerced.is_empty() { Cow::Borrowed("_") } else { Cow::Owned(coerced) }
}

fn allowed(character: char) -> char {
    match character {
        '\x0C' => ' ',
        character if is_char(character) => character,
        _ => char::REPLACEMENT_CHARACTER,
    }
}

fn write_escaped(out: &mut dyn fmt::Write, text: &str, attribute: bool) -> fmt::Result {
    let mut rest = text;
    // Replaced ones that are no single bytes are rare.
    while let Some((before, after)) = rest.split_once(['\u{FFFE}', '\u{FFFF}']) {
        write_pieces(out, before, attribute)?;
        out.write_char(char::REPLACEMENT_CHARACTER)?;
        rest = after;
    }
    write_pieces(out, rest, attribute)
}

fn write_pieces(out: &mut dyn fmt::Write, text: &str, attribute: bool) -> fmt::Result {
    super::write_replacing(out, text, |byte| match byte {
        b'&' => Some("&amp;"),
        b'<' => Some("&lt;"),
        b'>' => Some("&gt;"),
        b'\r' => Some("&#xD;"),
        b'"' if attribute => Some("&quot;"),
        b'\t' if attribute => Some("&#x9;"),
        b'\n' if attribute => Some("&#xA;"),
        b'\t' | b'\n' => None,
        b'\x0C' => Some(" "),
        0..b' ' => Some("\u{FFFD}"),
        _ => None,
    })
}
