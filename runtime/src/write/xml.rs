//! Serialization as XML 1.0 (fifth edition) with namespaces, well-formed for all names and texts. `xml_names` chooses
//! prefixes and names.

use super::xml_names::{Scope, WrittenTag, coerce_ncname};
use std::fmt;
use tabulex_core::__private::xml_characters::is_char;
use tabulex_core::tree::{Edge, NodeKind, NodeRef};

/// Name of the element that is written around the contents of a document without exactly one element.
const WRAPPER: &str = "document";

/// Writes a node and its descendants as XML.
pub(super) fn write(root: &NodeRef<'_>, out: &mut dyn fmt::Write) -> fmt::Result {
    let is_document = root.kind() == NodeKind::Document;
    let mut level = DocumentLevel {
        is_wrapped: is_document && !is_one_element(root),
        has_content: false,
        has_doctype: false,
    };
    let (mut scope, mut names, mut ends) = (Scope::default(), String::new(), Vec::new());
    for edge in root.walk_with_contents() {
        match edge {
            Edge::Open(node) => {
                let is_top_level =
                    is_document && node.parent().is_some_and(|parent| parent.id() == root.id());
                if is_top_level && !level.admit(&node, out)? {
                    continue;
                }
                let Some(name) = node.name() else {
                    write_non_element(&node, out)?;
                    continue;
                };
                let tag = scope.enter(&node, name);
                write_start_tag(&node, &tag, &scope, out)?;
                ends.push(names.len());
                names.push_str(&tag.name);
            }
            Edge::Close(node) => {
                if node.name().is_some() {
                    let start = ends.pop().unwrap_or_default();
                    if !is_empty(&node) {
                        write!(out, "</{}>", &names[start..])?;
                    }
                    names.truncate(start);
                    scope.leave();
                }
            }
        }
    }
    level.end(out)
}

/// The state of writing the children of a document.
struct DocumentLevel {
    /// Whether the contents of the document need an element around them.
    is_wrapped: bool,
    /// Whether an element was written, or text that must be inside an element.
    has_content: bool,
    /// Whether a document type was written.
    has_doctype: bool,
}

impl DocumentLevel {
    /// Prepares for writing a child of the document; returns `false` if the child is to be dropped.
    fn admit(&mut self, node: &NodeRef<'_>, out: &mut dyn fmt::Write) -> Result<bool, fmt::Error> {
        match node.kind() {
            NodeKind::Doctype => {
                let is_written = !self.has_content && !self.has_doctype;
                self.has_doctype |= is_written && has_name(node);
                return Ok(is_written);
            }
            NodeKind::Element => {}
            NodeKind::Text if !is_white_space(node) => {}
            // A reader joins adjacent texts, so white space before another text is content and is written in the
            // wrapper.
            NodeKind::Text
                if self.is_wrapped
                    && node.next_sibling().is_some_and(|sibling| sibling.is_text()) => {}
            _ => return Ok(true),
        }
        if self.is_wrapped && !self.has_content {
            write!(out, "<{WRAPPER}>")?;
        }
        self.has_content = true;
        Ok(true)
    }

    /// Writes the end of the element around the contents of the document, if there is such an element.
    fn end(&self, out: &mut dyn fmt::Write) -> fmt::Result {
        match (self.is_wrapped, self.has_content) {
            (false, _) => Ok(()),
            (true, true) => write!(out, "</{WRAPPER}>"),
            (true, false) => write!(out, "<{WRAPPER}/>"),
        }
    }
}

/// Whether the document has exactly one element and no text but white space outside of it.
fn is_one_element(document: &NodeRef<'_>) -> bool {
    let mut elements = 0;
    for child in document.children() {
        match child.kind() {
            NodeKind::Element => elements += 1,
            NodeKind::Text if !is_white_space(&child) => return false,
            _ => {}
        }
    }
    elements == 1
}

/// Whether the text is only white space that XML allows outside of elements.
fn is_white_space(node: &NodeRef<'_>) -> bool {
    node.data().unwrap_or_default().bytes().all(|byte| b" \t\n".contains(&byte))
}

/// Whether the element is written as an empty-element tag: neither it nor its contents or shadow root has children.
fn is_empty(node: &NodeRef<'_>) -> bool {
    let contents = node.template_contents().or_else(|| node.shadow_root());
    node.first_child().is_none() && contents.is_none_or(|it| it.first_child().is_none())
}

fn write_non_element(node: &NodeRef<'_>, out: &mut dyn fmt::Write) -> fmt::Result {
    let data = node.data().unwrap_or_default();
    match node.kind() {
        NodeKind::Text => write_escaped(out, data, false),
        NodeKind::Comment => write_comment(out, data),
        NodeKind::ProcessingInstruction => match standalone_declaration(node, data) {
            Some(standalone) => write!(out, "<?xml version=\"1.0\"{standalone}?>"),
            None => write_instruction(out, node.target().unwrap_or_default(), data),
        },
        NodeKind::Doctype => write_doctype(node, out),
        _ => Ok(()),
    }
}

fn write_start_tag(
    node: &NodeRef<'_>,
    tag: &WrittenTag,
    scope: &Scope,
    out: &mut dyn fmt::Write,
) -> fmt::Result {
    write!(out, "<{}", tag.name)?;
    for (prefix, namespace) in &tag.declarations {
        let colon = if prefix.is_empty() { "" } else { ":" };
        write!(out, " xmlns{colon}{prefix}=\"")?;
        write_escaped(out, scope.text(*namespace), true)?;
        out.write_str("\"")?;
    }
    for (attribute, name) in node.attributes().zip(&tag.attributes) {
        let Some(name) = name else { continue };
        write!(out, " {name}=\"")?;
        write_escaped(out, attribute.value(), true)?;
        out.write_str("\"")?;
    }
    out.write_str(if is_empty(node) { "/>" } else { ">" })
}

fn write_comment(out: &mut dyn fmt::Write, data: &str) -> fmt::Result {
    out.write_str("<!--")?;
    let ends_with_hyphen = write_separated(out, data, ['-', '-'])?;
    out.write_str(if ends_with_hyphen { " -->" } else { "-->" })
}

/// Writes text with a space inserted between each `first` and a `second` directly after it, and with forbidden
/// characters replaced. Returns whether the text ends with `first`.
fn write_separated(
    out: &mut dyn fmt::Write,
    text: &str,
    [first, second]: [char; 2],
) -> Result<bool, fmt::Error> {
    let mut is_after_first = false;
    for character in text.chars() {
        if is_after_first && character == second {
            out.write_char(' ')?;
        }
        is_after_first = character == first;
        out.write_char(allowed(character))?;
    }
    Ok(is_after_first)
}

/// Returns the standalone declaration, possibly empty, if the instruction is the XML declaration of its document. The
/// encoding is dropped, because the output is a string.
fn standalone_declaration(node: &NodeRef<'_>, data: &str) -> Option<&'static str> {
    let is_first = node.previous_sibling().is_none()
        && node.parent().is_some_and(|parent| parent.kind() == NodeKind::Document);
    let after_version = pseudo_attribute(data, "version").filter(|_| is_first)?.1;
    if node.target() != Some("xml") {
        return None;
    }
    let after_encoding =
        pseudo_attribute(after_version, "encoding").map_or(after_version, |(_, after)| after);
    let (standalone, end) =
        pseudo_attribute(after_encoding, "standalone").unwrap_or(("", after_encoding));
    match (standalone, end.trim_ascii()) {
        ("", "") => Some(""),
        ("yes", "") => Some(" standalone=\"yes\""),
        ("no", "") => Some(" standalone=\"no\""),
        _ => None,
    }
}

/// Returns the value of the pseudo-attribute called `name` at the start of the text, and the text after it; `None` if
/// the text does not begin with it.
fn pseudo_attribute<'a>(text: &'a str, name: &str) -> Option<(&'a str, &'a str)> {
    let value = text.trim_ascii_start().strip_prefix(name)?.trim_ascii_start();
    let value = value.strip_prefix('=')?.trim_ascii_start();
    let quote = value.chars().next().filter(|quote| ['"', '\''].contains(quote))?;
    value[1..].split_once(quote)
}

fn write_instruction(out: &mut dyn fmt::Write, target: &str, data: &str) -> fmt::Result {
    let target = coerce_ncname(target);
    // XML reserves the target `xml`, in any letter case, so `_` is prefixed to it.
    let escape = if target.eq_ignore_ascii_case("xml") { "_" } else { "" };
    write!(out, "<?{escape}{target}")?;
    if !data.is_empty() {
        out.write_char(' ')?;
    }
    write_separated(out, data, ['?', '>'])?;
    out.write_str("?>")
}

fn has_name(doctype: &NodeRef<'_>) -> bool {
    doctype.doctype().is_some_and(|doctype| !doctype.name.is_empty())
}

fn write_doctype(node: &NodeRef<'_>, out: &mut dyn fmt::Write) -> fmt::Result {
    let doctype = node.doctype().unwrap_or_default();
    if !has_name(node) {
        return Ok(());
    }
    out.write_str("<!DOCTYPE ")?;
    match doctype.name.split_once(':').filter(|(prefix, _)| !prefix.is_empty()) {
        Some((prefix, local)) => write!(out, "{}:{}", coerce_ncname(prefix), coerce_ncname(local))?,
        None => out.write_str(&coerce_ncname(doctype.name))?,
    }
    let system = doctype.system_identifier.unwrap_or_default();
    if let Some(public) = doctype.public_identifier {
        let public: String =
            public.chars().filter(|&character| is_public_identifier(character)).collect();
        write!(out, " PUBLIC \"{public}\"")?;
    } else if doctype.system_identifier.is_some() {
        out.write_str(" SYSTEM")?;
    }
    if doctype.public_identifier.is_some() || doctype.system_identifier.is_some() {
        // A system literal cannot contain the quotation mark that delimits it, so single quotation marks are dropped if
        // it contains both kinds.
        let quote = if system.contains('"') { '\'' } else { '"' };
        let system: String =
            system.chars().filter(|&character| character != quote).map(allowed).collect();
        write!(out, " {quote}{system}{quote}")?;
    }
    out.write_str(">")
}

/// Returns the character, or its replacement if XML forbids it.
pub(super) fn allowed(character: char) -> char {
    match character {
        '\x0C' => ' ',
        character if is_char(character) => character,
        _ => char::REPLACEMENT_CHARACTER,
    }
}

/// Writes text with references and replacements, as the value of an attribute if `is_in_attribute`.
fn write_escaped(out: &mut dyn fmt::Write, text: &str, is_in_attribute: bool) -> fmt::Result {
    let mut written_end = 0;
    for (index, &byte) in text.as_bytes().iter().enumerate() {
        let replacement = match byte {
            b'&' => "&amp;",
            b'<' => "&lt;",
            b'>' => "&gt;",
            b'\r' => "&#xD;",
            b'"' if is_in_attribute => "&quot;",
            b'\t' if is_in_attribute => "&#x9;",
            b'\n' if is_in_attribute => "&#xA;",
            b'\t' | b'\n' => continue,
            b'\x0C' => " ",
            0..b' ' => "\u{FFFD}",
            // U+FFFE and U+FFFF are the only forbidden characters of several bytes.
            0xEF if text[index..].starts_with(['\u{FFFE}', '\u{FFFF}']) => "\u{FFFD}",
            _ => continue,
        };
        out.write_str(&text[written_end..index])?;
        out.write_str(replacement)?;
        written_end = text.ceil_char_boundary(index + 1);
    }
    out.write_str(&text[written_end..])
}

/// Whether the production `PubidChar` matches the character.
fn is_public_identifier(character: char) -> bool {
    matches!(character, ' ' | '\r' | '\n' | 'a'..='z' | 'A'..='Z' | '0'..='9')
        || "-'()+,./:=?;!*#@$_%".contains(character)
}
