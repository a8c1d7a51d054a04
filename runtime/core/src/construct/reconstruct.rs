//! Primitives on the list of active formatting elements. For sinks that neither compare nor copy elements, the
//! attributes of the listed elements are recorded here.

use super::formatting::{digest, is_open};
use super::open::NONE;
use super::{Builder, Construction, TokenView};
use crate::attribute::SinkAttribute;
use crate::tree::{Name, TreeSink};
use std::collections::HashMap;
use std::hash::{DefaultHasher, Hash};
use std::sync::Arc;

impl<C: Construction, S: TreeSink> Builder<C, S> {
    /// Whether the list of active formatting elements ends with elements to reconstruct.
    #[inline(always)]
    pub fn has_closed_formatting(&self) -> bool {
        !self.formatting.is_reconstructed(&self.open)
    }

    /// Reconstructs the active formatting elements.
    #[inline(always)]
    pub fn reconstruct_formatting(&mut self) {
        if self.has_closed_formatting() {
            self.reconstruct();
        }
    }

    /// Reconstructs those elements at the end of the list of active formatting elements that are not open.
    #[inline(never)]
    fn reconstruct(&mut self) {
        let mut next_index = self.formatting.first_closed_at_end(&self.open);
        while let Some(index) = next_index {
            self.steps += 1;
            let entry = *self.formatting.get(index);
            if !self.charge_reconstruction(entry.length) {
                return;
            }
            let Some(original) = entry.node else { return };
            let node = self.make_like(original, entry.name);
            let place = self.appropriate_place(None);
            self.put_element(place, node, None);
            self.push_element(node, entry.name, false);
            let slot = self.open.last_slot().unwrap_or(NONE);
            self.formatting.replace(index, node, slot);
            self.open.set_formatting(slot, index);
            next_index = self.formatting.next_element_from(index + 1);
        }
    }

    /// Pushes the current node onto the list of active formatting elements.
    pub fn push_formatting(&mut self, token: &TokenView<'_>) {
        let (Some(slot), Some(open)) = (self.open.last_slot(), self.open.last()) else { return };
        self.add_formatting(token, (open.node, open.name, slot), C::MAX_EQUAL);
        self.formatting.compact_if_sparse(&mut self.open);
    }

    /// Appends an element with the token's attributes to the list of active formatting elements. If `max_equal` equal
    /// elements follow the last marker, removes the earliest of them.
    #[inline(always)]
    pub(super) fn add_formatting(
        &mut self,
        token: &TokenView<'_>,
        (node, name, slot): (S::Node, Name, u32),
        max_equal: usize,
    ) {
        let compute_digest = |hasher: &DefaultHasher| {
            let attributes = token.tag().map(|tag| tag.attribute_bytes()).into_iter().flatten();
            digest(hasher, name.local(), attributes)
        };
        self.record_attributes(node, token);
        let (sink, recorded_attributes, scripts) =
            (&self.sink, &self.recorded_attributes, &self.scripts);
        let are_equal = |a, b| match Self::SINK_COPIES_FORMATTING {
            true => sink.has_equal_attributes(scripts.as_created(a), scripts.as_created(b)),
            false => recorded_attributes.are_equal(a, b),
        };
        let length = token.tag().map_or(0, |tag| tag.span().len());
        let entry = (node, name, slot, u32::try_from(length).unwrap_or(u32::MAX));
        let defers_digest = Self::SINK_COPIES_FORMATTING;
        let removed_slot =
            self.formatting.push(entry, max_equal, defers_digest, compute_digest, are_equal);
        if let Some(slot) = removed_slot {
            self.open.set_formatting(slot, NONE);
        }
        let index = self.formatting.last_index();
        self.open.set_formatting(slot, index);
    }

    /// Records the attributes of a new formatting element if the sink cannot copy the element later, or copies the
    /// element at once if scripts may change it.
    #[inline(always)]
    pub(super) fn record_attributes(&mut self, node: S::Node, token: &TokenView<'_>) {
        if !Self::SINK_COPIES_FORMATTING {
            self.record_token_attributes(node, token);
        } else {
            self.copy_for_scripts(node);
        }
    }

    /// Records the attributes of a new formatting element, which are those of the token.
    fn record_token_attributes(&mut self, node: S::Node, token: &TokenView<'_>) {
        let Some(tag) = token.tag() else { return };
        if self.formatting.is_empty() {
            self.recorded_attributes.clear();
        }
        self.name_attributes(tag);
        let attributes = tag.named_attributes(self.attribute_names.iter().copied());
        self.recorded_attributes.insert(node, attributes);
    }

    /// Appends a marker to the list of active formatting elements.
    pub fn insert_marker(&mut self) {
        self.formatting.insert_marker();
    }

    /// Clears the list of active formatting elements up to the last marker.
    pub(super) fn clear_formatting(&mut self) {
        for slot in self.formatting.clear_to_marker(&self.open) {
            self.open.set_formatting(slot, NONE);
        }
    }

    /// Removes the element at this index from the list of active formatting elements.
    pub(super) fn remove_formatting(&mut self, index: u32) {
        let entry = *self.formatting.get(index);
        if is_open(&entry, &self.open) {
            self.open.set_formatting(entry.slot, NONE);
        }
        self.formatting.remove(index);
    }
}

/// A recorded attribute of a formatting element.
#[derive(Clone, Debug, PartialEq, Eq)]
struct RecordedAttribute {
    name: Name,
    value: Box<str>,
}

/// The recorded attributes of formatting elements; an element without attributes has no record.
#[derive(Debug)]
pub(super) struct RecordedAttributes<N> {
    lists: HashMap<N, Arc<[RecordedAttribute]>>,
    /// Heap size of the lists in bytes.
    bytes: usize,
}

impl<N> Default for RecordedAttributes<N> {
    fn default() -> Self {
        Self { lists: HashMap::new(), bytes: 0 }
    }
}

impl<N: Copy + Eq + Hash> RecordedAttributes<N> {
    pub(super) fn insert<'a>(
        &mut self,
        node: N,
        attributes: impl Iterator<Item = SinkAttribute<'a>>,
    ) {
        let attributes = attributes.map(|attribute| RecordedAttribute {
            name: attribute.name,
            value: attribute.value.into(),
        });
        let list: Arc<[RecordedAttribute]> = attributes.collect();
        if !list.is_empty() {
            let values = list.iter().map(|attribute| attribute.value.len());
            self.bytes += size_of_val(&*list) + values.sum::<usize>();
            self.lists.insert(node, list);
        }
    }

    /// Drops all records.
    pub(super) fn clear(&mut self) {
        self.lists.clear();
        self.bytes = 0;
    }

    /// Whether two elements with the same name have equal attributes, in any order.
    pub(super) fn are_equal(&self, one: N, other: N) -> bool {
        let [one, other] =
            [one, other].map(|node| self.lists.get(&node).map_or(&[][..], |list| list));
        one.len() == other.len() && one.iter().all(|attribute| other.contains(attribute))
    }

    pub(super) fn memory_usage(&self) -> usize {
        self.bytes
            + self.lists.capacity() * (size_of::<(N, Arc<[RecordedAttribute]>)>() + 1) * 8 / 7
    }
}

impl<C: Construction, S: TreeSink> Builder<C, S> {
    /// Whether formatting elements are compared and copied by the sink, so that their attributes are not recorded here.
    pub(super) const SINK_COPIES_FORMATTING: bool =
        S::KEEPS_ATTRIBUTES && !C::CREATES_ELEMENTS_BY_STEPS;

    /// Creates an element with the name and the attributes of the formatting element `element`, without inserting it.
    #[inline]
    pub(super) fn make_like(&mut self, element: S::Node, name: Name) -> S::Node {
        if Self::SINK_COPIES_FORMATTING {
            if self.scripts.pauses_at_scripts {
                return self.recreate_from_copy(element);
            }
            return self.sink.make_element_like(element, None);
        }
        let list = self.recorded_attributes.lists.get(&element).cloned();
        let attributes = list.iter().flat_map(|list| list.iter());
        let attributes =
            attributes.map(|attribute| SinkAttribute::implied(attribute.name, &attribute.value));
        let node = self.sink.make_element(name, attributes, None);
        self.copy_recorded_attributes(element, node);
        node
    }

    /// Copies the recorded attributes of the formatting element `element`, if it has any, to a record for `other`.
    pub(super) fn copy_recorded_attributes(&mut self, element: S::Node, other: S::Node) {
        if let Some(list) = self.recorded_attributes.lists.get(&element).cloned() {
            self.recorded_attributes.lists.insert(other, list);
        }
    }

    /// Adds to `other` those recorded attributes of the formatting element `element` that `other` lacks.
    pub(super) fn add_recorded_attributes(&mut self, element: Option<S::Node>, other: S::Node) {
        let list =
            element.and_then(|element| self.recorded_attributes.lists.get(&element).cloned());
        let attributes = list.iter().flat_map(|list| list.iter());
        let attributes =
            attributes.map(|attribute| SinkAttribute::implied(attribute.name, &attribute.value));
        self.sink.add_missing_attributes(other, attributes);
    }
}
