//! The first bytes of an input as choices, the others as text, and what holds of every tree and span. It knows no target.
//! Invariant: every input of bytes can be read so, an empty one as well.

use std::collections::HashSet;
use tabulex::Span;
use tabulex::tree::{NodeId, NodeRef, Tree};

/// The bytes of an input, read from the front.
pub(crate) struct Parts<'a>(&'a [u8]);

impl<'a> Parts<'a> {
    pub(crate) fn new(bytes: &'a [u8]) -> Self {
        Self(bytes)
    }

    /// The next byte; 0 after the last.
    pub(crate) fn byte(&mut self) -> u8 {
        match self.0.split_first() {
            None => 0,
            Some((&first, rest)) => {
                self.0 = rest;
                first
            }
        }
    }

    /// One of the items, by the next byte; two bytes where the items are many.
    pub(crate) fn pick<'b, T>(&mut self, items: &'b [T]) -> &'b T {
        let mut number = usize::from(self.byte());
        if items.len() > 256 {
            number = number << 8 | usize::from(self.byte());
        }
        &items[number % items.len()]
    }

    /// A number of two bytes.
    pub(crate) fn number(&mut self) -> u64 {
        u64::from(self.byte()) << 8 | u64::from(self.byte())
    }

    /// Whether nothing is left.
    pub(crate) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// All that is left.
    pub(crate) fn rest(self) -> &'a [u8] {
        self.0
    }

    /// All that is left, as text.
    pub(crate) fn text(self) -> String {
        String::from_utf8_lossy(self.0).into_owned()
    }

    /// Some text: as many bytes as the next byte says, at most this many.
    pub(crate) fn some_text(&mut self, most: usize) -> String {
        let length = usize::from(self.byte()) % (most + 1);
        let (text, rest) = self.0.split_at(length.min(self.0.len()));
        self.0 = rest;
        String::from_utf8_lossy(text).into_owned()
    }
}

/// A span lies in the text, forwards, between characters.
pub(crate) fn assert_span(text: &str, span: Span, what: &str) {
    let Span { start, end } = span;
    assert!(start <= end && end <= text.len(), "{what}: {start}..{end} of {}", text.len());
    let is_between = text.is_char_boundary(start) && text.is_char_boundary(end);
    assert!(is_between, "{what}: {start}..{end} is within a character");
}

/// Every link of the nodes in the document has its counterpart, no node is reached twice, and spans lie in the text, if
/// there is one.
pub(crate) fn assert_tree(tree: &Tree, text: Option<&str>) {
    let mut seen = HashSet::new();
    let mut waiting = vec![tree.root()];
    assert!(tree.root().parent().is_none(), "the document has a parent");
    while let Some(node) = waiting.pop() {
        assert!(seen.insert(node.id()), "a node is reached twice: {:?}", node.kind());
        assert_children(&node);
        waiting.extend(node.children());
        for contents in node.template_contents().into_iter().chain(node.shadow_root()) {
            assert!(contents.host().is_some_and(|host| host == node), "contents without host");
            waiting.push(contents);
        }
        if let Some(text) = text {
            assert_spans(&node, text);
        }
    }
    assert!(seen.len() <= tree.node_count(), "more nodes than were made");
}

/// Parents, siblings, the first and the last child of a node fit together.
fn assert_children(node: &NodeRef<'_>) {
    let children: Vec<NodeId> = node.children().map(|child| child.id()).collect();
    let backwards: Vec<NodeId> = node.children().rev().map(|child| child.id()).collect();
    assert!(children.iter().rev().eq(&backwards), "children backwards are others");
    assert_eq!(node.first_child().map(|it| it.id()), children.first().copied(), "first child");
    assert_eq!(node.last_child().map(|it| it.id()), children.last().copied(), "last child");
    let mut before = None;
    for child in node.children() {
        assert!(child.parent().is_some_and(|parent| parent == *node), "another parent");
        assert_eq!(child.previous_sibling().map(|it| it.id()), before, "previous sibling");
        before = Some(child.id());
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
