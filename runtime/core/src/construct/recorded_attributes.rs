//! Attributes of formatting elements, for sinks that neither compare nor copy elements.

use super::{Builder, Construction};
use crate::attribute::SinkAttribute;
use crate::names::Name;
use crate::tree::TreeSink;
use std::collections::HashMap;
use std::hash::Hash;
use std::sync::Arc;

/// A recorded attribute.
#[derive(Clone, Debug, PartialEq, Eq)]
struct RecordedAttribute {
    name: Name,
    value: Box<str>,
}

/// The recorded attributes of elements that had some when they were created.
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
    /// Records the attributes of an element, if it has any.
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

    /// Drops all records, when no formatting element is left.
    pub(super) fn clear(&mut self) {
        self.lists.clear();
        self.bytes = 0;
    }

    /// Whether two elements with one name have equal attributes, in any order.
    pub(super) fn are_equal(&self, one: N, other: N) -> bool {
        let [one, other] =
            [one, other].map(|node| self.lists.get(&node).map_or(&[][..], |list| list));
        one.len() == other.len() && one.iter().all(|attribute| other.contains(attribute))
    }

    /// Returns the heap size in bytes.
    pub(super) fn memory_usage(&self) -> usize {
        self.bytes
            + self.lists.capacity() * (size_of::<(N, Arc<[RecordedAttribute]>)>() + 1) * 8 / 7
    }
}

impl<C: Construction, S: TreeSink> Builder<C, S> {
    /// Whether the sink compares and copies formatting elements.
    pub(super) const SINK_STORES_ATTRIBUTES: bool = S::KEEPS_ATTRIBUTES && !C::CREATES_BY_STEPS;

    /// Creates an element with the name and the attributes of a formatting element.
    #[inline]
    pub(super) fn make_like(&mut self, element: S::Node, name: Name) -> S::Node {
        if Self::SINK_STORES_ATTRIBUTES {
            if self.scripts.pauses {
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

    /// Records the attributes of a formatting element as those of another one.
    pub(super) fn copy_recorded_attributes(&mut self, element: S::Node, other: S::Node) {
        if let Some(list) = self.recorded_attributes.lists.get(&element).cloned() {
            self.recorded_attributes.lists.insert(other, list);
        }
    }

    /// Adds the recorded attributes of a formatting element to another one.
    pub(super) fn add_recorded_attributes(&mut self, element: Option<S::Node>, other: S::Node) {
        let list =
            element.and_then(|element| self.recorded_attributes.lists.get(&element).cloned());
        let attributes = list.iter().flat_map(|list| list.iter());
        let attributes =
            attributes.map(|attribute| SinkAttribute::implied(attribute.name, &attribute.value));
        self.sink.add_missing_attributes(other, attributes);
    }
}
