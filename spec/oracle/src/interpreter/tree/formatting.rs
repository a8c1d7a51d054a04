//! The list of active formatting elements, and the adoption agency. Invariant: the entries are in the order in which
//! their elements were added, but for what the adoption agency says.

use super::{Flow, Name, NodeId, TokenView, TreeBuilder, node};
use crate::interpreter::Span;
use tabulex_language::model::tree::{AdoptionAgency, ElementName, ModeId};

/// An entry of the list.
#[derive(Clone, Debug)]
pub(super) enum Entry {
    /// A marker.
    Marker,
    /// An element, with the name and the attributes of the tag that it was created for.
    Element { node: NodeId, local: String, attributes: Vec<(Name, String)> },
}

impl Entry {
    /// Its element.
    pub(super) fn node(&self) -> Option<NodeId> {
        match self {
            Self::Marker => None,
            Self::Element { node, .. } => Some(*node),
        }
    }

    fn is_like(&self, other: &Self) -> bool {
        match (self, other) {
            (
                Self::Element { local, attributes, .. },
                Self::Element { local: other, attributes: others, .. },
            ) => {
                local == other
                    && attributes.len() == others.len()
                    && attributes.iter().all(|attribute| others.contains(attribute))
            }
            _ => false,
        }
    }
}

impl TreeBuilder<'_> {
    /// The index of the first entry after the last marker.
    fn after_marker(&self) -> usize {
        let marker = self.formatting.iter().rposition(|entry| entry.node().is_none());
        marker.map_or(0, |at| at + 1)
    }

    /// The last element with one of these names after the last marker.
    pub(super) fn last_formatting(&self, names: &[ElementName]) -> Option<NodeId> {
        let after = self.formatting[self.after_marker()..].iter().rev();
        after.filter_map(Entry::node).find(|&node| self.is_one_of(node, names))
    }

    /// Pushes the current node; of those that are alike, at most the number that the table declares stays.
    pub(super) fn push_formatting(&mut self) {
        let (Some(&node), Some(tag)) = (self.open.last(), &self.tag) else { return };
        let (local, attributes) = (tag.name.clone(), tag.attributes.clone());
        let entry = Entry::Element { node, local, attributes };
        let first = self.after_marker();
        let alike: Vec<usize> = (first..self.formatting.len())
            .filter(|&at| self.formatting[at].is_like(&entry))
            .collect();
        let most = self.construction.limits.alike_formatting;
        if most.is_some_and(|most| alike.len() >= most as usize) {
            self.formatting.remove(alike[0]);
        }
        self.formatting.push(entry);
    }

    /// Clears the list up to the last marker.
    pub(super) fn clear_formatting(&mut self) {
        while let Some(Entry::Element { .. }) = self.formatting.pop() {}
    }

    /// Reopens what was not closed.
    pub(super) fn reconstruct_formatting(&mut self) {
        let is_done = |entry: &Entry| entry.node().is_none_or(|node| self.open.contains(&node));
        let first = self.formatting.iter().rposition(is_done).map_or(0, |at| at + 1);
        for at in first..self.formatting.len() {
            let place = self.appropriate_place(None);
            let node = self.create_again(at);
            self.insert_at(place, node);
            self.open.push(node);
        }
    }

    /// Creates an element for the token of the entry, and replaces the entry's element by it.
    fn create_again(&mut self, at: usize) -> NodeId {
        let Entry::Element { local, attributes, .. } = self.formatting[at].clone() else {
            return 0;
        };
        let new = self.create_element(node::HTML, &local, attributes, Span::default());
        if let Entry::Element { node, .. } = &mut self.formatting[at] {
            *node = new;
        }
        new
    }

    fn formatting_place(&self, node: NodeId) -> Option<usize> {
        self.formatting.iter().position(|entry| entry.node() == Some(node))
    }

    fn open_place(&self, node: NodeId) -> Option<usize> {
        self.open.iter().position(|&other| other == node)
    }

    /// The adoption agency algorithm.
    pub(super) fn adopt(
        &mut self,
        mode: ModeId,
        agency: &AdoptionAgency,
        seen: &TokenView<'_>,
    ) -> Flow {
        if let Some(&current) = self.open.last()
            && self.has_name_of(current, seen)
            && self.formatting_place(current).is_none()
        {
            self.pop_html(seen);
            return Flow::On;
        }
        let limits = self.construction.limits;
        for _ in 0..limits.adoption_rounds.unwrap_or(u32::MAX) {
            let after = self.formatting[self.after_marker()..].iter().rev();
            let mut elements = after.filter_map(Entry::node);
            let Some(element) = elements.find(|&node| self.has_name_of(node, seen)) else {
                let construction = self.construction;
                let otherwise = &construction.steps[usize::from(agency.otherwise.0)].steps;
                return self.take(mode, otherwise, seen);
            };
            if !self.adopt_once(element, agency, seen) {
                break;
            }
        }
        Flow::On
    }

    /// One round of the outer loop; false if it was the last one.
    fn adopt_once(
        &mut self,
        element: NodeId,
        agency: &AdoptionAgency,
        seen: &TokenView<'_>,
    ) -> bool {
        let Some(at) = self.open_place(element) else {
            self.errors.push((agency.error, seen.span()));
            self.formatting.retain(|entry| entry.node() != Some(element));
            return false;
        };
        if !self.in_scope_where(agency.scope, |node| node == element) {
            self.errors.push((agency.error, seen.span()));
            return false;
        }
        if self.open.last() != Some(&element) {
            self.errors.push((agency.error, seen.span()));
        }
        let below = self.open[at + 1..].iter().copied();
        let Some(furthest) = { below }.find(|&node| self.is_one_of(node, &agency.special)) else {
            self.pop_html_until(seen, |_, node| node == element);
            self.formatting.retain(|entry| entry.node() != Some(element));
            return false;
        };
        let ancestor = self.open[at - 1];
        let (last, bookmark) = self.adopt_inner(element, furthest);
        let place = self.appropriate_place(Some(ancestor));
        self.tree.detach(last);
        let is_there = place.before.is_none_or(|it| self.at(it).parent == Some(place.parent));
        if is_there {
            self.insert_at(place, last);
        }
        self.adopt_children(element, furthest, bookmark, seen);
        true
    }

    /// The inner loop: the last node, and where the new element goes in the list.
    fn adopt_inner(&mut self, element: NodeId, furthest: NodeId) -> (NodeId, usize) {
        let mut bookmark = self.formatting_place(element).unwrap_or(0);
        let mut last = furthest;
        let mut at = self.open_place(furthest).unwrap_or(0);
        let mut count = 0;
        loop {
            count += 1;
            at -= 1;
            let node = self.open[at];
            if node == element {
                return (last, bookmark);
            }
            let mut entry = self.formatting_place(node);
            let most = self.construction.limits.adoption_elements;
            if let Some(place) = entry.filter(|_| most.is_some_and(|most| count > most)) {
                self.formatting.remove(place);
                bookmark -= usize::from(place < bookmark);
                entry = None;
            }
            let Some(place) = entry else {
                self.open.remove(at);
                continue;
            };
            let new = self.create_again(place);
            self.open[at] = new;
            if last == furthest {
                bookmark = place + 1;
            }
            self.tree.detach(last);
            self.tree.insert(new, None, last);
            last = new;
        }
    }

    /// The furthest block's children go into a new element, which replaces the formatting element.
    fn adopt_children(
        &mut self,
        element: NodeId,
        furthest: NodeId,
        mut bookmark: usize,
        seen: &TokenView<'_>,
    ) {
        let Some(at) = self.formatting_place(element) else { return };
        let new = self.create_again(at);
        for child in self.at(furthest).children.clone() {
            self.tree.detach(child);
            self.tree.insert(new, None, child);
        }
        self.tree.insert(furthest, None, new);
        let entry = self.formatting.remove(at);
        bookmark -= usize::from(at < bookmark);
        self.formatting.insert(bookmark, entry);
        self.open.retain(|&node| node != element);
        self.end(element, seen);
        let at = self.open_place(furthest).map_or(self.open.len(), |at| at + 1);
        self.open.insert(at, new);
    }
}
