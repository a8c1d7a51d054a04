//! The list of active formatting elements, and queries of it and of the stack of open elements.

use super::algorithm::{TagToken, Value};
use super::{NodeId, TokenView, TreeBuilder};
use tabulex_language::model::tree::ElementName;
use tabulex_language::model::tree::algorithm::Routine;

/// An entry of the list of active formatting elements.
#[derive(Clone, Debug)]
pub(super) struct Entry {
    /// Number that no other entry of the same builder has.
    pub(super) id: usize,
    /// The element and the tag that created it; `None` for a marker.
    pub(super) element: Option<(NodeId, TagToken)>,
}

impl Entry {
    /// Returns the element of the entry; `None` for a marker.
    pub(super) fn node(&self) -> Option<NodeId> {
        self.element.as_ref().map(|(node, _)| *node)
    }
}

impl TreeBuilder<'_> {
    /// Returns an id for a new entry.
    pub(super) fn next_entry_id(&mut self) -> usize {
        self.entry_count += 1;
        self.entry_count
    }

    /// Appends an element, or a marker for `None`, to the list of active formatting elements.
    pub(super) fn push_entry(&mut self, element: Option<(NodeId, TagToken)>) {
        let id = self.next_entry_id();
        self.formatting.push(Entry { id, element });
    }

    /// Returns the index of the first entry after the last marker; 0 if there is no marker.
    pub(super) fn first_after_marker(&self) -> usize {
        let marker = self.formatting.iter().rposition(|entry| entry.node().is_none());
        marker.map_or(0, |at| at + 1)
    }

    /// Returns the last active formatting element with one of these names after the last marker, if any.
    pub(super) fn last_formatting(
        &mut self,
        names: &[ElementName],
        view: &TokenView<'_>,
    ) -> Option<NodeId> {
        let arguments = vec![Value::Names(names.to_vec())];
        match self.run_inner_routine(Routine::LastFormatting, arguments, view) {
            Some(Value::Entry(entry)) => entry.node(),
            Some(_) | None => None,
        }
    }

    /// Returns the index of an element in the list of active formatting elements, if it is there.
    pub(super) fn formatting_index(&self, node: NodeId) -> Option<usize> {
        self.formatting.iter().position(|entry| entry.node() == Some(node))
    }

    /// Returns the index of an element in the stack of open elements, if it is there. Tries the last result and the
    /// element above it first, since walks up the stack query adjacent elements.
    pub(super) fn open_index(&self, node: NodeId) -> Option<usize> {
        let last_index = self.found_at.get();
        let mut candidates = [last_index, last_index.saturating_sub(1)].into_iter();
        let is_at = |at: &usize| self.open.get(*at) == Some(&node);
        let index =
            candidates.find(is_at).or_else(|| self.open.iter().rposition(|it| *it == node))?;
        self.found_at.set(index);
        Some(index)
    }

    /// Returns the current tag as the only argument of an algorithm; empty if the token is no tag.
    pub(super) fn tag_argument(&self) -> Vec<Value> {
        self.tag_token().map(Value::Token).into_iter().collect()
    }
}
