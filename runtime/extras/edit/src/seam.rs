//! The boundaries between changed markup and its surroundings, shared by [`Edits`](crate::Edits) and the rewriter:
//! attributes without white space between them, a `<` or `&` that later text would complete, line ends that start tags
//! drop, text that would end its element, omitted end tags, and tokens cut off by the end of a page.
//!
//! Nothing here is specific to a dialect: its rules are determined by parsing short probes.

use std::borrow::Cow;
use std::collections::{HashMap, HashSet};
use std::fmt::Write;
use std::ops::Range;
use tabulex_core::__private::escape;
use tabulex_core::Span;
use tabulex_core::tree::{NodeId, NodeRef, Tree};

/// A function that parses a document without a DOCTYPE in the page's mode, with all positions.
pub type Parse<'p> = &'p dyn Fn(&str) -> Tree;

/// The name of an element that no table mentions.
pub const UNKNOWN_NAME: &str = "x-y";

/// An attribute as written in a start tag.
#[derive(Clone, Debug)]
pub struct WrittenAttribute<'t> {
    /// The name by which [`TagChanges::attributes`] refers to the attribute.
    pub name: Cow<'t, str>,
    /// The value, with character references replaced.
    pub value: &'t str,
    /// The range of the name in the input.
    pub name_span: Span,
    /// The range of the value in the input, quotation marks excluded; empty if there is no value.
    pub value_span: Span,
}

/// A start tag as written.
#[derive(Debug)]
pub struct StartTag<'t> {
    /// The text of the tag, delimiters included.
    pub text: &'t str,
    /// The byte offset of the tag in the input.
    pub start: usize,
    /// The range of the tag name in the input.
    pub name: Span,
    /// The attributes in source order, without dropped duplicates.
    pub attributes: Vec<WrittenAttribute<'t>>,
    /// Whether an attribute was dropped as a duplicate.
    pub has_duplicates: bool,
}

/// The changes to make to a start tag.
#[derive(Clone, Copy, Debug, Default)]
pub struct TagChanges<'c> {
    /// The new tag name, or `None` to keep the name.
    pub name: Option<&'c str>,
    /// New values of attributes by name; `None` removes the attribute.
    pub attributes: &'c [(String, Option<String>)],
    /// Whether the element gets contents, so that the tag must not be self-closing.
    pub gets_contents: bool,
}

/// A part of a changed start tag.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum TagPart {
    /// A range of the tag's text that is kept.
    Kept(Range<usize>),
    /// New text.
    New(String),
}

/// A builder of the parts of a changed start tag.
struct TagWriter<'t> {
    text: &'t str,
    parts: Vec<TagPart>,
}

impl TagWriter<'_> {
    fn push_kept(&mut self, range: Range<usize>) {
        match self.parts.last_mut() {
            _ if range.is_empty() => {}
            Some(TagPart::Kept(last)) if last.end == range.start => last.end = range.end,
            _ => self.parts.push(TagPart::Kept(range)),
        }
    }

    /// Returns the new text at the end, adding an empty part if necessary.
    fn last_new_text(&mut self) -> &mut String {
        if !matches!(self.parts.last(), Some(TagPart::New(_))) {
            self.parts.push(TagPart::New(String::new()));
        }
        match self.parts.last_mut() {
            Some(TagPart::New(text)) => text,
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
    /// Returns the parts of the changed tag. Unchanged parts stay as written, except that duplicate attributes cause
    /// all attributes to be rewritten, since removing one would reveal the other.
    pub fn edited(&self, changes: &TagChanges<'_>) -> Vec<TagPart> {
        if self.has_duplicates && !changes.attributes.is_empty() {
            return vec![TagPart::New(self.rewritten(changes))];
        }
        self.edited_in_place(changes)
    }

    /// Returns the text of the changed tag.
    pub fn edited_text(&self, changes: &TagChanges<'_>) -> String {
        let text = |part| match part {
            TagPart::Kept(range) => self.text[range].to_owned(),
            TagPart::New(text) => text,
        };
        self.edited(changes).into_iter().map(text).collect()
    }

    /// Whether the tag is self-closing, that is, ends with a slash that is not part of an unquoted value.
    fn is_self_closing(&self) -> bool {
        let slash_offset = self.text.len().saturating_sub("/>".len());
        self.text.ends_with("/>")
            && self.attributes.iter().all(|attribute| self.attribute_end(attribute) <= slash_offset)
    }

    fn rewritten(&self, changes: &TagChanges<'_>) -> String {
        let find_change = index_finder(changes.names());
        let name = self.name.start - self.start..self.name.end - self.start;
        let mut tag = format!("<{}", changes.name.unwrap_or(&self.text[name]));
        for attribute in &self.attributes {
            let change = find_change(&attribute.name).map(|index| &changes.attributes[index].1);
            let value = change.map_or(Some(attribute.value), |value| value.as_deref());
            if let Some(value) = value {
                write_attribute(&mut tag, &attribute.name, value);
            }
        }
        for (name, value) in self.added(changes) {
            write_attribute(&mut tag, name, value);
        }
        let is_self_closing = self.is_self_closing() && !changes.gets_contents;
        tag + if is_self_closing { "/>" } else { ">" }
    }

    /// Returns the names and values of the attributes that are added to the written ones.
    fn added<'c>(&self, changes: &TagChanges<'c>) -> Vec<(&'c str, &'c str)> {
        let find_written = index_finder(self.attributes.iter().map(|attribute| &*attribute.name));
        let set =
            |(name, value): &'c (String, Option<String>)| Some((&name[..], value.as_deref()?));
        let attributes = changes.attributes.iter().filter_map(set);
        attributes.filter(|(name, _)| find_written(name).is_none()).collect()
    }

    fn edited_in_place(&self, changes: &TagChanges<'_>) -> Vec<TagPart> {
        let mut tag = TagWriter { text: self.text, parts: Vec::new() };
        let mut copied_to = self.name.end - self.start;
        match changes.name {
            Some(name) => {
                tag.push_kept(0..self.name.start - self.start);
                tag.last_new_text().push_str(name);
            }
            None => tag.push_kept(0..copied_to),
        }
        let mut last_kept = None;
        let find_change = index_finder(changes.names());
        for attribute in &self.attributes {
            let name_end = attribute.name_span.end - self.start;
            let end = self.attribute_end(attribute);
            match find_change(&attribute.name).map(|index| &changes.attributes[index].1) {
                None => {
                    tag.push_kept(copied_to..end);
                    last_kept = Some(attribute);
                }
                Some(Some(value)) => {
                    tag.push_kept(copied_to..name_end);
                    write_value(tag.last_new_text(), value);
                    last_kept = None;
                }
                Some(None) => {
                    let gap = &self.text[copied_to..attribute.name_span.start - self.start];
                    tag.push_kept(copied_to..copied_to + gap.trim_ascii_end().len());
                    let is_unquoted =
                        last_kept.is_some_and(|last_kept| self.is_unquoted(last_kept));
                    if needs_space(&tag, &self.text[end..], is_unquoted) {
                        tag.last_new_text().push(' ');
                        last_kept = None;
                    }
                }
            }
            copied_to = end;
        }
        for (name, value) in self.added(changes) {
            if let Some(last_kept) = last_kept.take() {
                tag.last_new_text().push_str(self.missing_end(last_kept));
            }
            write_attribute(tag.last_new_text(), name, value);
        }
        let end = self.text.len();
        if changes.gets_contents && self.is_self_closing() {
            // The slash is the second-to-last byte, as no white space may follow it.
            tag.push_kept(copied_to..end - "/>".len());
            tag.push_kept(end - ">".len()..end);
        } else {
            tag.push_kept(copied_to..end);
        }
        tag.parts
    }

    /// Returns the end offset of an attribute in the tag's text, after the closing quotation mark if there is one.
    fn attribute_end(&self, attribute: &WrittenAttribute<'_>) -> usize {
        let range =
            attribute_range(self.text, self.start, attribute.name_span, attribute.value_span);
        range.end
    }

    fn has_value(attribute: &WrittenAttribute<'_>) -> bool {
        attribute.value_span.start > attribute.name_span.end
    }

    /// Returns the quotation mark before an attribute's value, if any.
    fn quote(&self, attribute: &WrittenAttribute<'_>) -> Option<&str> {
        let start = attribute.value_span.start - self.start;
        let before = &self.text[..start];
        let quote = before.get(start.checked_sub(1)?..)?;
        (Self::has_value(attribute) && matches!(quote, "\"" | "'")).then_some(quote)
    }

    fn is_unquoted(&self, attribute: &WrittenAttribute<'_>) -> bool {
        Self::has_value(attribute) && self.quote(attribute).is_none()
    }

    /// Returns what must be written before another attribute can follow: an empty value after an equals sign, or the
    /// closing quotation mark if the input ends in the tag; empty if nothing is missing.
    fn missing_end(&self, attribute: &WrittenAttribute<'_>) -> &str {
        if !Self::has_value(attribute) {
            let text = &self.text[..self.attribute_end(attribute)];
            return if text.ends_with('=') { "\"\"" } else { "" };
        }
        let after_value = &self.text[attribute.value_span.end - self.start..];
        self.quote(attribute).filter(|quote| !after_value.starts_with(*quote)).unwrap_or_default()
    }
}

impl TagChanges<'_> {
    /// Returns the names of the changed attributes.
    fn names(&self) -> impl ExactSizeIterator<Item = &str> + Clone {
        self.attributes.iter().map(|(name, _)| &name[..])
    }
}

/// Returns a function that finds the index of a name in a list, using a map if the list is long, so that looking up
/// many names takes linear time.
fn index_finder<'n>(
    names: impl ExactSizeIterator<Item = &'n str> + Clone,
) -> impl Fn(&str) -> Option<usize> {
    const LINEAR_SEARCH_MAX: usize = 16;
    let mut indices = HashMap::new();
    if names.len() > LINEAR_SEARCH_MAX {
        for (index, name) in names.clone().enumerate() {
            indices.entry(name).or_insert(index);
        }
    }
    move |name| match indices.is_empty() {
        true => names.clone().position(|one| one == name),
        false => indices.get(name).copied(),
    }
}

/// Returns the range of an attribute, relative to a text that begins at `start` in the input: from its name to its
/// closing quotation mark, or to an equals sign without a value.
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

/// Whether white space is needed between the start of a tag and its rest to preserve their parsing.
fn needs_space(tag: &TagWriter<'_>, rest: &str, is_after_unquoted_value: bool) -> bool {
    match rest.as_bytes().first() {
        // A slash before the `>` would make the tag self-closing, unless it is part of an unquoted value.
        Some(b'>') => tag.ends_with('/') && !is_after_unquoted_value,
        // After an unquoted value, a slash would become part of the value.
        Some(b'/') => is_after_unquoted_value,
        Some(byte) => !byte.is_ascii_whitespace(),
        None => false,
    }
}

/// Appends an attribute to an unfinished tag.
pub fn write_attribute(tag: &mut String, name: &str, value: &str) {
    tag.reserve(name.len() + value.len() + " =\"\"".len());
    tag.push(' ');
    tag.push_str(name);
    write_value(tag, value);
}

fn write_value(tag: &mut String, value: &str) {
    tag.push_str("=\"");
    tag.push_str(&escape_source(value, true));
    tag.push('"');
}

/// Escapes text for the source of a page. Unlike in the standard's serialization, CR is escaped, because a parser would
/// read it as LF.
pub fn escape_source(text: &str, is_in_attribute: bool) -> Cow<'_, str> {
    let escaped = escape(text, is_in_attribute);
    match escaped.contains('\r') {
        true => escaped.replace('\r', "&#xD;").into(),
        false => escaped,
    }
}

/// Maximum length in bytes of an incomplete character reference considered at the end of a text.
const MAX_REFERENCE_LEN: usize = 256;

/// Returns the byte offset at which the undecided tail of a text begins, or the length of the text if it has none. The
/// tail's parsing depends on later text: a final `<`, `</`, `&` with letters, or CR.
pub fn undecided_tail(text: &str) -> usize {
    if text.ends_with('\r') {
        return text.len() - 1;
    }
    for open in ["</", "<"] {
        if text.ends_with(open) {
            return text.len() - open.len();
        }
    }
    let search_start = text.ceil_char_boundary(text.len().saturating_sub(MAX_REFERENCE_LEN));
    match text[search_start..].rfind('&') {
        Some(offset) if !text[search_start + offset + 1..].contains(ends_reference_name) => {
            search_start + offset
        }
        _ => text.len(),
    }
}

fn ends_reference_name(character: char) -> bool {
    character.is_ascii()
        && !character.is_ascii_alphanumeric()
        && !matches!(character, '#' | '-' | '.' | ':' | '_')
}

/// Returns an [undecided tail](undecided_tail), escaped if `next`, the text that now follows, would alter its parsing.
pub fn escape_tail<'t>(tail: &'t str, next: &str, parse: Parse<'_>) -> Cow<'t, str> {
    let is_continued = match next.chars().next() {
        _ if tail == "</" => !next.is_empty(),
        Some(first) if tail == "\r" => first == '\n',
        Some(first) => first != '<' && !first.is_ascii_whitespace(),
        None => false,
    };
    if tail.is_empty() || !is_continued {
        return tail.into();
    }
    let text = parse(&format!("<{UNKNOWN_NAME}>{tail}")).root().text();
    escape(&text, false).into_owned().into()
}

/// Whether a line end directly after the start tag `name` is dropped.
pub fn drops_line_end(name: &str, parse: Parse<'_>) -> bool {
    parse(&format!("<{name}>\n\nx")).root().text() == "\nx"
}

/// The way in which the contents of an element are parsed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ContentKind {
    /// The element has neither contents nor an end tag.
    None,
    /// Tags create elements.
    Markup,
    /// Tags are text; character references are replaced.
    Text,
    /// Everything is text, including character references.
    Literal,
}

/// Determines how the contents of an element named `name` are parsed; as markup if its tag creates no element.
pub fn content_kind(name: &str, parse: Parse<'_>) -> ContentKind {
    let tree = parse(&format!("<body><{name} m>&amp;<{UNKNOWN_NAME}>"));
    let mut nodes = tree.root().descendants_with_contents();
    // The element is found by its attribute, as some start tags create elements of other names.
    let element = nodes.find(|node| node.attribute("m").is_some());
    let Some(element) = element else { return ContentKind::Markup };
    let text = element.text();
    let is_unknown = |node: NodeRef<'_>| node.local_name() == Some(UNKNOWN_NAME);
    if text.contains(UNKNOWN_NAME) {
        return if text.starts_with("&<") { ContentKind::Text } else { ContentKind::Literal };
    }
    match element.next_siblings().any(is_unknown) && element.first_child().is_none() {
        true => ContentKind::None,
        false => ContentKind::Markup,
    }
}

/// Whether literal text in an element named `name` parses as itself: it neither ends the element nor changes how later
/// text in it is parsed.
pub fn is_contained(name: &str, text: &str, parse: Parse<'_>) -> bool {
    ends_at_end_tag(name, &format!("{text}<{name}>"), parse)
}

/// Whether an element named `name` with this literal text ends at the end tag after it. Also `true` if no tag ends such
/// elements.
pub fn ends_at_end_tag(name: &str, text: &str, parse: Parse<'_>) -> bool {
    let ends_at_its_tag = |text: &str| {
        let start = format!("<{name}>{text}");
        let tree = parse(&format!("{start}</{name}>"));
        let is_named =
            |node: &NodeRef<'_>| node.local_name() == Some(name) && node.span().is_some();
        let element = tree.root().descendants().find(is_named);
        let end_tag = element.and_then(|element| element.end_tag_span());
        end_tag.is_some_and(|tag| tag.start == start.len())
    };
    ends_at_its_tag(text) || !ends_at_its_tag("")
}

/// Whether the end of a text may be the beginning of text that [`is_contained`] rejects.
pub fn may_end_undecided(name: &str, text: &str) -> bool {
    let Some(tail) = text.rfind('<').map(|offset| &text[offset..]) else { return false };
    [&format!("</{name}"), "<!--"]
        .iter()
        .any(|mark| mark.get(..tail.len()).is_some_and(|begin| begin.eq_ignore_ascii_case(tail)))
}

/// Returns the delimiter that completes a token cut off by the end of the input. Empty if the token is complete; `None`
/// if nothing completes it, so that it can be dropped.
pub fn closing_delimiter(token: &str, parse: Parse<'_>) -> Option<&'static str> {
    let unclosed_tree = parse(&format!("<{UNKNOWN_NAME}>{token}"));
    ["", ">", "->", "-->", "\">", "'>", "]]>", "?>"].into_iter().find(|end| {
        let mut closed_tree = parse(&format!("<{UNKNOWN_NAME}>{token}{end}<{UNKNOWN_NAME} m>"));
        let is_mark = |node: &NodeRef<'_>| {
            node.local_name() == Some(UNKNOWN_NAME) && node.attribute("m").is_some()
        };
        let Some(mark) = closed_tree.root().descendants().find(is_mark).map(|mark| mark.id())
        else {
            return false;
        };
        closed_tree.detach(mark);
        closed_tree.root().is_like_normalized(&unclosed_tree.root())
    })
}

/// Returns what must be written before markup at the end of a page that ends in text where tags are not recognized:
/// nothing, the end of a CDATA section, or the end tag of the element. `is_markup_after` tells whether tags are recognized
/// after the page and this text. `None` if nothing ends the text.
pub fn end_of_text(end_tag: &str, mut is_markup_after: impl FnMut(&str) -> bool) -> Option<&str> {
    ["", "]]>", end_tag].into_iter().find(|end| is_markup_after(end))
}

/// Whether an element named `name` is reconstructed later if its parent ends before it does.
pub fn is_reconstructed(name: &str, parse: Parse<'_>) -> bool {
    let tree = parse(&format!("<{UNKNOWN_NAME}><{UNKNOWN_NAME}><{name} m></{UNKNOWN_NAME}>x"));
    tree.root().descendants().filter(|node| node.attribute("m").is_some()).count() > 1
}

/// Whether, in the body, a parser ignores a start tag called `name` inside an element of that name, which it keeps open.
pub fn is_ignored_in_itself(name: &str, parse: Parse<'_>) -> bool {
    let tree = parse(&format!("<{UNKNOWN_NAME}>x<{name} a><{name} b><!--m-->"));
    let mut comments = tree.root().descendants().filter(|node| node.data() == Some("m"));
    let is_inside =
        comments.any(|node| node.parent().is_some_and(|it| it.attribute("a").is_some()));
    is_inside && !tree.root().descendants().any(|node| node.attribute("b").is_some())
}

/// Whether the start tag `name` inside these open elements creates an element without contents: a parser closes it before
/// the next token.
pub fn is_closed_at_once(open: &[&str], name: &str, parse: Parse<'_>) -> bool {
    ["", &format!("<{UNKNOWN_NAME}>x")].into_iter().all(|prefix| {
        let tree = parse(&(open_elements(prefix, open) + &format!("<{name} m><!--m-->")));
        let mut nodes = tree.root().descendants_with_contents();
        let element = nodes.find(|node| node.attribute("m").is_some());
        // In an element that contains only text, there is no comment.
        let comment = nodes.find(|node| node.data() == Some("m"));
        let mut around =
            std::iter::successors(comment, |node| node.parent().or_else(|| node.host()));
        element.is_some() && comment.is_some() && !around.any(|node| Some(node) == element)
    })
}

/// Whether the start tag `name` inside these open elements creates an element, rather than being ignored.
pub fn creates_element(open: &[&str], name: &str, parse: Parse<'_>) -> bool {
    ["", &format!("<{UNKNOWN_NAME}>x")].into_iter().any(|prefix| {
        let start = open_elements(prefix, open);
        let tree = parse(&format!("{start}<{name}>"));
        let mut spans = tree.root().descendants_with_contents().filter_map(|node| node.span());
        spans.any(|span| span.start == start.len())
    })
}

/// Returns for each open element, outermost first, whether the tag `name` ends it. The name of an end tag has a leading
/// slash.
pub fn ended_by(open: &[&str], name: &str, parse: Parse<'_>) -> Vec<bool> {
    let is_end_tag = name.starts_with('/');
    let tag = match is_end_tag {
        true => format!("<{name}><{UNKNOWN_NAME} m>"),
        false => format!("<{name} m>"),
    };
    let probe = |prefix: &str, tag: &str| {
        Probe::of(&parse(&(open_elements(prefix, open) + tag)), open.len())
    };
    // Most elements are parsed after text in the body, as in a page. If a tag in `open` creates no element there, as
    // `<head>` does not, the text is left out.
    let in_body = format!("<{UNKNOWN_NAME}>x");
    let mut prefix = &in_body[..];
    let mut result = probe(prefix, &tag);
    if !result.is_whole {
        prefix = "";
        result = probe(prefix, &tag);
    }
    if is_end_tag && (result.is_moved || prefix.is_empty()) {
        // A parser moves an element out of a table, to the position before the table, but not a comment. Where the text is
        // left out, an element may end others by itself, as it ends the head, and a comment may be outside them all.
        let with_comment = probe(prefix, &format!("<{name}><!--m-->"));
        for (ended, also_ended) in result.ended.iter_mut().zip(with_comment.ended) {
            *ended = (*ended || result.is_moved) && also_ended;
        }
    }
    result.ended
}

/// Returns the names, innermost first, of implied elements that are open where the elements `closed` have been closed
/// in the last element of `open`. Without `tag`, these are the implied elements inside that last element; with it,
/// those that the start tag `tag` ends, except any inside a written element that it ends, too.
pub fn untagged_elements(
    open: &[&str],
    closed: &[&str],
    tag: Option<&str>,
    parse: Parse<'_>,
) -> Vec<String> {
    let mut start = open_elements(&format!("<{UNKNOWN_NAME}>x"), open);
    for name in closed {
        let _ = write!(start, "<{name}></{name}>");
    }
    let end = tag.map_or_else(String::new, |name| format!("<{name} m>"));
    let tree = parse(&format!("{start}<!---->{end}"));
    let nodes = || tree.root().descendants_with_contents();
    let comment = nodes().find(|node| node.span().is_some_and(|span| span.start == start.len()));
    let mark = nodes().find(|node| node.attribute("m").is_some());
    let mut names = Vec::new();
    if tag.is_some() && mark.is_none() {
        return names;
    }
    // The attribute `m` of a start tag that creates no element is added to an open element, which stays open.
    let around = mark.iter().flat_map(|mark| mark.ancestors().chain([*mark]));
    let kept: HashSet<NodeId> = around.map(|node| node.id()).collect();
    let ancestors = comment.iter().flat_map(|comment| comment.ancestors());
    for node in ancestors.take_while(|node| !kept.contains(&node.id())) {
        match node.span() {
            None => names.extend(node.local_name().map(str::to_owned)),
            Some(_) if tag.is_none() => break,
            // The end tag of a written element also ends the implied elements inside it, so these need none.
            Some(_) => names.clear(),
        }
    }
    names
}

/// Whether the parser matches the end tag `name` with one of the open elements, even if that element stays open after
/// it.
pub fn has_end_tag(open: &[&str], name: &str, parse: Parse<'_>) -> bool {
    let start = open_elements(&format!("<{UNKNOWN_NAME}>x"), open);
    let tree = parse(&format!("{start}</{name}>"));
    let mut tags = tree.root().descendants_with_contents().filter_map(|node| node.end_tag_span());
    tags.any(|tag| tag.start == start.len())
}

/// Whether an end tag `name` leaves its element open and also makes the parser ignore the end tag that would close it.
pub fn spends_end_tag(open: &[&str], name: &str, parse: Parse<'_>) -> bool {
    let Some(index) = open.iter().rposition(|open| *open == name) else { return false };
    let start = open_elements(&format!("<{UNKNOWN_NAME}>x"), open);
    let ends: String = open[index..].iter().rev().map(|name| format!("</{name}>")).collect();
    let stays_open = |tag: &str| {
        let tree = parse(&format!("{start}{tag}{ends}<{UNKNOWN_NAME} m>"));
        let mark = tree.root().descendants().find(|node| node.attribute("m").is_some());
        mark.is_some_and(|mark| {
            mark.ancestors().any(|node| node.attribute("n") == Some(&index.to_string()))
        })
    };
    stays_open(&format!("</{name}>")) && !stays_open("")
}

/// Whether a comment after the end tag `name` is placed outside the elements `inside`, which are open inside the
/// elements `around`.
pub fn comment_leaves(around: &[&str], inside: &[&str], name: &str, parse: Parse<'_>) -> bool {
    let start = open_elements(&format!("<{UNKNOWN_NAME}>x"), &[around, inside].concat());
    let start = format!("{start}</{name}>");
    let tree = parse(&format!("{start}<!---->"));
    let mut nodes = tree.root().descendants_with_contents();
    let comment = nodes.find(|node| node.span().is_some_and(|span| span.start == start.len()));
    let is_inside = |node: NodeRef<'_>| {
        let number = node.attribute("n").and_then(|number| number.parse::<usize>().ok());
        node.host().is_some()
            || node.local_name() == Some(UNKNOWN_NAME)
            || number.is_some_and(|number| number >= around.len())
    };
    comment.is_some_and(|comment| !comment.ancestors().any(is_inside))
}

/// Returns `prefix` followed by the start tags of `open`, numbered by an attribute `n`.
fn open_elements(prefix: &str, open: &[&str]) -> String {
    let mut markup = prefix.to_owned();
    for (number, name) in open.iter().enumerate() {
        // Writing to a string cannot fail.
        let _ = write!(markup, "<{name} n={number}>");
    }
    markup
}

/// The result of parsing numbered open elements, a tag and a mark after it: an element with an attribute `m`, or a
/// comment `m`.
struct Probe {
    /// For each numbered element, whether it is not an ancestor of the mark.
    ended: Vec<bool>,
    /// Whether the parser created all numbered elements.
    is_whole: bool,
    /// Whether the mark was moved before a numbered element, so that `ended` is unknown for the elements after the mark.
    is_moved: bool,
}

impl Probe {
    fn of(tree: &Tree, count: usize) -> Self {
        let number = |node: &NodeRef<'_>| node.attribute("n")?.parse::<usize>().ok();
        let (mut ended, mut first) = (vec![false; count], vec![None; count]);
        let (mut mark, mut is_moved) = (None, false);
        for node in tree.root().descendants_with_contents() {
            if node.attribute("m").is_some() || node.data() == Some("m") {
                mark = Some(node);
            }
            if let Some(number) = number(&node).filter(|number| *number < count) {
                // A reconstructed formatting element repeats the attribute `n`, so only the first element with a number
                // tells whether the mark was moved before it.
                is_moved |= mark.is_some() && first[number].is_none();
                first[number].get_or_insert(node.id());
                ended[number] |= mark.is_none();
            }
        }
        let is_whole = first.iter().flatten().count() == count;
        let Some(mut node) = mark else {
            return Self { ended: vec![false; count], is_whole, is_moved };
        };
        while let Some(outer) = node.parent().or_else(|| node.host()) {
            if let Some(number) =
                number(&outer).filter(|number| first.get(*number) == Some(&Some(outer.id())))
            {
                ended[number] = false;
            }
            node = outer;
        }
        Self { ended, is_whole, is_moved }
    }
}

/// Removes the white space written after the end tag of a document's last element; returns `None` if there is none. It
/// belongs to no edit: its position in the tree depends on the elements open at the end.
pub fn remove_trailing_space(tree: &mut Tree, text: &str, parse: Parse<'_>) -> Option<()> {
    let end = content_end(tree)?;
    let space = trailing_space(text, end, parse)?;
    let mut last = tree.document_element()?;
    while let Some(inner) = last.last_child() {
        // Comments after the body are children of the document element, so its last element is taken, not its last
        // child.
        let is_document_element = last.parent() == Some(tree.root());
        last = if is_document_element { last.child_elements().next_back()? } else { inner };
    }
    let kept_text = last.data().filter(|_| last.is_text())?.strip_suffix(&*space)?.to_owned();
    let id = last.id();
    tree.set_text(id, &kept_text);
    if kept_text.is_empty() {
        remove_empty_ancestors(tree, id);
    }
    Some(())
}

/// Removes an empty node, and empty formatting elements around it that were reconstructed for it.
fn remove_empty_ancestors(tree: &mut Tree, node: NodeId) {
    let parent = tree.node(node).parent().map(|parent| parent.id());
    tree.detach(node);
    let Some(parent) = parent else { return };
    let element = tree.node(parent);
    let start = element.span().map(|span| span.start);
    let before = element.previous_sibling().and_then(|before| before.span());
    let is_reconstructed_here =
        start.zip(before).is_some_and(|(start, before)| start < before.start);
    if is_reconstructed_here && element.first_child().is_none() {
        remove_empty_ancestors(tree, parent);
    }
}

/// Returns the byte offset at which the contents of a document end: the start of the end tag of the document element or
/// of its last child element, whichever comes first; `None` if neither has an end tag.
pub fn content_end(tree: &Tree) -> Option<usize> {
    let root = tree.document_element()?;
    let last = root.child_elements().next_back();
    let tags = [Some(root), last].into_iter().flatten().filter_map(|node| node.end_tag_span());
    tags.map(|tag| tag.start).min()
}

/// Returns the white space that the text from offset `end` on adds to a document; `None` if it also adds other text or
/// elements.
pub fn trailing_space(text: &str, end: usize, parse: Parse<'_>) -> Option<String> {
    let start = format!("<{UNKNOWN_NAME}>x");
    let tree = parse(&format!("{start}{}", text.get(end..)?));
    let is_written = |node: NodeRef<'_>| {
        node.is_element() && node.span().is_some_and(|span| span.start >= start.len())
    };
    let space = tree.root().text().strip_prefix('x')?.to_owned();
    let is_space = space.bytes().all(|byte| byte.is_ascii_whitespace());
    (is_space && !tree.root().descendants().any(is_written)).then_some(space)
}
