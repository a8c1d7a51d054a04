//! Trees without the rules of HTML, as far as no algorithm says what is done: nodes that are made of no tag, the stack, the
//! end of the input. Invariant: as for the rest of the builder.

use super::{Name, Node, NodeId, NodeKind, TokenView, TreeBuilder};
use crate::interpreter::{Span, Token};
use tabulex_language::model::CharacterSet;
use tabulex_language::model::tree::{Elements, Parent};

impl TreeBuilder<'_> {
    pub(super) fn append(&mut self, parent: Parent, kind: NodeKind, span: Span) -> NodeId {
        let parent = match parent {
            Parent::Current => self.open.last().copied().unwrap_or(0),
            Parent::Document => 0,
        };
        let node = self.tree.nodes.len();
        self.tree.nodes.push(Node::new(kind, span));
        self.tree.nodes[node].parent = Some(parent);
        self.tree.nodes[parent].children.push(node);
        node
    }

    pub(super) fn pop(&mut self, seen: &TokenView<'_>) {
        if self.construction.elements == Elements::Html {
            self.pop_html(seen);
            return;
        }
        let popped = self.open.pop();
        self.popped = popped.or(self.popped);
        if let Some(node) = popped
            && let TokenView::Token(Token::EndTag(_) | Token::ShortEndTag { .. }) = seen
        {
            self.tree.nodes[node].end_span = written(seen.span());
        }
    }

    pub(super) fn pop_until_token_name(&mut self, seen: &TokenView<'_>) {
        if self.construction.elements == Elements::Html {
            return self.pop_html_until(seen, |builder, node| builder.has_name_of(node, seen));
        }
        let found = self.open_node(seen);
        while let Some(node) = self.open.pop() {
            self.popped = Some(node);
            if Some(node) == found {
                self.tree.nodes[node].end_span = written(seen.span());
                return;
            }
        }
    }

    pub(super) fn trim_text(&mut self, set: &CharacterSet) {
        let inside = |character: char| set.contains(character);
        let children = self.tree.nodes[0].children.clone();
        for (node, at_start) in [(children.first(), true), (children.last(), false)] {
            let Some(&node) = node else { return };
            let NodeKind::Text(text) = &mut self.tree.nodes[node].kind else { continue };
            *text = if at_start {
                text.trim_start_matches(inside)
            } else {
                text.trim_end_matches(inside)
            }
            .to_owned();
            if text.is_empty() {
                self.tree.nodes[0].children.retain(|&child| child != node);
            }
        }
    }

    pub(super) fn wrap_unless_single_element(&mut self, name: &str) {
        let children = &self.tree.nodes[0].children;
        if let [only] = children[..]
            && matches!(self.tree.nodes[only].kind, NodeKind::Element(..))
        {
            return;
        }
        let children = std::mem::take(&mut self.tree.nodes[0].children);
        let name = Name { qualified: name.to_owned(), local: name.to_owned(), ..Name::default() };
        let node =
            self.append(Parent::Document, NodeKind::Element(name, Vec::new()), Span::default());
        children.iter().for_each(|&child| self.tree.nodes[child].parent = Some(node));
        self.tree.nodes[node].children = children;
    }
}

/// The range of an end tag, unless it is none that was written but what a machine makes of a start tag.
fn written(span: Span) -> Option<Span> {
    (span.start < span.end).then_some(span)
}
