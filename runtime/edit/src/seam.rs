//! How a change of markup meets the markup around it: attributes without white space between them, a `<` or `&` that what
//! follows would complete, a line end that a start tag swallows, text that would end its element, end tags that are left
//! out, and what the end of a page leaves open. [`Edits`](crate::Edits) and the rewriter both decide these questions here.
//!
//! Nothing here knows the markup of a dialect: where its rules matter, its parser is asked with a few bytes of markup.

use std::borrow::Cow;
use std::collections::HashMap;
use std::fmt::Write;
use std::ops::Range;
use tabulex_core::__private::escape;
use tabulex_core::Span;
use tabulex_core::tree::{NodeId, NodeRef, Tree};

/// Parses a document without a DOCTYPE in the mode of the page, and keeps all positions.
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

/// A part of a changed start tag.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum TagPart {
    /// A range of the text of the tag that stays.
    Kept(Range<usize>),
    /// New text.
    New(String),
}

/// The parts of a changed start tag so far.
struct TagWriter<'t> {
    text: &'t str,
    parts: Vec<TagPart>,
}

impl TagWriter<'_> {
    fn keep(&mut self, range: Range<usize>) {
        match self.parts.last_mut() {
            _ if range.is_empty() => {}
            Some(TagPart::Kept(last)) if last.end == range.start => last.end = range.end,
            _ => self.parts.push(TagPart::Kept(range)),
        }
    }

    /// The new text at the end, to which more can be added.
    fn new_text(&mut self) -> &mut String {
        if !matches!(self.parts.last(), Some(TagPart::New(_))) {
            self.parts.push(TagPart::New(String::new()));
        }
        match self.parts.last_mut() {
            Some(TagPart::New(text)) => text,
            // One has just been added.
            _ => unreachable!("the last part is new text"),
        }
    }

    fn ends_with(&self, last: char) -> bool {
        match self.parts.last() {
            Some(TagPart::Kept(range)) => self.text[..range.end].ends_with(last),
            Some(TagPart::New(text)) => text.ends_with(last),
            None => false,
        }
    }
}

impl StartTag<'_> {
    /// The tag with the changes. What is not changed stays as it is written, unless an attribute is written twice: then all
    /// attributes are written anew, as removing one would otherwise uncover the other.
    pub fn edited(&self, changes: &TagChanges<'_>) -> Vec<TagPart> {
        if self.has_duplicates && !changes.attributes.is_empty() {
            return vec![TagPart::New(self.written_anew(changes))];
        }
        self.in_place(changes)
    }

    /// The text of the tag with the changes.
    pub fn edited_text(&self, changes: &TagChanges<'_>) -> String {
        let text = |part| match part {
            TagPart::Kept(range) => self.text[range].to_owned(),
            TagPart::New(text) => text,
        };
        self.edited(changes).into_iter().map(text).collect()
    }

    /// Whether the tag ends in the slash of a self-closing tag, which is not the end of an unquoted value.
    fn is_self_closing(&self) -> bool {
        let slash = self.text.len().saturating_sub("/>".len());
        self.text.ends_with("/>")
            && self.attributes.iter().all(|attribute| self.end(attribute) <= slash)
    }

    fn written_anew(&self, changes: &TagChanges<'_>) -> String {
        let changed = index_finder(changes.names());
        let name = self.name.start - self.start..self.name.end - self.start;
        let mut tag = format!("<{}", changes.name.unwrap_or(&self.text[name]));
        for attribute in &self.attributes {
            if changed(&attribute.name).is_none() {
                put_attribute(&mut tag, &attribute.name, attribute.value);
            }
        }
        for (name, value) in changes.attributes {
            if let Some(value) = value {
                put_attribute(&mut tag, name, value);
            }
        }
        let closes_itself = self.is_self_closing() && !changes.gets_contents;
        tag + if closes_itself { "/>" } else { ">" }
    }

    fn in_place(&self, changes: &TagChanges<'_>) -> Vec<TagPart> {
        let mut tag = TagWriter { text: self.text, parts: Vec::new() };
        let mut copied = self.name.end - self.start;
        match changes.name {
            Some(name) => {
                tag.keep(0..self.name.start - self.start);
                tag.new_text().push_str(name);
            }
            None => tag.keep(0..copied),
        }
        let mut last = None;
        let changed = index_finder(changes.names());
        for attribute in &self.attributes {
            let name_end = attribute.name_span.end - self.start;
            let end = self.end(attribute);
            match changed(&attribute.name).map(|place| &changes.attributes[place].1) {
                None => {
                    tag.keep(copied..end);
                    last = Some(attribute);
                }
                Some(Some(value)) => {
                    tag.keep(copied..name_end);
                    put_value(tag.new_text(), value);
                    last = None;
                }
                Some(None) => {
                    let before = &self.text[copied..attribute.name_span.start - self.start];
                    tag.keep(copied..copied + before.trim_ascii_end().len());
                    let is_unquoted = last.is_some_and(|last| self.is_unquoted(last));
                    if needs_space(&tag, &self.text[end..], is_unquoted) {
                        tag.new_text().push(' ');
                        last = None;
                    }
                }
            }
            copied = end;
        }
        let written = index_finder(self.attributes.iter().map(|attribute| &*attribute.name));
        for (name, value) in changes.attributes {
            if let Some(value) = value.as_ref().filter(|_| written(name).is_none()) {
                if let Some(last) = last.take() {
                    tag.new_text().push_str(self.missing(last));
                }
                put_attribute(tag.new_text(), name, value);
            }
        }
        let end = self.text.len();
        if changes.gets_contents && self.is_self_closing() {
            // The slash is the last byte but one, as no white space may follow it.
            tag.keep(copied..end - "/>".len());
            tag.keep(end - ">".len()..end);
        } else {
            tag.keep(copied..end);
        }
        tag.parts
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
    /// The names of the changed attributes.
    fn names(&self) -> impl ExactSizeIterator<Item = &str> + Clone {
        self.attributes.iter().map(|(name, _)| &name[..])
    }
}

/// Returns a function that finds the index of a name in a list: by a map if the list is long, so that looking up each name
/// of another list takes time linear in both.
fn index_finder<'n>(
    names: impl ExactSizeIterator<Item = &'n str> + Clone,
) -> impl Fn(&str) -> Option<usize> {
    const FEW: usize = 16;
    let mut map = HashMap::new();
    if names.len() > FEW {
        for (index, name) in names.clone().enumerate() {
            map.entry(name).or_insert(index);
        }
    }
    move |name| match map.is_empty() {
        true => names.clone().position(|one| one == name),
        false => map.get(name).copied(),
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
fn needs_space(tag: &TagWriter<'_>, rest: &str, is_after_unquoted_value: bool) -> bool {
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
    parse(&format!("<{name}>\n\nx")).root().text() == "\nx"
}

/// How the contents of an element are read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ContentKind {
    /// There are none: the element has no end tag.
    None,
    /// Tags make elements.
    Markup,
    /// Tags are text, and references are replaced.
    Text,
    /// Everything is text.
    Literal,
}

/// How the contents of an element of this name are read; as markup, if the name makes no element of its own.
pub fn content_kind(name: &str, parse: Parse<'_>) -> ContentKind {
    let tree = parse(&format!("<body><{name} m>&amp;<{UNKNOWN}>"));
    let mut nodes = tree.root().descendants_with_contents();
    let named = nodes.find(|node| node.attribute("m").is_some() && node.local_name() == Some(name));
    let Some(named) = named else { return ContentKind::Markup };
    let text = named.text();
    let is_next = |node: NodeRef<'_>| node.local_name() == Some(UNKNOWN);
    if text.contains(UNKNOWN) {
        return if text.starts_with("&<") { ContentKind::Text } else { ContentKind::Literal };
    }
    match named.next_siblings().any(is_next) && named.first_child().is_none() {
        true => ContentKind::None,
        false => ContentKind::Markup,
    }
}

/// Whether tags in an element of this name are text.
pub fn is_literal(name: &str, parse: Parse<'_>) -> bool {
    let tree = parse(&format!("<body><{name}><{UNKNOWN}>"));
    !tree.root().descendants().any(|node| node.local_name() == Some(UNKNOWN))
}

/// Whether text that is written literally in an element of this name is read as that text: it neither ends the element nor
/// changes how what follows in it is read.
pub fn is_contained(name: &str, text: &str, parse: Parse<'_>) -> bool {
    let ends_at_its_tag = |text: &str| {
        let start = format!("<{name}>{text}<{name}>");
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
        let is_mark = |node: &NodeRef<'_>| {
            node.local_name() == Some(UNKNOWN) && node.attribute("m").is_some()
        };
        let Some(mark) = closed.root().descendants().find(is_mark).map(|mark| mark.id()) else {
            return false;
        };
        closed.detach(mark);
        closed.root().is_like_normalized(&unclosed.root())
    })
}

/// Whether an element of this name is opened again in what follows if its parent ends before it.
pub fn is_reconstructed(name: &str, parse: Parse<'_>) -> bool {
    let tree = parse(&format!("<{UNKNOWN}><{UNKNOWN}><{name} m></{UNKNOWN}>x"));
    tree.root().descendants().filter(|node| node.attribute("m").is_some()).count() > 1
}

/// Returns for each open element, outermost first, whether the tag `name` ends it: a start tag that implies its end, or an
/// end tag, written with a leading slash.
pub fn ended_by(open: &[&str], name: &str, parse: Parse<'_>) -> Vec<bool> {
    let tag = match name.starts_with('/') {
        true => format!("<{name}><{UNKNOWN} m>"),
        false => format!("<{name} m>"),
    };
    // After text of the body most elements are what they are in a page; some are none there.
    let ask = |first: &str| ends_in(&parse(&(inside_of(first, open) + &tag)), open.len());
    let (ended, is_whole) = ask(&format!("<{UNKNOWN}>x"));
    if is_whole { ended } else { ask("").0 }
}

/// Whether the parser takes an end tag as that of one of the open elements, even if the element goes on after it.
pub fn has_end_tag(open: &[&str], name: &str, parse: Parse<'_>) -> bool {
    let start = inside_of(&format!("<{UNKNOWN}>x"), open);
    let tree = parse(&format!("{start}</{name}>"));
    let mut tags = tree.root().descendants_with_contents().filter_map(|node| node.end_tag_span());
    tags.any(|tag| tag.start == start.len())
}

/// Whether a comment after an end tag stands outside of the elements `inside`, which are open inside of those `around`.
pub fn leaves(around: &[&str], inside: &[&str], name: &str, parse: Parse<'_>) -> bool {
    let start = inside_of(&format!("<{UNKNOWN}>x"), &[around, inside].concat());
    let start = format!("{start}</{name}>");
    let tree = parse(&format!("{start}<!---->"));
    let mut nodes = tree.root().descendants_with_contents();
    let comment = nodes.find(|node| node.span().is_some_and(|span| span.start == start.len()));
    let is_inside = |node: NodeRef<'_>| {
        let number = node.attribute("n").and_then(|number| number.parse::<usize>().ok());
        node.host().is_some()
            || node.local_name() == Some(UNKNOWN)
            || number.is_some_and(|number| number >= around.len())
    };
    comment.is_some_and(|comment| !comment.ancestors().any(is_inside))
}

/// A document whose open elements have numbers as their attribute `n`.
fn inside_of(first: &str, open: &[&str]) -> String {
    let mut markup = first.to_owned();
    for (number, name) in open.iter().enumerate() {
        // Writing to a string does not fail.
        let _ = write!(markup, "<{name} n={number}>");
    }
    markup
}

/// Returns for each numbered element whether it is not an ancestor of the marked one, and whether the parser created all.
fn ends_in(tree: &Tree, count: usize) -> (Vec<bool>, bool) {
    let number = |node: &NodeRef<'_>| node.attribute("n")?.parse::<usize>().ok();
    let (mut ended, mut first) = (vec![false; count], vec![None; count]);
    let mut mark = None;
    for node in tree.root().descendants_with_contents() {
        if node.attribute("m").is_some() {
            mark = Some(node);
        }
        if let Some(number) = number(&node).filter(|number| *number < count) {
            // Formatting elements are made again, with their attributes.
            first[number].get_or_insert(node.id());
            // A node before a table is one that was moved out of it.
            ended[number] |= mark.is_none();
        }
    }
    let made = first.iter().flatten().count();
    let Some(mut node) = mark else { return (vec![false; count], made == count) };
    while let Some(around) = node.parent().or_else(|| node.host()) {
        if let Some(number) =
            number(&around).filter(|number| first.get(*number) == Some(&Some(around.id())))
        {
            ended[number] = false;
        }
        node = around;
    }
    (ended, made == count)
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
