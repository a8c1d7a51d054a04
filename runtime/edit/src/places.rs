//! Where nodes and attributes stand in the text, by the places that the tree keeps. It trusts none of them to be all that
//! matters: what is written is parsed again. Invariant: the ranges lie in the text.

use crate::error::EditError;
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

/// Where what is inside of elements ends whose end tags are left out. It is found for all at once, as otherwise each would
/// be looked through for each element around it.
#[derive(Clone, Debug, Default)]
pub(crate) struct Ends(HashMap<NodeId, usize>);

impl Ends {
    /// From the beginning of a node to its end, its end tag included; if that is left out, to the end of what is inside.
    pub(crate) fn outer(
        &mut self,
        node: NodeRef<'_>,
        input: &str,
    ) -> Result<Range<usize>, EditError> {
        let span = written(node, input)?;
        let end = node.end_tag_span().map_or_else(|| self.inside(node), |tag| tag.end);
        if end < span.end { Err(EditError::NotWritten) } else { Ok(span.start..end) }
    }

    /// From the end of an element's start tag to its end tag; if that is left out, to the end of what is inside.
    pub(crate) fn inner(
        &mut self,
        element: NodeRef<'_>,
        input: &str,
    ) -> Result<Range<usize>, EditError> {
        let start = written(element, input)?.end;
        let end = element.end_tag_span().map_or_else(|| self.inside(element), |tag| tag.start);
        if end < start { Err(EditError::NotWritten) } else { Ok(start..end) }
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

/// From the beginning of an attribute's name to the end of its value, quotation marks included.
pub(crate) fn attribute(
    attribute: AttributeRef<'_>,
    input: &str,
) -> Result<Range<usize>, EditError> {
    let start = attribute.name_span().ok_or(EditError::NotWritten)?.start;
    let name_end = attribute.name_span().map_or(start, |span| span.end);
    let value = attribute.value_span().filter(|span| span.start > name_end);
    let bytes = input.as_bytes();
    let Some(value) = value else {
        // An equals sign that no value follows belongs to it.
        let rest = input.get(name_end..).ok_or(EditError::NotWritten)?.trim_ascii_start();
        let end = if rest.starts_with('=') { input.len() - rest.len() + 1 } else { name_end };
        return Ok(start..end);
    };
    let quote = bytes.get(value.start - 1).filter(|byte| matches!(byte, b'"' | b'\''));
    let is_quoted = quote.is_some_and(|quote| bytes.get(value.end) == Some(quote));
    Ok(start..value.end + usize::from(is_quoted))
}

/// The name that begins here, of a tag that ends there.
pub(crate) fn tag_name(begin: usize, end: usize, input: &str) -> Result<Range<usize>, EditError> {
    let tag = input.get(begin..end).ok_or(EditError::NotWritten)?;
    let is_end = |byte: u8| byte.is_ascii_whitespace() || byte == b'/' || byte == b'>';
    let length = tag.bytes().position(is_end).ok_or(EditError::NotWritten)?;
    Ok(begin..begin + length)
}

/// Where a start tag's next attribute can be written.
pub(crate) fn after_attributes(element: NodeRef<'_>, input: &str) -> Result<usize, EditError> {
    let span = written(element, input)?;
    let mut end = tag_name(span.start, span.end, input)?.end;
    for one in element.attributes() {
        let range = attribute(one, input)?;
        if range.end <= span.end {
            end = end.max(range.end);
        }
    }
    Ok(end)
}
