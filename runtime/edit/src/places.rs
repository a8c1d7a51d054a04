//! Where nodes and attributes stand in the text, by the places that the tree keeps. It trusts none of them to be all that
//! matters: what is written is parsed again. Invariant: the ranges lie in the text.

use crate::error::EditError;
use std::ops::Range;
use tabulex_core::Span;
use tabulex_core::tree::{AttributeRef, Edge, NodeRef};

/// From the beginning of a node to its end, its end tag included; if that is left out, to the end of what is inside.
pub(crate) fn outer(node: NodeRef<'_>) -> Result<Range<usize>, EditError> {
    let span = node.span().ok_or(EditError::NotWritten)?;
    let end = node.end_tag_span().map_or_else(|| end_inside(node), |tag| tag.end);
    if end < span.end { Err(EditError::NotWritten) } else { Ok(span.start..end) }
}

/// From the end of an element's start tag to its end tag; if that is left out, to the end of what is inside.
pub(crate) fn inner(element: NodeRef<'_>) -> Result<Range<usize>, EditError> {
    let start = element.span().ok_or(EditError::NotWritten)?.end;
    let end = element.end_tag_span().map_or_else(|| end_inside(element), |tag| tag.start);
    if end < start { Err(EditError::NotWritten) } else { Ok(start..end) }
}

/// Where the last of what is inside of a node ends, or the node itself.
fn end_inside(node: NodeRef<'_>) -> usize {
    let ends = node.walk_with_contents().filter_map(|edge| match edge {
        Edge::Open(node) => node.end_tag_span().max(node.span()),
        _ => None,
    });
    ends.map(|span| span.end).max().unwrap_or(0)
}

/// Whether an element ends without an end tag of its own, and not as one that never has one.
pub(crate) fn is_open(node: NodeRef<'_>, void: &[&str]) -> bool {
    let is_void = node.local_name().is_some_and(|name| void.contains(&name));
    node.is_element() && node.span().is_some() && node.end_tag_span().is_none() && !is_void
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

/// An element's start tag. What stands in the text of an entity has the place of the reference, which is no tag.
pub(crate) fn start_tag(element: NodeRef<'_>, input: &str) -> Result<Span, EditError> {
    let span = element.span().ok_or(EditError::NotWritten)?;
    let is_tag = span.get(input).is_some_and(|tag| tag.starts_with('<'));
    if is_tag { Ok(span) } else { Err(EditError::NotWritten) }
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
    let span = start_tag(element, input)?;
    let mut end = tag_name(span.start, span.end, input)?.end;
    for one in element.attributes() {
        let range = attribute(one, input)?;
        if range.end <= span.end {
            end = end.max(range.end);
        }
    }
    Ok(end)
}
