//! The ranges of nodes and attributes in the text, from the positions that the tree keeps. They need not be all that
//! matters: the edited text is parsed again.

use crate::error::EditError;
use crate::seam::{self, StartTag, WrittenAttribute};
use std::collections::HashMap;
use std::ops::Range;
use tabulex_core::Span;
use tabulex_core::tree::{AttributeRef, Edge, Namespace, NodeId, NodeRef};

/// Where a node is written, an element its start tag. What an entity's text holds is not: it has the place of the reference,
/// as all has that the reference stands for.
pub(crate) fn written(node: NodeRef<'_>, input: &str) -> Result<Span, EditError> {
    let span = node.span().ok_or(EditError::NotWritten)?;
    let text = span.get(input).ok_or(EditError::NotWritten)?;
    let around = [node.parent(), node.previous_sibling(), node.next_sibling()];
    let is_shared = || {
        let mut spans = around.iter().flatten().filter_map(NodeRef::span);
        spans.any(|other| other.start < span.end && span.start < other.end)
    };
    let is_written = if node.is_text() { !is_shared() } else { text.starts_with('<') };
    if is_written { Ok(span) } else { Err(EditError::NotWritten) }
}

/// The end offsets of the contents of elements without end tags. They are computed for all elements at once, as computing
/// each by itself takes time quadratic in the nesting depth.
#[derive(Clone, Debug, Default)]
pub(crate) struct EndOffsets(HashMap<NodeId, usize>);

impl EndOffsets {
    /// The range of a node: its end tag included, or if that is left out, to the end of what is inside. `content_end` is where
    /// the contents of the document end, if only white space follows.
    pub(crate) fn outer(
        &mut self,
        node: NodeRef<'_>,
        input: &str,
        content_end: Option<usize>,
    ) -> Result<Range<usize>, EditError> {
        let span = written(node, input)?;
        let end = node.end_tag_span().map_or_else(|| self.end(node, content_end), |tag| tag.end);
        if end < span.end.min(content_end.unwrap_or(span.end)) {
            return Err(EditError::NotWritten);
        }
        Ok(span.start..end)
    }

    /// The range of the contents of an element: from its start tag, or from its first child if the element is implied, to the
    /// first end tag of the element or of one around it.
    pub(crate) fn inner(
        &mut self,
        element: NodeRef<'_>,
        input: &str,
        content_end: Option<usize>,
    ) -> Result<Range<usize>, EditError> {
        let end = match element.end_tag_span() {
            None => self.end(element, content_end),
            Some(tag) => {
                let last = element.last_child().filter(|_| content_end.is_none());
                // What follows the end tags of a document is added to its last element.
                let last = last.map_or(0, |last| own_end(last).max(self.inside(last)));
                if last > tag.end { last } else { tag.start }
            }
        };
        let start = match element.span() {
            Some(_) => written(element, input)?.end,
            None => {
                let Some(first) = element.first_child() else {
                    let at = self.end_before(element);
                    return Ok(at..at);
                };
                written(first, input)?.start
            }
        };
        if end < start { Err(EditError::NotWritten) } else { Ok(start..end) }
    }

    /// Where what stands before a node ends.
    fn end_before(&mut self, node: NodeRef<'_>) -> usize {
        for around in [node].into_iter().chain(node.ancestors()) {
            if let Some(span) = around.span().filter(|_| around != node) {
                return span.end;
            }
            for before in around.previous_siblings() {
                let end = before.end_tag_span().map_or_else(|| self.inside(before), |tag| tag.end);
                if end > 0 {
                    return end;
                }
            }
        }
        0
    }

    /// The end of a node without an end tag.
    fn end(&mut self, node: NodeRef<'_>, content_end: Option<usize>) -> usize {
        let inside = self.inside(node);
        let begins_before = |end: &usize| node.span().is_none_or(|span| span.start < *end);
        content_end.filter(begins_before).map_or(inside, |end| inside.min(end))
    }

    /// Where the last of what is inside of a node ends, or the node itself.
    fn inside(&mut self, node: NodeRef<'_>) -> usize {
        if !has_inside(node) {
            return own_end(node);
        }
        if let Some(end) = self.0.get(&node.id()) {
            return *end;
        }
        let mut root = node;
        while let Some(around) = root.parent().or_else(|| root.host()) {
            root = around;
        }
        self.find(root);
        self.0.get(&node.id()).copied().unwrap_or_default()
    }

    /// Finds the ends of all nodes inside of one, and its own.
    fn find(&mut self, root: NodeRef<'_>) {
        let mut around = Vec::new();
        for edge in root.walk_with_contents() {
            match edge {
                Edge::Open(node) => around.push(own_end(node)),
                Edge::Close(node) => {
                    let end = around.pop().unwrap_or_default();
                    if has_inside(node) {
                        self.0.insert(node.id(), end);
                    }
                    if let Some(outer) = around.last_mut() {
                        *outer = end.max(*outer);
                    }
                }
                _ => {}
            }
        }
    }
}

/// Where the tags of a node end, or all of it.
fn own_end(node: NodeRef<'_>) -> usize {
    node.end_tag_span().max(node.span()).map_or(0, |span| span.end)
}

/// True of elements of which something is inside and no end tag tells where it ends.
fn has_inside(node: NodeRef<'_>) -> bool {
    let mut inside = [node.first_child(), node.template_contents(), node.shadow_root()].into_iter();
    node.is_element() && node.end_tag_span().is_none() && inside.any(|one| one.is_some())
}

/// Whether an element ends without an end tag of its own, and not as one that never has one. `<a/>` is both tags, but for
/// elements of HTML where there are some that never have one.
pub(crate) fn is_open(node: NodeRef<'_>, input: &str, void: &[&str]) -> bool {
    let Some(tag) = node.span().filter(|_| node.is_element()) else { return false };
    let is_void = node.local_name().is_some_and(|name| void.contains(&name));
    let is_html = node.namespace() == Some(Namespace::HTML) && !void.is_empty();
    let is_both = tag.get(input).is_some_and(|tag| tag.ends_with("/>"))
        && !is_html
        && node.first_child().is_none();
    node.end_tag_span().is_none() && !is_void && !is_both
}

/// The range of an attribute, from its name to the end of its value, quotation marks included.
pub(crate) fn attribute(
    attribute: AttributeRef<'_>,
    input: &str,
) -> Result<Range<usize>, EditError> {
    let name = attribute.name_span().ok_or(EditError::NotWritten)?;
    name.get(input).ok_or(EditError::NotWritten)?;
    let value = attribute.value_span().unwrap_or_default();
    Ok(seam::attribute_range(input, 0, name, value))
}

/// An index by written name of the attributes of elements that have many.
#[derive(Clone, Debug, Default)]
pub(crate) struct AttributeIndex<'a>(HashMap<NodeId, HashMap<String, AttributeRef<'a>>>);

impl<'a> AttributeIndex<'a> {
    /// The attribute whose name is written so.
    pub(crate) fn attribute(
        &mut self,
        element: NodeRef<'a>,
        name: &str,
    ) -> Option<AttributeRef<'a>> {
        const FEW: usize = 16;
        let attributes = element.attributes();
        if attributes.len() <= FEW {
            return element.attribute_ref(name);
        }
        let named = || attributes.map(|attribute| (attribute.name().to_string(), attribute));
        self.0.entry(element.id()).or_insert_with(|| named().collect()).get(name).copied()
    }
}

/// The name that begins here, of a tag that ends there.
pub(crate) fn tag_name(begin: usize, end: usize, input: &str) -> Result<Range<usize>, EditError> {
    let tag = input.get(begin..end).ok_or(EditError::NotWritten)?;
    let is_end = |byte: u8| byte.is_ascii_whitespace() || byte == b'/' || byte == b'>';
    let length = tag.bytes().position(is_end).ok_or(EditError::NotWritten)?;
    Ok(begin..begin + length)
}

/// The start tag of an element, with the attributes that are written in it.
pub(crate) fn start_tag<'t>(
    element: NodeRef<'t>,
    input: &'t str,
) -> Result<StartTag<'t>, EditError> {
    let span = written(element, input)?;
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
