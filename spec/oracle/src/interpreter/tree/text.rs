//! Actions that append text, and those that change the document's children at the end of the input.

use super::node::plain_name;
use super::{Node, NodeId, NodeKind, TokenView, TreeBuilder};
use crate::interpreter::Span;
use tabulex_language::model::tree::Elements;
use tabulex_language::model::{CharacterSet, FieldId};

impl TreeBuilder<'_> {
    /// Appends the characters of the token; does nothing for other tokens.
    pub(super) fn append_characters(&mut self, view: &TokenView<'_>) {
        match *view {
            TokenView::Character(character, span) => {
                self.append_text(character.encode_utf8(&mut [0; 4]), span, view);
            }
            TokenView::Text(text, span) => self.append_text(text, span, view),
            TokenView::Token(_) => {}
        }
    }

    /// Appends the text of the token's field.
    pub(super) fn append_field(&mut self, view: &TokenView<'_>, field: FieldId) {
        if let Some(field) = self.field_of(view, field) {
            self.append_text(&field.text, field.span, view);
        }
    }

    /// Appends text to the current node, or to the text that is its last child; with `elements html`, inserts it at the
    /// appropriate place. Empty text has no effect.
    fn append_text(&mut self, text: &str, span: Span, view: &TokenView<'_>) {
        if self.construction.elements == Elements::Html {
            return text.chars().for_each(|character| self.insert_character(character, span, view));
        }
        if text.is_empty() {
            return;
        }
        let parent = self.current_node(view).unwrap_or_default();
        let last = self.tree.nodes[parent].children.last().copied();
        let last = last.map(|last| &mut self.tree.nodes[last]);
        if let Some(Node { kind: NodeKind::Text(data), span: range, .. }) = last {
            data.push_str(text);
            range.end = span.end;
        } else {
            self.insert_new(NodeKind::Text(text.to_owned()), span, parent);
        }
    }

    /// Appends a text node with the text of the token's field, which may be empty, to the current node.
    pub(super) fn append_text_node(&mut self, view: &TokenView<'_>, field: FieldId) {
        let Some(field) = self.field_of(view, field) else { return };
        let parent = self.current_node(view).unwrap_or_default();
        self.insert_new(NodeKind::Text(field.text.clone()), field.span, parent);
    }

    /// Trims the document's first child at its start, and its last child at its end, if they are texts.
    pub(super) fn trim_text(&mut self, set: &CharacterSet) {
        let is_trimmed = |character| set.contains(character);
        self.trim_child(<[NodeId]>::first, |data| data.trim_start_matches(is_trimmed));
        self.trim_child(<[NodeId]>::last, |data| data.trim_end_matches(is_trimmed));
    }

    /// Trims a child of the document, if it is a text, and removes it if nothing is left.
    fn trim_child(
        &mut self,
        child: impl Fn(&[NodeId]) -> Option<&NodeId>,
        trim: impl Fn(&str) -> &str,
    ) {
        let Some(&node) = child(&self.tree.nodes[0].children) else { return };
        let NodeKind::Text(data) = &mut self.tree.nodes[node].kind else { return };
        *data = trim(data).to_owned();
        if data.is_empty() {
            self.tree.detach(node);
        }
    }

    /// Moves the document's children into a new element, whose range is empty since it has no token, unless the only
    /// child is an element.
    pub(super) fn wrap_unless_single_element(&mut self, name: &str) {
        let children = self.tree.nodes[0].children.clone();
        if let [only] = children[..]
            && self.tree.name(only).is_some()
        {
            return;
        }
        let kind = NodeKind::Element(plain_name(name), Vec::new());
        let element = self.insert_new(kind, Span::default(), 0);
        for child in children {
            self.tree.detach(child);
            self.tree.insert(element, None, child);
        }
    }

    /// Creates a node as the last child of `parent`.
    fn insert_new(&mut self, kind: NodeKind, span: Span, parent: NodeId) -> NodeId {
        let node = self.tree.nodes.len();
        self.tree.nodes.push(Node::new(kind, span));
        self.tree.insert(parent, None, node);
        node
    }
}
