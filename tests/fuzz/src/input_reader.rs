//! Decoding of fuzz inputs, which are bytes for choices followed by text, and assertions about trees and spans.
//! Every input can be decoded, even an empty one.

use std::collections::HashSet;
use tabulex::Span;
use tabulex::tree::{NodeId, NodeRef, Tree};

/// A reader of the bytes of a fuzz input.
pub(crate) struct InputReader<'a>(&'a [u8]);

impl<'a> InputReader<'a> {
    pub(crate) fn new(bytes: &'a [u8]) -> Self {
        Self(bytes)
    }

    /// Returns the next byte, or 0 after the last.
    pub(crate) fn byte(&mut self) -> u8 {
        match self.0.split_first() {
            None => 0,
            Some((&first, remaining)) => {
                self.0 = remaining;
                first
            }
        }
    }

    /// Chooses an item by the next byte, or by two bytes if there are more than 256 items.
    pub(crate) fn pick<'b, T>(&mut self, items: &'b [T]) -> &'b T {
        let mut number = usize::from(self.byte());
        if items.len() > 256 {
            number = number << 8 | usize::from(self.byte());
        }
        &items[number % items.len()]
    }

    /// Returns the next two bytes as a number.
    pub(crate) fn number(&mut self) -> u64 {
        u64::from(self.byte()) << 8 | u64::from(self.byte())
    }

    /// Whether no bytes are left.
    pub(crate) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Returns the remaining bytes.
    pub(crate) fn into_bytes(self) -> &'a [u8] {
        self.0
    }

    /// Returns the remaining bytes as text.
    pub(crate) fn into_text(self) -> String {
        String::from_utf8_lossy(self.0).into_owned()
    }

    /// Returns a text of at most `max_len` bytes, whose length is chosen by the byte before it.
    pub(crate) fn short_text(&mut self, max_len: usize) -> String {
        let length = usize::from(self.byte()) % (max_len + 1);
        let (text, remaining) = self.0.split_at(length.min(self.0.len()));
        self.0 = remaining;
        String::from_utf8_lossy(text).into_owned()
    }
}

/// Asserts that a span lies within `text`, does not end before its start, and is on character boundaries.
pub(crate) fn assert_span(text: &str, span: Span, label: &str) {
    let Span { start, end } = span;
    assert!(start <= end && end <= text.len(), "{label}: {start}..{end} of {}", text.len());
    let is_on_boundaries = text.is_char_boundary(start) && text.is_char_boundary(end);
    assert!(is_on_boundaries, "{label}: {start}..{end} is within a character");
}

/// Asserts that links between nodes are consistent, that no node is reached twice, and that spans are in `text`, if
/// given.
pub(crate) fn assert_tree(tree: &Tree, text: Option<&str>) {
    let mut visited = HashSet::new();
    let mut pending = vec![tree.root()];
    assert!(tree.root().parent().is_none(), "the document has a parent");
    while let Some(node) = pending.pop() {
        assert!(visited.insert(node.id()), "a node of kind {:?} is reached twice", node.kind());
        assert_children(&node);
        pending.extend(node.children());
        for contents in node.template_contents().into_iter().chain(node.shadow_root()) {
            assert!(
                contents.host().is_some_and(|host| host == node),
                "the host of contents is another element"
            );
            pending.push(contents);
        }
        if let Some(text) = text {
            assert_spans(&node, text);
        }
    }
    assert!(
        visited.len() <= tree.node_count(),
        "{} nodes are reached, more than the tree counts",
        visited.len()
    );
}

/// Asserts that the links between a node and its children are consistent.
fn assert_children(node: &NodeRef<'_>) {
    let children: Vec<NodeId> = node.children().map(|child| child.id()).collect();
    let backwards: Vec<NodeId> = node.children().rev().map(|child| child.id()).collect();
    assert!(
        children.iter().rev().eq(&backwards),
        "the children of {:?} differ in reverse order",
        node.kind()
    );
    assert_eq!(
        node.first_child().map(|child| child.id()),
        children.first().copied(),
        "first child"
    );
    assert_eq!(node.last_child().map(|child| child.id()), children.last().copied(), "last child");
    let mut previous = None;
    for child in node.children() {
        assert!(
            child.parent().is_some_and(|parent| parent == *node),
            "a child of {:?} has another parent",
            node.kind()
        );
        assert_eq!(
            child.previous_sibling().map(|sibling| sibling.id()),
            previous,
            "previous sibling"
        );
        previous = Some(child.id());
    }
}

fn assert_spans(node: &NodeRef<'_>, text: &str) {
    for span in [node.span(), node.end_tag_span()].into_iter().flatten() {
        assert_span(text, span, "node");
    }
    for attribute in node.attributes() {
        for span in [attribute.name_span(), attribute.value_span()].into_iter().flatten() {
            assert_span(text, span, "attribute");
        }
    }
}
