//! Trees as well-formed XML 1.0 (fifth edition) with namespaces. It decides on no name (`xml_names` does). Invariant: a
//! document or an element is written as a well-formed document, whatever its names and texts are.

use super::xml_characters::{is_char, is_public_identifier};
use super::xml_names::{Scope, WrittenTag, part};
use crate::tree::iterate::Edge;
use crate::tree::node::NodeKind;
use crate::tree::node_ref::NodeRef;
use std::fmt;

/// The element around what is not one element by itself.
const AROUND: &str = "document";

impl NodeRef<'_> {
    /// The node and all inside as XML. Template contents stand where the template's children would.
    ///
    /// A document is written as a document of XML 1.0, fifth edition, also for readers that know namespaces: where its
    /// nodes are not one element, besides comments and processing instructions, those from the first element or text on
    /// stand in an element `document`. So is an element. Other nodes are written as they can stand in an element.
    ///
    /// Prefixes and namespaces are declared where the tree does not declare them, also the default namespace. A prefix
    /// that is bound to nothing is declared as bound to `urn:x-unbound:` and itself. Declarations that contradict names
    /// of the tree, or that XML forbids, are left out.
    ///
    /// What XML cannot say is coerced as the HTML standard proposes for trees that go to XML tools: a character that a
    /// name cannot have becomes `U` and its number (`U00003C`), as does a colon that is not between a prefix and a local
    /// name; two hyphens in a comment get a space between them, a form feed becomes a space and any other character that
    /// is none of XML U+FFFD. An attribute that would be one of two with the same name gets an underscore. The data of a
    /// processing instruction get a space inside of `?>`. A document type without a name, a second one, and one after
    /// the element are left out. A processing instruction `xml` with a version, first in the document, is its
    /// declaration, and written without an encoding; any other one is called `_xml`, as XML reserves the name.
    ///
    /// ```
    /// use tabulex::tree::{Namespace, Tree};
    /// let mut tree = Tree::new();
    /// let element = tree.create_element(Namespace::NONE, "a<b");
    /// tree.set_attribute(element, "title", "\"1\n2\"").unwrap();
    /// tree.append_text(element, "x ]]> y");
    /// let xml = "<aU00003Cb title=\"&quot;1&#xA;2&quot;\">x ]]&gt; y</aU00003Cb>";
    /// assert_eq!(tree.node(element).to_xml(), xml);
    ///
    /// let svg = tree.create_element(Namespace::SVG, "svg");
    /// assert_eq!(tree.node(svg).to_xml(), "<svg xmlns=\"http://www.w3.org/2000/svg\"/>");
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
        let is_document = self.kind() == NodeKind::Document;
        let mut outside = Outside {
            is_wrapped: is_document && !is_one_element(self),
            is_opened: false,
            has_doctype: false,
        };
        let (mut scope, mut names, mut ends) = (Scope::default(), String::new(), Vec::new());
        for edge in self.walk_with_contents() {
            match edge {
                Edge::Open(node) => {
                    let is_outside =
                        is_document && node.parent().is_some_and(|parent| parent.id() == self.id());
                    if is_outside && !outside.admit(&node, out)? {
                        continue;
                    }
                    let Some(name) = node.name() else {
                        write_open(&node, out)?;
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
        outside.end(out)
    }
}

/// What was written of a document outside of elements.
struct Outside {
    /// Whether an element is needed around what the document holds.
    is_wrapped: bool,
    /// Whether an element or text was met.
    is_opened: bool,
    /// Whether a document type was written.
    has_doctype: bool,
}

impl Outside {
    /// Makes ready for a child of the document; false if it is left out.
    fn admit(&mut self, node: &NodeRef<'_>, out: &mut dyn fmt::Write) -> Result<bool, fmt::Error> {
        match node.kind() {
            NodeKind::Doctype => {
                let is_written = !self.is_opened && !self.has_doctype;
                self.has_doctype |= is_written && has_name(node);
                return Ok(is_written);
            }
            NodeKind::Element => {}
            NodeKind::Text if !is_space(node) => {}
            _ => return Ok(true),
        }
        if self.is_wrapped && !self.is_opened {
            write!(out, "<{AROUND}>")?;
        }
        self.is_opened = true;
        Ok(true)
    }

    /// Writes what is needed at the end.
    fn end(&self, out: &mut dyn fmt::Write) -> fmt::Result {
        match (self.is_wrapped, self.is_opened) {
            (false, _) => Ok(()),
            (true, true) => write!(out, "</{AROUND}>"),
            (true, false) => write!(out, "<{AROUND}/>"),
        }
    }
}

/// Whether the document holds one element, and no text besides.
fn is_one_element(document: &NodeRef<'_>) -> bool {
    let mut elements = 0;
    for child in document.children() {
        match child.kind() {
            NodeKind::Element => elements += 1,
            NodeKind::Text if !is_space(&child) => return false,
            _ => {}
        }
    }
    elements == 1
}

/// Whether the text is white space that can stand outside of elements as it is.
fn is_space(node: &NodeRef<'_>) -> bool {
    node.data().unwrap_or_default().bytes().all(|byte| b" \t\n".contains(&byte))
}

/// Whether nothing is written in the element: it has no children, nor have its contents or its shadow root.
fn is_empty(node: &NodeRef<'_>) -> bool {
    let has_none = |contents: NodeRef<'_>| contents.first_child().is_none();
    node.first_child().is_none() && node.contents().is_none_or(has_none)
}

fn write_open(node: &NodeRef<'_>, out: &mut dyn fmt::Write) -> fmt::Result {
    let data = node.data().unwrap_or_default();
    match node.kind() {
        NodeKind::Text => write_escaped(out, data, false),
        NodeKind::Comment => write_comment(out, data),
        NodeKind::ProcessingInstruction => match declaration(node, data) {
            Some(standalone) => write!(out, "<?xml version=\"1.0\"{standalone}?>"),
            None => write_instruction(out, node.target().unwrap_or_default(), data),
        },
        NodeKind::Doctype => write_doctype(node, out),
        NodeKind::Element | NodeKind::Document | NodeKind::Fragment => Ok(()),
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
    let target = part(target);
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
        Some((prefix, local)) => write!(out, "{}:{}", part(prefix), part(local))?,
        None => out.write_str(&part(doctype.name))?,
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
        // A literal ends at its quotation mark, and has no way to hold both kinds.
        let quote = if system.contains('"') { '\'' } else { '"' };
        let system: String =
            system.chars().filter(|&character| character != quote).map(allowed).collect();
        write!(out, " {quote}{system}{quote}")?;
    }
    out.write_str(">")
}

/// The character, or what is written for it where it is none of XML.
pub(super) fn allowed(character: char) -> char {
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
