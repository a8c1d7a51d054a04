//! Where nodes are inserted: the appropriate place, fostering included, and the insertion of elements, characters and
//! other nodes there. Invariant: nothing but a DOCTYPE, comments, instructions and one element becomes a child of the
//! document.

use super::{Node, NodeId, NodeKind, TokenView, TreeBuilder};
use crate::interpreter::{Span, Token};
use tabulex_language::model::tree::Insertion;

/// Inside a node, before one of its children or at the end.
#[derive(Clone, Copy, Debug)]
pub(super) struct Place {
    pub(super) parent: NodeId,
    pub(super) before: Option<NodeId>,
}

fn end_of(parent: NodeId) -> Place {
    Place { parent, before: None }
}

impl TreeBuilder<'_> {
    /// The appropriate place for inserting a node.
    pub(super) fn appropriate_place(&self, instead: Option<NodeId>) -> Place {
        let target = instead.unwrap_or_else(|| self.current());
        let fostering = self.construction.fostering.as_ref();
        let fostering = fostering
            .filter(|fostering| self.is_fostering && self.is_one_of(target, &fostering.targets));
        let Some(fostering) = fostering else { return self.inside(end_of(target)) };
        let last =
            |local: &str| self.open.iter().rposition(|&node| self.tree.is_own_element(node, local));
        let template = self.construction.template.as_deref().and_then(last);
        let Some(table) = last(&fostering.beside) else {
            return match template {
                Some(template) => self.inside(end_of(self.open[template])),
                None => end_of(self.open.first().copied().unwrap_or(0)),
            };
        };
        if let Some(template) = template.filter(|&template| template > table) {
            return self.inside(end_of(self.open[template]));
        }
        let node = self.open[table];
        match (self.tree.nodes[node].parent, table.checked_sub(1)) {
            (Some(parent), _) => self.inside(Place { parent, before: Some(node) }),
            (None, Some(above)) => self.inside(end_of(self.open[above])),
            (None, None) => end_of(0),
        }
    }

    /// What is put into a template goes to its contents, or to the place that it patches.
    fn inside(&self, place: Place) -> Place {
        let Some(contents) = self.tree.nodes[place.parent].contents else { return place };
        match self.patches.iter().find(|(template, _)| *template == place.parent) {
            Some((_, patch)) => {
                let end =
                    patch.end.filter(|&end| self.tree.nodes[end].parent == Some(patch.target));
                Place { parent: patch.target, before: end }
            }
            None => end_of(contents),
        }
    }

    /// Inserts an element at the place, if that is possible.
    pub(super) fn insert_at(&mut self, place: Place, node: NodeId) {
        let is_element = |&child: &NodeId| self.tree.name(child).is_some();
        let is_document_full =
            place.parent == 0 && self.tree.nodes[0].children.iter().any(is_element);
        let is_inside_itself = self.tree.is_inclusive_ancestor(node, place.parent);
        if self.tree.nodes[node].parent.is_none() && !is_document_full && !is_inside_itself {
            self.tree.insert(place.parent, place.before, node);
        }
    }

    /// Inserts an element for the tag.
    pub(super) fn insert_for_tag(&mut self, namespace: &str) -> NodeId {
        let place = self.appropriate_place(None);
        let node = self.create_for_tag(namespace);
        self.insert_at(place, node);
        node
    }

    /// Inserts an implied element and pushes it.
    pub(super) fn insert_named(&mut self, local: &str) {
        let place = self.appropriate_place(None);
        let node = self.create_element(super::node::HTML, local, Vec::new(), Span::default());
        self.insert_at(place, node);
        self.open.push(node);
    }

    /// Inserts a character.
    pub(super) fn insert_character(&mut self, character: char, span: Span) {
        let place = self.appropriate_place(None);
        if place.parent == 0 {
            return;
        }
        let siblings = &self.tree.nodes[place.parent].children;
        let at = place
            .before
            .and_then(|before| siblings.iter().position(|&child| child == before))
            .unwrap_or(siblings.len());
        if let Some(&before) = at.checked_sub(1).and_then(|at| siblings.get(at))
            && let NodeKind::Text(text) = &mut self.tree.nodes[before].kind
        {
            text.push(character);
            self.tree.nodes[before].span.end = span.end;
            return;
        }
        self.insert_new(place, NodeKind::Text(character.to_string()), span);
    }

    /// Inserts a comment or an instruction for the token.
    pub(super) fn insert_other(&mut self, seen: &TokenView<'_>, insertion: Insertion) {
        let (kind, span) = match seen {
            TokenView::Token(Token::Comment { data, span }) => {
                (NodeKind::Comment(data.clone()), *span)
            }
            TokenView::Token(Token::ProcessingInstruction { target, data, span }) => {
                (NodeKind::ProcessingInstruction(target.clone(), data.clone()), *span)
            }
            TokenView::Token(_) | TokenView::Character(..) | TokenView::Text(..) => return,
        };
        let place = match insertion {
            Insertion::Appropriate => self.appropriate_place(None),
            Insertion::Document => end_of(0),
            Insertion::Root => end_of(self.open.first().copied().unwrap_or(0)),
        };
        self.insert_new(place, kind, span);
    }

    fn insert_new(&mut self, place: Place, kind: NodeKind, span: Span) {
        let node = self.tree.nodes.len();
        self.tree.nodes.push(Node::new(kind, span));
        self.tree.insert(place.parent, place.before, node);
    }
}
