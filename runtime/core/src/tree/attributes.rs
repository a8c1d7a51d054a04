//! Storage of the attributes of a tree's elements. Records in the common list are immutable, so that elements can share
//! a range of that list; an element with changed attributes gets a list of its own.

use super::node::{FarNames, PackedName};
use super::node_spans::{AttributeSpanList, AttributeSpans, PackedSpans};
use super::options::Growth;
use super::texts::{TextSlot, Texts};
use crate::names::Name;
use crate::reads::count_reads;
use crate::token::SinkAttribute;
use std::collections::HashMap;
use std::sync::Arc;

/// The `count` that marks an [`AttributeRange`] as the index of an owned list.
pub(super) const OWNED_LIST: u16 = u16::MAX;
/// Maximum length of an owned list that is searched linearly; a longer one has a hash map.
const LINEAR_SEARCH_MAX: usize = 16;

/// The attributes of one element: a range of the common list, or the index of an owned list.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct AttributeRange {
    pub(super) start: u32,
    pub(super) count: u16,
}

/// An attribute: its name, its value, and its source ranges if they can be packed.
#[derive(Clone, Copy, Debug)]
pub(super) struct AttributeRecord {
    qualifier: u16,
    /// The packed source ranges, if the value is in the input and they fit; otherwise [`PackedSpans::UNKNOWN`].
    packed_spans: PackedSpans,
    local: u32,
    pub(super) value: TextSlot,
}

const _: () = assert!(size_of::<AttributeRecord>() == 16);

impl AttributeRecord {
    /// Whether the name is known to equal the name of a record of another tree. `known_count` is the number of local
    /// names that the trees share; names beyond these can be equal although the result is `false`.
    #[inline]
    pub(super) fn has_known_name_of(&self, other: &Self, known_count: u32) -> bool {
        let has_equal_ids = self.qualifier == other.qualifier && self.local == other.local;
        has_equal_ids && Name::is_known(self.qualifier, self.local, known_count)
    }

    #[inline(always)]
    pub(super) fn new(name: PackedName, value: TextSlot, packed_spans: PackedSpans) -> Self {
        Self { qualifier: name.qualifier, packed_spans, local: name.local, value }
    }

    #[inline]
    fn name(&self) -> PackedName {
        PackedName { qualifier: self.qualifier, local: self.local }
    }
}

/// The attributes of an element that were changed after the element's creation, or that are too many for a range.
#[derive(Clone, Debug, Default)]
struct OwnedList {
    records: Vec<AttributeRecord>,
    spans: Vec<AttributeSpans>,
    /// Indices of `records` by name; empty while the list is short.
    indices: HashMap<Name, u32>,
}

/// The attributes of all elements of a tree.
#[derive(Clone, Debug, Default)]
pub(super) struct AttributeStore {
    /// The attributes of all elements without an owned list; each such element has a range of this list.
    pub(super) records: Vec<AttributeRecord>,
    /// The source ranges that `records` do not hold, if positions are kept.
    pub(super) spans: AttributeSpanList,
    pub(super) far_names: FarNames,
    /// The owned lists. An element created like another one shares that element's list until one of the two changes.
    owned_lists: Vec<Arc<OwnedList>>,
    /// Heap size of the lists in `owned_lists` in bytes, maintained so that the size of the tree is known without a
    /// walk.
    owned_bytes: usize,
}

impl AttributeStore {
    /// Returns the records of a range.
    #[inline]
    pub(super) fn records(&self, range: AttributeRange) -> &[AttributeRecord] {
        if range.count == OWNED_LIST {
            return &self.owned_lists[range.start as usize].records;
        }
        &self.records[range.start as usize..][..range.count as usize]
    }

    #[inline]
    pub(super) fn name(&self, record: &AttributeRecord) -> Name {
        self.far_names.unpack(record.name())
    }

    /// Returns the source ranges of the attribute at `index`, counted from the start of the range; meaningful only if
    /// positions are kept.
    pub(super) fn spans(&self, range: AttributeRange, index: usize) -> AttributeSpans {
        if range.count == OWNED_LIST {
            let list = &self.owned_lists[range.start as usize];
            return list.spans.get(index).copied().unwrap_or(AttributeSpans::UNKNOWN);
        }
        self.common_spans(range.start as usize + index)
    }

    /// Returns the source ranges of an attribute in the common list.
    fn common_spans(&self, index: usize) -> AttributeSpans {
        let AttributeRecord { packed_spans, value, .. } = self.records[index];
        self.spans.get(index, packed_spans, value)
    }

    /// Returns the index, counted from the start of the range, of the attribute called `name`; `None` if the range does
    /// not have it.
    pub(super) fn find(&self, range: AttributeRange, name: Name) -> Option<usize> {
        if range.count == OWNED_LIST {
            let list = &self.owned_lists[range.start as usize];
            if !list.indices.is_empty() {
                return list.indices.get(&name).map(|&index| index as usize);
            }
        }
        let index = self.records(range).iter().position(|record| self.name(record) == name);
        count_reads(index.unwrap_or(range.count.into()));
        index
    }

    /// Returns the index of an attribute as [`find`](Self::find) does, in a range that is going to be searched often. A
    /// long range is converted to an owned list with a hash map.
    pub(super) fn find_indexed(
        &mut self,
        range: &mut AttributeRange,
        name: Name,
        texts: &mut Texts,
    ) -> Option<usize> {
        if range.count != OWNED_LIST && range.count as usize > LINEAR_SEARCH_MAX {
            self.make_owned(range, texts);
        }
        self.find(*range, name)
    }

    /// Whether two ranges hold equal names and values, regardless of order.
    pub(super) fn are_equal(
        &self,
        one: AttributeRange,
        other: AttributeRange,
        texts: &Texts,
    ) -> bool {
        let [one, other] = [one, other].map(|range| self.records(range));
        // The lengths are compared first, so that the cost is bounded by the shorter list.
        if one.len() != other.len() {
            return false;
        }
        let [mut one, mut other] = [one, other].map(|records| {
            let records = records.iter();
            records.map(|record| (self.name(record), texts.get(record.value))).collect::<Vec<_>>()
        });
        // The order is usually the same, so sorting is seldom necessary.
        if one != other {
            for list in [&mut one, &mut other] {
                list.sort_unstable_by_key(|(name, _)| (name.local().id(), name.qualifier));
            }
        }
        one == other
    }

    /// Appends the attributes of a new element to the common list, or to an owned list if they are too many for a
    /// range; returns their range.
    #[inline(always)]
    pub(super) fn add<'a>(
        &mut self,
        attributes: impl Iterator<Item = SinkAttribute<'a>>,
        has_spans: bool,
        texts: &mut Texts,
        growth: &Growth,
    ) -> AttributeRange {
        // Fast path: many elements have no attributes.
        if attributes.size_hint().1 == Some(0) {
            return AttributeRange::default();
        }
        let start = self.records.len();
        attributes.for_each(|SinkAttribute { name, value, name_span, value_span }| {
            let value = texts.add(value, growth);
            let packed_spans = match (name_span, value_span) {
                (Some(name), Some(span)) if value.is_at(span) => PackedSpans::of(name, span),
                _ => None,
            };
            if has_spans && packed_spans.is_none() {
                self.spans.push(self.records.len(), name_span, value_span, growth);
            }
            self.push(name, value, packed_spans, growth);
        });
        match self.records.len() - start {
            0 => AttributeRange::default(),
            count if count < usize::from(OWNED_LIST) => {
                AttributeRange { start: start as u32, count: count as u16 }
            }
            _ => self.move_to_owned(start),
        }
    }

    /// Appends an attribute to the common list, with its source ranges if they are packed.
    #[inline(always)]
    pub(super) fn push(
        &mut self,
        name: Name,
        value: TextSlot,
        packed_spans: Option<PackedSpans>,
        growth: &Growth,
    ) {
        let name = self.far_names.pack(name);
        let record =
            AttributeRecord::new(name, value, packed_spans.unwrap_or(PackedSpans::UNKNOWN));
        growth.push(&mut self.records, record);
    }

    /// Truncates the common list to its first `length` attributes.
    pub(super) fn truncate(&mut self, length: usize) {
        self.records.truncate(length);
        self.spans.truncate(length);
    }

    /// Moves the attributes of the common list from `start` on, which are more than a range can count, to an owned
    /// list.
    #[cold]
    #[inline(never)]
    fn move_to_owned(&mut self, start: usize) -> AttributeRange {
        let mut list = OwnedList::default();
        for index in start..self.records.len() {
            list.push(self.records[index], self.common_spans(index), &self.far_names);
        }
        self.truncate(start);
        self.add_owned(list)
    }

    /// Sets the value of an attribute, which is appended if it is missing.
    pub(super) fn set(
        &mut self,
        range: &mut AttributeRange,
        name: Name,
        value: &str,
        spans: AttributeSpans,
        texts: &mut Texts,
    ) {
        let existing_index = self.find(*range, name);
        self.make_owned(range, texts);
        let list = make_unique(&mut self.owned_lists, &mut self.owned_bytes, *range, texts);
        let old_usage = list.memory_usage();
        match existing_index {
            Some(index) => {
                texts.set(&mut list.records[index].value, value);
                if let Some(old) = list.spans.get_mut(index) {
                    *old = spans;
                }
            }
            None => {
                let mut slot = TextSlot::default();
                texts.set(&mut slot, value);
                let name = self.far_names.pack(name);
                let record = AttributeRecord::new(name, slot, PackedSpans::UNKNOWN);
                list.push(record, spans, &self.far_names);
            }
        }
        let new_usage = list.memory_usage();
        self.owned_bytes = self.owned_bytes + new_usage - old_usage;
    }

    /// Removes the attribute called `name`; returns whether there was such an attribute.
    pub(super) fn remove(
        &mut self,
        range: &mut AttributeRange,
        name: Name,
        texts: &mut Texts,
    ) -> bool {
        let Some(index) = self.find(*range, name) else { return false };
        self.remove_all(range, &[index as u32], texts);
        true
    }

    /// Removes the attributes at these indices, given in ascending order. If possible, the range shrinks; otherwise,
    /// the remaining attributes become an owned list, so that many single removals are linear in total.
    pub(super) fn remove_all(
        &mut self,
        range: &mut AttributeRange,
        removed_indices: &[u32],
        texts: &mut Texts,
    ) {
        let (Some(&first), Some(&last)) = (removed_indices.first(), removed_indices.last()) else {
            return;
        };
        let count = u32::from(range.count);
        let is_contiguous = (last - first) as usize == removed_indices.len() - 1;
        let is_prefix_or_suffix = is_contiguous && (first == 0 || last + 1 == count);
        if range.count != OWNED_LIST && is_prefix_or_suffix {
            range.start += if first == 0 { last + 1 } else { 0 };
            range.count -= removed_indices.len() as u16;
        } else {
            self.make_owned(range, texts);
            self.remove_from_owned(*range, removed_indices, texts);
        }
    }

    /// Removes the attributes at these indices from an owned list.
    fn remove_from_owned(
        &mut self,
        range: AttributeRange,
        removed_indices: &[u32],
        texts: &mut Texts,
    ) {
        let list = make_unique(&mut self.owned_lists, &mut self.owned_bytes, range, texts);
        let old_usage = list.memory_usage();
        let is_kept = |index: u32| removed_indices.binary_search(&index).is_err();
        let mut indices = 0_u32..;
        list.spans.retain(|_| indices.next().is_some_and(is_kept));
        let mut indices = 0_u32..;
        list.records.retain(|record| {
            let keeps_record = indices.next().is_some_and(is_kept);
            if !keeps_record {
                texts.release(record.value);
            }
            keeps_record
        });
        list.indices.clear();
        list.update_index(&self.far_names);
        let new_usage = list.memory_usage();
        self.owned_bytes = self.owned_bytes + new_usage - old_usage;
    }

    /// Returns a range with which another element shares these attributes until one of the two elements changes.
    pub(super) fn share(&mut self, range: AttributeRange) -> AttributeRange {
        if range.count != OWNED_LIST {
            return range;
        }
        self.owned_lists.push(Arc::clone(&self.owned_lists[range.start as usize]));
        AttributeRange { start: self.owned_lists.len() as u32 - 1, count: OWNED_LIST }
    }

    fn add_owned(&mut self, list: OwnedList) -> AttributeRange {
        self.owned_bytes += list.memory_usage();
        self.owned_lists.push(Arc::new(list));
        AttributeRange { start: self.owned_lists.len() as u32 - 1, count: OWNED_LIST }
    }

    /// Converts a range of the common list to an owned list; leaves an owned list unchanged.
    fn make_owned(&mut self, range: &mut AttributeRange, texts: &mut Texts) {
        if range.count != OWNED_LIST {
            let mut list = OwnedList::default();
            for (index, &record) in self.records(*range).iter().enumerate() {
                let record = AttributeRecord { value: texts.copy(record.value), ..record };
                list.push(record, self.spans(*range, index), &self.far_names);
            }
            *range = self.add_owned(list);
        }
    }

    /// Returns the approximate number of attributes created so far.
    pub(super) fn created_count(&self) -> usize {
        self.records.len() + self.owned_bytes / size_of::<AttributeRecord>()
    }

    /// Returns an empty store that reuses the capacity of this one.
    pub(super) fn into_empty(mut self) -> Self {
        self.records.clear();
        Self { records: self.records, spans: self.spans.into_empty(), ..Self::default() }
    }

    pub(super) fn shrink(&mut self) {
        self.records.shrink_to_fit();
        self.spans.shrink();
        self.owned_lists.shrink_to_fit();
    }

    pub(super) fn heap_size(&self) -> usize {
        self.records.capacity() * size_of::<AttributeRecord>()
            + self.spans.heap_size()
            + self.far_names.heap_size()
            + self.owned_bytes
            + self.owned_lists.capacity() * size_of::<Arc<OwnedList>>()
    }
}

/// Returns the owned list of a range for modification, cloning it if other elements share it.
fn make_unique<'a>(
    owned_lists: &'a mut [Arc<OwnedList>],
    owned_bytes: &mut usize,
    range: AttributeRange,
    texts: &mut Texts,
) -> &'a mut OwnedList {
    let shared_list = &mut owned_lists[range.start as usize];
    if Arc::get_mut(shared_list).is_none() {
        let mut list = OwnedList::clone(shared_list);
        for record in &mut list.records {
            record.value = texts.copy(record.value);
        }
        *owned_bytes += list.memory_usage();
        *shared_list = Arc::new(list);
    }
    Arc::make_mut(shared_list)
}

impl OwnedList {
    /// Returns the heap memory in bytes, including the list itself and the two counts of its `Arc`.
    fn memory_usage(&self) -> usize {
        size_of::<Self>()
            + 2 * size_of::<usize>()
            + self.records.capacity() * size_of::<AttributeRecord>()
            + self.spans.capacity() * size_of::<AttributeSpans>()
            // A hash map keeps an eighth of its slots free, and has a control byte per slot.
            + self.indices.capacity() * (size_of::<(Name, u32)>() + 1) * 8 / 7
    }

    fn push(&mut self, record: AttributeRecord, spans: AttributeSpans, names: &FarNames) {
        if !self.indices.is_empty() {
            self.indices.insert(names.unpack(record.name()), self.records.len() as u32);
        }
        self.records.push(record);
        self.spans.push(spans);
        self.update_index(names);
    }

    /// Builds the hash map once the list is long.
    fn update_index(&mut self, names: &FarNames) {
        if self.indices.is_empty() && self.records.len() > LINEAR_SEARCH_MAX {
            let records = self.records.iter().enumerate();
            let entries =
                records.map(|(index, record)| (names.unpack(record.name()), index as u32));
            self.indices = entries.collect();
        }
    }
}
