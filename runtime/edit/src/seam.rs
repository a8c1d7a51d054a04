//! How a change of markup meets the markup around it: attributes without white space between them, a `<` or `&` that what
//! follows would complete, a line end that a start tag swallows, text that would end its element, end tags that are left
//! out, and what the end of a page leaves open. [`Edits`](crate::Edits) and the rewriter both decide these questions here.
//!
//! Nothing here knows the markup of a dialect: where its rules matter, its parser is asked with a few bytes of markup.

use std::borrow::Cow;
use std::fmt::Write;
use std::ops::Range;
use tabulex_core::__private::escape;
use tabulex_core::Span;
use tabulex_core::tree::{NodeId, NodeRef, Tree};

/// Parses a document of the dialect and keeps all positions.
pub type Parse<'p> = &'p dyn Fn(&str) -> Tree;

/// The name of an element that no table mentions.
const UNKNOWN: &str = "x-y";

/// An attribute that is written in a start tag.
#[derive(Clone, Debug)]
pub struct WrittenAttribute<'t> {
    /// The name by which changes refer to it.
    pub name: Cow<'t, str>,
    /// The value, its character references replaced.
    pub value: &'t str,
    /// The range of the name in the input.
    pub name_span: Span,
    /// The range of the value in the input, quotation marks excluded; empty if there is no value.
    pub value_span: Span,
}

/// A start tag as it is written.
#[derive(Debug)]
pub struct StartTag<'t> {
    /// The text of the tag, delimiters included.
    pub text: &'t str,
    /// The byte offset of the tag in the input.
    pub start: usize,
    /// The range of the tag name in the input.
    pub name: Span,
    /// The attributes in the order of the input, those that are dropped as duplicates excluded.
    pub attributes: Vec<WrittenAttribute<'t>>,
    /// Whether an attribute was dropped because an earlier one has its name.
    pub has_duplicates: bool,
}

/// Changes of a start tag.
#[derive(Clone, Copy, Debug, Default)]
pub struct TagChanges<'c> {
    /// The new tag name.
    pub name: Option<&'c str>,
    /// New values of attributes by name; `None` removes the attribute.
    pub attributes: &'c [(String, Option<String>)],
    /// Whether the element gets contents, so that the tag must not close itself.
    pub gets_contents: bool,
}

impl StartTag<'_> {
    /// The text of the tag with the changes. What is not changed stays as it is written, unless an attribute is written
    /// twice: then all attributes are written anew, as removing one would otherwise uncover the other.
    pub fn edited(&self, changes: &TagChanges<'_>) -> String {
        let is_anew = self.has_duplicates && !changes.attributes.is_empty();
        let mut tag = if is_anew { self.anew(changes) } else { self.in_place(changes) };
        if changes.gets_contents && self.is_self_closing() {
            // The slash is the last byte but one, as no white space may follow it.
            tag.truncate(tag.len() - "/>".len());
            tag.push('>');
        }
        tag
    }

    /// Whether the tag ends in the slash of a self-closing tag, which is not the end of an unquoted value.
    fn is_self_closing(&self) -> bool {
        let slash = self.text.len().saturating_sub("/>".len());
        self.text.ends_with("/>")
            && self.attributes.iter().all(|attribute| self.end(attribute) <= slash)
    }

    fn anew(&self, changes: &TagChanges<'_>) -> String {
        let name = self.name.start - self.start..self.name.end - self.start;
        let mut tag = format!("<{}", changes.name.unwrap_or(&self.text[name]));
        for attribute in &self.attributes {
            if changes.of(&attribute.name).is_none() {
                put_attribute(&mut tag, &attribute.name, attribute.value);
            }
        }
        for (name, value) in changes.attributes {
            if let Some(value) = value {
                put_attribute(&mut tag, name, value);
            }
        }
        tag + if self.is_self_closing() { "/>" } else { ">" }
    }

    fn in_place(&self, changes: &TagChanges<'_>) -> String {
        let mut tag = String::with_capacity(self.text.len() + 32);
        let mut copied = self.name.end - self.start;
        match changes.name {
            Some(name) => {
                tag += &self.text[..self.name.start - self.start];
                tag += name;
            }
            None => tag += &self.text[..copied],
        }
        let mut last = None;
        for attribute in &self.attributes {
            let name_end = attribute.name_span.end - self.start;
            let end = self.end(attribute);
            match changes.of(&attribute.name) {
                None => {
                    tag += &self.text[copied..end];
                    last = Some(attribute);
                }
                Some(Some(value)) => {
                    tag += &self.text[copied..name_end];
                    put_value(&mut tag, value);
                    last = None;
                }
                Some(None) => {
                    let before = &self.text[copied..attribute.name_span.start - self.start];
                    tag += before.trim_end_matches(|one: char| one.is_ascii_whitespace());
                    let is_unquoted = last.is_some_and(|last| self.is_unquoted(last));
                    if needs_space(&tag, &self.text[end..], is_unquoted) {
                        tag.push(' ');
                        last = None;
                    }
                }
            }
            copied = end;
        }
        let is_new = |name: &str| !self.attributes.iter().any(|attribute| attribute.name == name);
        for (name, value) in changes.attributes {
            if let Some(value) = value.as_ref().filter(|_| is_new(name)) {
                if let Some(last) = last.take() {
                    tag += self.missing(last);
                }
                put_attribute(&mut tag, name, value);
            }
        }
        tag + &self.text[copied..]
    }

    /// Where an attribute ends in the text of the tag, its quotation mark included.
    fn end(&self, attribute: &WrittenAttribute<'_>) -> usize {
        let range =
            attribute_range(self.text, self.start, attribute.name_span, attribute.value_span);
        range.end
    }

    fn has_value(attribute: &WrittenAttribute<'_>) -> bool {
        attribute.value_span.start > attribute.name_span.end
    }

    /// The quotation mark before the value of an attribute, if there is one.
    fn quote(&self, attribute: &WrittenAttribute<'_>) -> Option<&str> {
        let start = attribute.value_span.start - self.start;
        let before = &self.text[..start];
        let quote = before.get(start.checked_sub(1)?..)?;
        (Self::has_value(attribute) && matches!(quote, "\"" | "'")).then_some(quote)
    }

    fn is_unquoted(&self, attribute: &WrittenAttribute<'_>) -> bool {
        Self::has_value(attribute) && self.quote(attribute).is_none()
    }

    /// What an attribute lacks before another one can follow it: a value after its equals sign or, where the input ends in
    /// the tag, the closing quotation mark.
    fn missing(&self, attribute: &WrittenAttribute<'_>) -> &str {
        if !Self::has_value(attribute) {
            let written = &self.text[..self.end(attribute)];
            return if written.ends_with('=') { "\"\"" } else { "" };
        }
        let rest = &self.text[attribute.value_span.end - self.start..];
        self.quote(attribute).filter(|quote| !rest.starts_with(*quote)).unwrap_or_default()
    }
}

impl TagChanges<'_> {
    /// The change of the attribute of this name.
    fn of(&self, name: &str) -> Option<&Option<String>> {
        self.attributes.iter().find(|(changed, _)| changed == name).map(|(_, value)| value)
    }
}

/// The range of an attribute in a text that begins at `start` in the input: from its name to its closing quotation mark,
/// or to an equals sign without a value.
pub fn attribute_range(text: &str, start: usize, name: Span, value: Span) -> Range<usize> {
    let name_end = name.end - start;
    let begin = name.start - start;
    if value.start <= name.end {
        let rest = text[name_end..].trim_ascii_start();
        let end = if rest.starts_with('=') { text.len() - rest.len() + 1 } else { name_end };
        return begin..end;
    }
    let end = value.end - start;
    let bytes = text.as_bytes();
    let quote = bytes.get(value.start - start - 1).filter(|byte| matches!(byte, b'"' | b'\''));
    begin..end + usize::from(quote.is_some() && bytes.get(end) == quote)
}

/// Whether white space must stand between the beginning of a tag and its rest, so that they are read as before.
fn needs_space(tag: &str, rest: &str, is_after_unquoted_value: bool) -> bool {
    match rest.as_bytes().first() {
        // A slash before the end would close an element that was not closed.
        Some(b'>') => tag.ends_with('/') && !is_after_unquoted_value,
        // A slash would be the end of the value.
        Some(b'/') => is_after_unquoted_value,
        Some(byte) => !byte.is_ascii_whitespace(),
        None => false,
    }
}

/// Writes an attribute after what a tag has so far.
pub fn put_attribute(tag: &mut String, name: &str, value: &str) {
    tag.push(' ');
    tag.push_str(name);
    put_value(tag, value);
}

fn put_value(tag: &mut String, value: &str) {
    // Writing to a string does not fail.
    let _ = write!(tag, "=\"{}\"", escape(value, true));
}

/// The longest name of a reference that is looked for at the end of a text, in bytes.
const MAX_REFERENCE: usize = 256;

/// The byte offset in a text after which its meaning depends on what follows: a last `<`, `</`, `&` with letters, or CR.
pub fn open_tail(text: &str) -> usize {
    if text.ends_with('\r') {
        return text.len() - 1;
    }
    for open in ["</", "<"] {
        if text.ends_with(open) {
            return text.len() - open.len();
        }
    }
    let from = text.ceil_char_boundary(text.len().saturating_sub(MAX_REFERENCE));
    match text[from..].rfind('&') {
        Some(at) if !text[from + at + 1..].contains(is_no_part_of_name) => from + at,
        _ => text.len(),
    }
}

fn is_no_part_of_name(one: char) -> bool {
    one.is_ascii() && !one.is_ascii_alphanumeric() && !matches!(one, '#' | '-' | '.' | ':' | '_')
}

/// An [open tail](open_tail) as it is written before what now follows it.
pub fn close_tail<'t>(tail: &'t str, next: &str, parse: Parse<'_>) -> Cow<'t, str> {
    let goes_on = match next.chars().next() {
        _ if tail == "</" => !next.is_empty(),
        Some(first) if tail == "\r" => first == '\n',
        Some(first) => first != '<' && !first.is_ascii_whitespace(),
        None => false,
    };
    if tail.is_empty() || !goes_on {
        return tail.into();
    }
    let text = parse(&format!("<{UNKNOWN}>{tail}")).root().text();
    escape(&text, false).into_owned().into()
}

/// Whether a line end directly after the start tag of this name is dropped.
pub fn drops_line_end(name: &str, parse: Parse<'_>) -> bool {
    parse(&format!("<!DOCTYPE html><{name}>\n\nx")).root().text() == "\nx"
}

/// Whether tags in an element of this name are text.
pub fn is_literal(name: &str, parse: Parse<'_>) -> bool {
    let tree = parse(&format!("<!DOCTYPE html><body><{name}><{UNKNOWN}>"));
    !tree.root().descendants().any(|node| node.local_name() == Some(UNKNOWN))
}

/// Whether text that is written literally in an element of this name is read as that text: it neither ends the element nor
/// changes how what follows in it is read.
pub fn is_contained(name: &str, text: &str, parse: Parse<'_>) -> bool {
    let ends_at_its_tag = |text: &str| {
        let start = format!("<!DOCTYPE html><{name}>{text}<{name}>");
        let tree = parse(&format!("{start}</{name}>"));
        let is_named =
            |node: &NodeRef<'_>| node.local_name() == Some(name) && node.span().is_some();
        let element = tree.root().descendants().find(is_named);
        let end_tag = element.and_then(|element| element.end_tag_span());
        end_tag.is_some_and(|tag| tag.start == start.len())
    };
    // An element that no tag ends holds any text.
    ends_at_its_tag(text) || !ends_at_its_tag("")
}

/// Whether the end of a text may be the beginning of what [`is_contained`] refuses.
pub fn is_open_text(name: &str, text: &str) -> bool {
    let Some(tail) = text.rfind('<').map(|at| &text[at..]) else { return false };
    [&format!("</{name}"), "<!--"]
        .iter()
        .any(|mark| mark.get(..tail.len()).is_some_and(|begin| begin.eq_ignore_ascii_case(tail)))
}

/// What ends a token that the end of the input left unfinished; `None` if nothing does, so that it has no effect and can be
/// left out. Empty for a token that is complete.
pub fn closing(token: &str, parse: Parse<'_>) -> Option<&'static str> {
    let unclosed = parse(&format!("<{UNKNOWN}>{token}"));
    ["", ">", "->", "-->", "\">", "'>", "]]>", "?>"].into_iter().find(|end| {
        let mut closed = parse(&format!("<{UNKNOWN}>{token}{end}<{UNKNOWN} m>"));
        let is_mark = |node: &NodeRef<'_>| node.attribute("m").is_some();
        let Some(mark) = closed.root().descendants().find(is_mark).map(|mark| mark.id()) else {
            return false;
        };
        closed.detach(mark);
        closed.root().is_like_normalized(&unclosed.root())
    })
}

/// Which of the open elements, outermost first, have ended where a start tag of this name comes, as it implies their ends.
pub fn ended_by(open: &[&str], name: &str, parse: Parse<'_>) -> Vec<bool> {
    let mut markup = String::from("<!DOCTYPE html>");
    for (number, name) in open.iter().enumerate() {
        // Writing to a string does not fail.
        let _ = write!(markup, "<{name} n={number}>");
    }
    let tree = parse(&format!("{markup}<{name} m>"));
    let mut descendants = tree.root().descendants_with_contents();
    let mut ended = vec![false; open.len()];
    let Some(mut node) = descendants.find(|node| node.attribute("m").is_some()) else {
        return ended;
    };
    ended.fill(true);
    while let Some(around) = node.parent().or_else(|| node.host()) {
        let number = around.attribute("n").and_then(|number| number.parse::<usize>().ok());
        if let Some(ended) = number.and_then(|number| ended.get_mut(number)) {
            *ended = false;
        }
        node = around;
    }
    ended
}

/// Removes the white space that is in a document only because it is written after its last element's end tag, and returns
/// whether there was any. It belongs to no edit: where it goes depends on what is open at the end.
pub fn remove_trailing_space(tree: &mut Tree, text: &str, parse: Parse<'_>) -> Option<()> {
    let end = content_end(tree)?;
    let space = trailing_space(text, end, parse)?;
    let mut last = tree.document_element()?;
    while let Some(inner) = last.last_child() {
        // Comments after the last element are children of the document element.
        let is_outermost = last.parent() == Some(tree.root());
        last = if is_outermost { last.child_elements().next_back()? } else { inner };
    }
    let kept = last.data().filter(|_| last.is_text())?.strip_suffix(&*space)?.to_owned();
    let id = last.id();
    tree.set_text(id, &kept);
    if kept.is_empty() {
        remove_empty(tree, id);
    }
    Some(())
}

/// Removes an empty node, and formatting elements around it that were only opened again for it.
fn remove_empty(tree: &mut Tree, node: NodeId) {
    let parent = tree.node(node).parent().map(|parent| parent.id());
    tree.detach(node);
    let Some(parent) = parent else { return };
    let element = tree.node(parent);
    let start = element.span().map(|span| span.start);
    let before = element.previous_sibling().and_then(|before| before.span());
    let is_again = start.zip(before).is_some_and(|(start, before)| start < before.start);
    if is_again && element.first_child().is_none() {
        remove_empty(tree, parent);
    }
}

/// Where the contents of a document end: at the first of the end tags of its element and of the last one in that.
pub fn content_end(tree: &Tree) -> Option<usize> {
    let root = tree.document_element()?;
    let last = root.child_elements().next_back();
    let tags = [Some(root), last].into_iter().flatten().filter_map(|node| node.end_tag_span());
    tags.map(|tag| tag.start).min()
}

/// The white space that is written from here on, if there is nothing else that makes contents.
pub fn trailing_space(text: &str, end: usize, parse: Parse<'_>) -> Option<String> {
    let start = format!("<{UNKNOWN}>x");
    let tree = parse(&format!("{start}{}", text.get(end..)?));
    let is_written = |node: NodeRef<'_>| {
        node.is_element() && node.span().is_some_and(|span| span.start >= start.len())
    };
    let space = tree.root().text().strip_prefix('x')?.to_owned();
    let is_space = space.bytes().all(|byte| byte.is_ascii_whitespace());
    (is_space && !tree.root().descendants().any(is_written)).then_some(space)
}
