//! The ranges of nodes and attributes in the text, derived from positions in the tree. They may be wrong in rare cases,
//! which verification of the edited text detects.

use crate::error::EditError;
use crate::seam::{self, StartTag, WrittenAttribute};
use std::collections::HashMap;
use std::ops::Range;
use tabulex_core::Span;
use tabulex_core::tree::{AttributeRef, Edge, Namespace, NodeId, NodeRef};

/// Returns the range of a node's markup; for an element, that of its start tag. Returns an error if the node has no
/// markup of its own: it is implied, or comes from an entity's replacement text, whose nodes all share the range of the
/// reference.
pub(crate) fn written_span(node: NodeRef<'_>, input: &str) -> Result<Span, EditError> {
    let span = node.span().ok_or(EditError::NotWritten)?;
    let text = span.get(input).ok_or(EditError::NotWritten)?;
    let neighbors = [node.parent(), node.previous_sibling(), node.next_sibling()];
    let is_shared = || {
        let mut spans = neighbors.iter().flatten().filter_map(NodeRef::span);
        spans.any(|other| other.start < span.end && span.start < other.end)
    };
    let is_written = if node.is_text() { !is_shared() } else { text.starts_with('<') };
    if is_written { Ok(span) } else { Err(EditError::NotWritten) }
}

/// The text of a page, and what a parser leaves out of it.
#[derive(Clone, Copy)]
pub(crate) struct WrittenPage<'p> {
    pub(crate) input: &'p str,
    /// End offset of the document's contents, if only white space follows.
    pub(crate) content_end: Option<usize>,
    /// Whether a line end after the start tag of an HTML element with a name is dropped.
    pub(crate) drops_line_end: &'p dyn Fn(&str) -> bool,
}

impl<'p> WrittenPage<'p> {
    /// Creates a page without the knowledge of a parser, in which a node has a range if it has one in the parsed page.
    pub(crate) fn unparsed(input: &'p str) -> Self {
        Self { input, content_end: None, drops_line_end: &|_| false }
    }
}

/// Cached end offsets of the contents of elements without end tags. They are computed for all elements at once, as
/// computing each separately would take time quadratic in the nesting depth.
#[derive(Clone, Debug, Default)]
pub(crate) struct EndOffsets(HashMap<NodeId, usize>);

impl EndOffsets {
    /// Returns the range of a node, from its start to the end of its end tag or, without one, to the end of its
    /// contents.
    pub(crate) fn outer_range(
        &mut self,
        node: NodeRef<'_>,
        page: WrittenPage<'_>,
    ) -> Result<Range<usize>, EditError> {
        let span = written_span(node, page.input)?;
        let end =
            node.end_tag_span().map_or_else(|| self.end_without_tag(node, page), |tag| tag.end);
        if end < span.end.min(page.content_end.unwrap_or(span.end)) {
            return Err(EditError::NotWritten);
        }
        Ok(span.start..end)
    }

    /// Returns the range of an element's contents: from the end of its start tag, or from its first child if the
    /// element is implied, to its end tag or, without one, to the end of its last descendant. Contents after the end
    /// tag, such as text after `</body>`, are included.
    pub(crate) fn inner_range(
        &mut self,
        element: NodeRef<'_>,
        page: WrittenPage<'_>,
    ) -> Result<Range<usize>, EditError> {
        let end = match element.end_tag_span() {
            None => self.end_without_tag(element, page),
            Some(tag) => {
                let last_child = element.last_child().filter(|_| page.content_end.is_none());
                // A parser may insert nodes that follow an element's end tag into that element, such as text after
                // `</body>`, so the contents may end after the end tag.
                let last_end = last_child
                    .map_or(0, |last| markup_end(last, page).max(self.contents_end(last, page)));
                if last_end > tag.end { last_end } else { tag.start }
            }
        };
        let start = match element.span() {
            Some(_) => written_span(element, page.input)?.end,
            None => {
                let Some(first) = element.first_child() else {
                    let offset = self.end_before(element, page);
                    return Ok(offset..offset);
                };
                written_span(first, page.input)?.start
            }
        };
        if end < start { Err(EditError::NotWritten) } else { Ok(start..end) }
    }

    /// Returns the end offset of the last markup before a node, or 0 if there is none.
    fn end_before(&mut self, node: NodeRef<'_>, page: WrittenPage<'_>) -> usize {
        for ancestor in [node].into_iter().chain(node.ancestors()) {
            if let Some(span) = ancestor.span().filter(|_| ancestor != node) {
                return span.end;
            }
            for before in ancestor.previous_siblings() {
                let end = before
                    .end_tag_span()
                    .map_or_else(|| self.contents_end(before, page), |tag| tag.end);
                if end > 0 {
                    return end;
                }
            }
        }
        0
    }

    /// Returns the end offset of a node without an end tag, clamped to the end of the document's contents if the node begins
    /// before that.
    fn end_without_tag(&mut self, node: NodeRef<'_>, page: WrittenPage<'_>) -> usize {
        let contents_end = self.contents_end(node, page);
        let begins_before = |end: &usize| node.span().is_none_or(|span| span.start < *end);
        page.content_end.filter(begins_before).map_or(contents_end, |end| contents_end.min(end))
    }

    /// Returns the end offset of a node's last descendant, or of the node itself.
    fn contents_end(&mut self, node: NodeRef<'_>, page: WrittenPage<'_>) -> usize {
        if !has_unclosed_contents(node) {
            return markup_end(node, page);
        }
        if let Some(end) = self.0.get(&node.id()) {
            return *end;
        }
        let mut root = node;
        while let Some(outer) = root.parent().or_else(|| root.host()) {
            root = outer;
        }
        self.compute(root, page);
        self.0.get(&node.id()).copied().unwrap_or_default()
    }

    /// Computes the end offsets of a node and all its descendants.
    fn compute(&mut self, root: NodeRef<'_>, page: WrittenPage<'_>) {
        let mut ends = Vec::new();
        for edge in root.walk_with_contents() {
            match edge {
                Edge::Open(node) => ends.push(markup_end(node, page)),
                Edge::Close(node) => {
                    let end = ends.pop().unwrap_or_default();
                    if has_unclosed_contents(node) {
                        self.0.insert(node.id(), end);
                    }
                    if let Some(outer) = ends.last_mut() {
                        *outer = end.max(*outer);
                    }
                }
            }
        }
    }
}

/// Returns the end offset of a node's tags, or of the whole node if it is not an element; 0 if its position is unknown. A line
/// end that is dropped after a start tag belongs to the tag of an element without an end tag.
fn markup_end(node: NodeRef<'_>, page: WrittenPage<'_>) -> usize {
    let Some(span) = node.end_tag_span().max(node.span()) else { return 0 };
    let has_dropped_line_end = || {
        node.namespace() == Some(Namespace::HTML)
            && node.end_tag_span().is_none()
            && node.local_name().is_some_and(page.drops_line_end)
    };
    match line_end_at(page.input, span.end) {
        Some(line_end) if has_dropped_line_end() => span.end + line_end.len(),
        _ => span.end,
    }
}

/// Returns the line end at a byte offset, if there is one.
pub(crate) fn line_end_at(input: &str, offset: usize) -> Option<&'static str> {
    let rest = input.get(offset..)?;
    ["\r\n", "\n", "\r"].into_iter().find(|line_end| rest.starts_with(line_end))
}

/// Whether a node is an element with contents but without an end tag.
fn has_unclosed_contents(node: NodeRef<'_>) -> bool {
    let mut contents =
        [node.first_child(), node.template_contents(), node.shadow_root()].into_iter();
    node.is_element() && node.end_tag_span().is_none() && contents.any(|one| one.is_some())
}

/// Whether an element could have an end tag, but lacks one. `<a/>` counts as both tags, except for HTML elements in a
/// dialect with void elements.
pub(crate) fn lacks_end_tag(node: NodeRef<'_>, input: &str, void: &[&str]) -> bool {
    let Some(tag) = node.span().filter(|_| node.is_element()) else { return false };
    let is_void = node.local_name().is_some_and(|name| void.contains(&name));
    let is_html = node.namespace() == Some(Namespace::HTML) && !void.is_empty();
    let is_self_closing = tag.get(input).is_some_and(|tag| tag.ends_with("/>"))
        && !is_html
        && node.first_child().is_none();
    node.end_tag_span().is_none() && !is_void && !is_self_closing
}

/// Returns the range of an attribute from its name to the end of its value, including quotation marks.
pub(crate) fn attribute_range(
    attribute: AttributeRef<'_>,
    input: &str,
) -> Result<Range<usize>, EditError> {
    let name = attribute.name_span().ok_or(EditError::NotWritten)?;
    name.get(input).ok_or(EditError::NotWritten)?;
    let value = attribute.value_span().unwrap_or_default();
    Ok(seam::attribute_range(input, 0, name, value))
}

/// An index of attributes by name, for elements with many of them.
#[derive(Clone, Debug, Default)]
pub(crate) struct AttributeIndex(HashMap<NodeId, HashMap<String, usize>>);

impl AttributeIndex {
    /// Returns the attribute of `element` that is named `name`, if any.
    pub(crate) fn attribute<'a>(
        &mut self,
        element: NodeRef<'a>,
        name: &str,
    ) -> Option<AttributeRef<'a>> {
        const LINEAR_SEARCH_MAX: usize = 16;
        let mut attributes = element.attributes();
        if attributes.len() <= LINEAR_SEARCH_MAX {
            return element.attribute_ref(name);
        }
        let names = || attributes.clone().map(|attribute| attribute.name().to_string());
        let by_name = self.0.entry(element.id()).or_insert_with(|| names().zip(0..).collect());
        attributes.nth(*by_name.get(name)?)
    }
}

/// Returns the range of the name that begins at `begin` in a tag that ends at `end`.
pub(crate) fn tag_name(begin: usize, end: usize, input: &str) -> Result<Range<usize>, EditError> {
    let tag = input.get(begin..end).ok_or(EditError::NotWritten)?;
    let ends_name = |byte: u8| byte.is_ascii_whitespace() || byte == b'/' || byte == b'>';
    let length = tag.bytes().position(ends_name).ok_or(EditError::NotWritten)?;
    Ok(begin..begin + length)
}

/// Returns the start tag of an element, with the attributes written in it.
pub(crate) fn start_tag<'t>(
    element: NodeRef<'t>,
    input: &'t str,
) -> Result<StartTag<'t>, EditError> {
    let span = written_span(element, input)?;
    let text = span.get(input).ok_or(EditError::NotWritten)?;
    let name = tag_name(span.start + 1, span.end, input)?;
    let attributes = element.attributes().filter_map(|attribute| {
        let name_span = attribute.name_span()?;
        let is_inside = span.start <= name_span.start && name_span.end <= span.end;
        is_inside.then(|| WrittenAttribute {
            name: attribute.name().to_string().into(),
            value: attribute.value(),
            name_span,
            value_span: attribute.value_span().unwrap_or_default(),
        })
    });
    Ok(StartTag {
        text,
        start: span.start,
        name: name.into(),
        attributes: attributes.collect(),
        has_duplicates: element.had_duplicate_attributes(),
    })
}
