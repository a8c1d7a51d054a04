//! The list of active formatting elements. The last entry of each name and of each digest is known, so that lookups do
//! not walk the list. Also the algorithms on the list: reconstruction and the adoption agency.

use super::insert::InsertionLocation;
use super::open::{NONE, OpenElements};
use super::{Builder, Construction, ElementSet, TokenView};
use crate::token::SinkAttribute;
use crate::tree::{LocalName, Name, Namespace, TreeSink};
use std::collections::HashMap;
use std::hash::{BuildHasher, DefaultHasher, Hash, Hasher, RandomState};
use std::sync::Arc;

/// Index, in `below` and `above` of an entry, of its links to entries with the same name.
const BY_NAME: usize = 0;
/// Index, in `below` and `above` of an entry, of its links to entries in the same digest list.
const BY_DIGEST: usize = 1;

/// The length of [`FormattingList::last_by_name`] is a multiple of this number.
const NAME_TABLE_STEP: usize = 256;

/// An entry of the list of active formatting elements.
#[derive(Clone, Copy, Debug)]
pub(super) struct FormattingEntry<N> {
    /// The element; `None` for a marker.
    pub(super) node: Option<N>,
    pub(super) name: Name,
    /// The stack slot of the element, which is open if that slot still holds it.
    pub(super) slot: u32,
    /// Length of the element's tag in bytes: the cost of reconstructing the element.
    pub(super) length: u32,
    /// Digest of the name and attributes, or of the name alone.
    digest: u32,
    /// Indices of the next lower entries in the name's list and in the digest's list, each [`NONE`] if there is none.
    below: [u32; 2],
    /// Indices of the next higher entries in the name's list and in the digest's list, each [`NONE`] if there is none.
    above: [u32; 2],
    kind: EntryKind,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum EntryKind {
    Element,
    Marker,
    /// A gap that a removed entry left; `slot` is then the index at which walks toward higher entries continue.
    Empty,
}

/// The list of active formatting elements.
#[derive(Clone, Debug)]
pub(super) struct FormattingList<N> {
    entries: Vec<FormattingEntry<N>>,
    markers: Vec<u32>,
    /// Index of the last entry of each name, by the name's id, or [`NONE`] if there is none.
    last_by_name: Vec<u32>,
    /// Index of the last entry of each digest list. The number of lists is a power of two that grows with the number of
    /// elements.
    last_by_digest: Vec<u32>,
    gap_count: usize,
    /// The hasher for digests, in its state before any input; its key is random except where steps are counted.
    pub(super) hasher: DefaultHasher,
    /// Number of entries visited so far.
    pub(super) steps: u64,
}

impl<N: Copy + Eq> FormattingList<N> {
    pub(super) fn new() -> Self {
        Self {
            entries: Vec::new(),
            markers: Vec::new(),
            last_by_name: Vec::new(),
            last_by_digest: Vec::new(),
            gap_count: 0,
            hasher: RandomState::new().build_hasher(),
            steps: 0,
        }
    }

    /// Returns an empty list with the capacity of this one.
    pub(super) fn into_empty(mut self) -> Self {
        self.entries.clear();
        self.markers.clear();
        self.last_by_name.clear();
        self.last_by_digest.clear();
        let Self { entries, markers, last_by_name, last_by_digest, .. } = self;
        Self { entries, markers, last_by_name, last_by_digest, ..Self::new() }
    }

    pub(super) fn memory_usage(&self) -> usize {
        let capacities =
            [&self.markers, &self.last_by_name, &self.last_by_digest].map(|list| list.capacity());
        self.entries.capacity() * size_of::<FormattingEntry<N>>()
            + capacities.iter().sum::<usize>() * size_of::<u32>()
    }

    pub(super) fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }

    pub(super) fn has_marker(&self) -> bool {
        !self.markers.is_empty()
    }

    /// Whether no element needs to be reconstructed: the list is empty, or its last entry is a marker or open.
    #[inline]
    fn is_reconstructed(&self, open: &OpenElements<N>) -> bool {
        self.entries.last().is_none_or(|last| last.kind == EntryKind::Marker || is_open(last, open))
    }

    pub(super) fn get(&self, index: u32) -> &FormattingEntry<N> {
        &self.entries[index as usize]
    }

    /// Replaces the node of the entry at this index with `node`, which is open in `slot`.
    pub(super) fn replace(&mut self, index: u32, node: N, slot: u32) {
        let entry = &mut self.entries[index as usize];
        (entry.node, entry.slot) = (Some(node), slot);
    }

    pub(super) fn insert_marker(&mut self) {
        self.markers.push(self.entries.len() as u32);
        self.entries.push(FormattingEntry {
            node: None,
            name: Name::new(Namespace::NONE, LocalName::known(u32::MAX)),
            slot: NONE,
            length: 0,
            digest: 0,
            below: [NONE; 2],
            above: [NONE; 2],
            kind: EntryKind::Marker,
        });
    }

    /// Removes the last marker and the entries after it, or all entries if there is no marker.
    fn clear_to_marker(&mut self, open: &mut OpenElements<N>) {
        let marker = self.markers.pop().unwrap_or(0);
        while self.entries.len() as u32 > marker {
            if let Some(entry) = self.entries.last()
                && entry.kind == EntryKind::Element
                && is_open(entry, open)
            {
                open.set_formatting(entry.slot, NONE);
            }
            self.pop();
        }
        self.drop_trailing_gaps();
    }

    /// Appends an element. If `max_equal` elements equal to it follow the last marker, first removes the earliest of
    /// them and returns its stack slot; otherwise returns `None`. `compute_digest` computes the digest of name and
    /// attributes, and `are_equal` compares names and attributes of two nodes. With `defers_digest`, the digest is
    /// computed only once there are `max_equal` elements of the name.
    pub(super) fn push(
        &mut self,
        entry: (N, Name, u32, u32),
        max_equal: usize,
        defers_digest: bool,
        compute_digest: impl Fn(&DefaultHasher) -> u32,
        are_equal: impl FnMut(N, N) -> bool,
    ) -> Option<u32> {
        let (node, name, slot, length) = entry;
        let mut digest = if defers_digest {
            name.local().id() & !HAS_ATTRIBUTES
        } else {
            compute_digest(&self.hasher)
        };
        let mut removed_slot = None;
        if self.entries.len() >= max_equal && self.has_named(name, max_equal) {
            removed_slot = self.evict_earliest_equal(
                (node, max_equal),
                defers_digest,
                &mut digest,
                compute_digest,
                are_equal,
            );
        }
        let has_lists = self.entries.len() < self.last_by_digest.len();
        let below = if has_lists {
            self.append_to_lists(name, digest, self.entries.len() as u32)
        } else {
            [NONE; 2]
        };
        let (node, above, kind) = (Some(node), [NONE; 2], EntryKind::Element);
        self.entries.push(FormattingEntry { node, name, slot, length, digest, below, above, kind });
        if !has_lists {
            self.grow_digest_lists();
        }
        removed_slot
    }

    /// Removes the earliest element equal to `node` if at least `max_equal` such elements follow the last marker, and
    /// returns its stack slot; otherwise returns `None`. Computes the digest if that was deferred.
    #[cold]
    #[inline(never)]
    fn evict_earliest_equal(
        &mut self,
        (node, max_equal): (N, usize),
        is_digest_deferred: bool,
        digest: &mut u32,
        compute_digest: impl Fn(&DefaultHasher) -> u32,
        mut are_equal: impl FnMut(N, N) -> bool,
    ) -> Option<u32> {
        let mut count_and_earliest = (0, NONE);
        if is_digest_deferred {
            self.count_equal_in_digest_list(*digest, &mut count_and_earliest, |other| {
                are_equal(other, node)
            });
            *digest = compute_digest(&self.hasher);
        }
        self.count_equal_in_digest_list(*digest, &mut count_and_earliest, |other| {
            are_equal(other, node)
        });
        let (count, earliest) = count_and_earliest;
        (count >= max_equal).then(|| self.remove(earliest))
    }

    /// Whether at least `min_count` elements of this name follow the last marker.
    #[cold]
    #[inline(never)]
    fn has_named(&mut self, name: Name, min_count: usize) -> bool {
        let mut index = self.last_named(name.local().id()).unwrap_or(NONE);
        let mut count = 0;
        while index != NONE && self.markers.last().is_none_or(|&marker| index > marker) {
            count += 1;
            if count == min_count {
                return true;
            }
            self.steps += 1;
            index = self.next_live_below(index, BY_NAME);
        }
        false
    }

    /// Counts the elements after the last marker that have this digest and satisfy `is_equal`, and finds the earliest.
    /// Adds to `count`, and lowers `earliest`.
    fn count_equal_in_digest_list(
        &mut self,
        digest: u32,
        (count, earliest): &mut (usize, u32),
        mut is_equal: impl FnMut(N) -> bool,
    ) {
        let mut index = self.last_by_digest.get(self.digest_list(digest)).copied().unwrap_or(NONE);
        while index != NONE && self.markers.last().is_none_or(|&marker| index > marker) {
            self.steps += 1;
            let entry = self.entries[index as usize];
            if entry.kind == EntryKind::Element {
                if entry.digest == digest && entry.node.is_some_and(&mut is_equal) {
                    (*count, *earliest) = (*count + 1, index.min(*earliest));
                }
                index = self.next_live_below(index, BY_DIGEST);
            } else {
                index = entry.below[BY_DIGEST];
                self.set_last(BY_DIGEST, &entry, index);
            }
        }
    }

    /// Returns the index of the list of entries with this digest; entries with other digests may share the list.
    #[inline]
    fn digest_list(&self, digest: u32) -> usize {
        digest as usize & self.last_by_digest.len().wrapping_sub(1)
    }

    /// Grows the table of digest lists, and links all entries anew.
    #[cold]
    #[inline(never)]
    fn grow_digest_lists(&mut self) {
        self.steps += self.entries.len() as u64;
        let count = (self.entries.len() * 2).next_power_of_two().max(16);
        self.last_by_digest.clear();
        self.last_by_digest.resize(count, NONE);
        self.last_by_name.fill(NONE);
        for index in 0..self.entries.len() as u32 {
            self.link(index);
        }
    }

    pub(super) fn last_index(&self) -> u32 {
        self.entries.len() as u32 - 1
    }

    /// Removes the entry at this index if it is the last of its name after the last marker; returns whether it did.
    #[inline]
    fn remove_if_last_named(&mut self, index: u32, local: u32) -> bool {
        let is_last =
            self.entries.len() == index as usize + 1 || self.last_named(local) == Some(index);
        if is_last {
            self.remove(index);
        }
        is_last
    }

    /// Removes the element at this index and returns its stack slot.
    pub(super) fn remove(&mut self, index: u32) -> u32 {
        let entry = &mut self.entries[index as usize];
        let slot = std::mem::replace(&mut entry.slot, index + 1);
        entry.kind = EntryKind::Empty;
        self.gap_count += 1;
        self.drop_trailing_gaps();
        slot
    }

    /// Moves the element at `from`, the last of its name, to directly after the one at `after`. No effect if `after` is
    /// `None` or lower than `from`.
    fn move_after(&mut self, from: u32, after: Option<u32>, open: &mut OpenElements<N>) {
        let (to, mut index) = (after.unwrap_or(from), from);
        while index < to {
            self.steps += 1;
            let next_index = self.next_above(index);
            self.swap(index, next_index);
            self.update_back_link(index, open);
            index = next_index;
        }
        self.update_back_link(index, open);
    }

    /// Returns the index of the next higher entry, which must exist, and links the gaps on the way directly to it.
    fn next_above(&mut self, index: u32) -> u32 {
        let mut higher_index = index + 1;
        while self.entries[higher_index as usize].kind == EntryKind::Empty {
            self.steps += 1;
            higher_index = self.entries[higher_index as usize].slot;
        }
        let mut gap = index + 1;
        while gap < higher_index {
            gap = std::mem::replace(&mut self.entries[gap as usize].slot, higher_index);
        }
        higher_index
    }

    /// Swaps two elements with only gaps between them.
    fn swap(&mut self, lower: u32, higher: u32) {
        for list in [BY_NAME, BY_DIGEST] {
            // In each list, links to removed entries between `lower` and `higher` would hide that these are neighbors,
            // so the links are updated first.
            for index in [lower, higher] {
                self.next_live_below(index, list);
                self.link_to_live_above(index, list);
            }
        }
        self.entries.swap(lower as usize, higher as usize);
        for list in [BY_NAME, BY_DIGEST] {
            let [one, other] = [lower, higher].map(|index| self.entries[index as usize]);
            if one.below[list] == lower {
                // The swapped entries are neighbors in this list, so the links between them are reversed.
                self.entries[lower as usize].below[list] = other.below[list];
                self.entries[lower as usize].above[list] = higher;
                self.entries[higher as usize].below[list] = lower;
                self.entries[higher as usize].above[list] = one.above[list];
            }
            self.update_neighbors(lower, list);
            self.update_neighbors(higher, list);
        }
    }

    /// Makes the neighbors that the entry at `index` has in one of its lists link to `index`. An entry without a higher
    /// neighbor becomes the list's last.
    fn update_neighbors(&mut self, index: u32, list: usize) {
        let entry = self.entries[index as usize];
        if entry.below[list] != NONE {
            self.entries[entry.below[list] as usize].above[list] = index;
        }
        match entry.above[list] {
            NONE => self.set_last(list, &entry, index),
            above => self.entries[above as usize].below[list] = index,
        }
    }

    /// Returns the index of the next lower element in one of the entry's lists, or [`NONE`], and unlinks removed
    /// entries on the way.
    fn next_live_below(&mut self, index: u32, list: usize) -> u32 {
        let mut below = self.entries[index as usize].below[list];
        while below != NONE && self.entries[below as usize].kind == EntryKind::Empty {
            self.steps += 1;
            below = self.entries[below as usize].below[list];
        }
        self.entries[index as usize].below[list] = below;
        if below != NONE {
            self.entries[below as usize].above[list] = index;
        }
        below
    }

    /// Links the entry to the next higher element in one of its lists, and unlinks removed entries on the way.
    fn link_to_live_above(&mut self, index: u32, list: usize) {
        let mut above = self.entries[index as usize].above[list];
        while above != NONE && self.entries[above as usize].kind == EntryKind::Empty {
            self.steps += 1;
            above = self.entries[above as usize].above[list];
        }
        self.entries[index as usize].above[list] = above;
        self.update_neighbors(index, list);
    }

    /// Makes `last` the last entry of the list that `entry` is in.
    fn set_last(&mut self, list: usize, entry: &FormattingEntry<N>, last: u32) {
        if list == BY_NAME {
            self.last_by_name[entry.name.local().id() as usize] = last;
        } else {
            let digest_list = self.digest_list(entry.digest);
            self.last_by_digest[digest_list] = last;
        }
        if last != NONE {
            self.entries[last as usize].above[list] = NONE;
        }
    }

    /// Returns the index of the last element with this name in the table's own namespace, if it follows the last
    /// marker.
    #[inline]
    pub(super) fn last_named(&mut self, local: u32) -> Option<u32> {
        let last = *self.last_by_name.get(local as usize)?;
        if last == NONE { None } else { self.last_live_named(last) }
    }

    /// Returns `last` or, if that entry was removed, the index of the next lower element of its name; `None` unless the
    /// element follows the last marker.
    #[inline(never)]
    fn last_live_named(&mut self, last: u32) -> Option<u32> {
        let mut index = last;
        while index != NONE && self.entries[index as usize].kind == EntryKind::Empty {
            self.steps += 1;
            let entry = self.entries[index as usize];
            index = entry.below[BY_NAME];
            self.set_last(BY_NAME, &entry, index);
        }
        let marker = self.markers.last().copied();
        Some(index).filter(|&at| at != NONE && marker.is_none_or(|marker| at > marker))
    }

    /// Returns the index of the element `node`, whose name is `local`; `None` if the list does not have it.
    pub(super) fn find(&mut self, node: N, local: u32) -> Option<u32> {
        let mut index = *self.last_by_name.get(local as usize)?;
        while index != NONE {
            let entry = self.entries[index as usize];
            if entry.kind == EntryKind::Element && entry.node == Some(node) {
                return Some(index);
            }
            self.steps += 1;
            index = self.next_live_below(index, BY_NAME);
        }
        None
    }

    /// Closes the gaps among those elements at the end of the list that are not open, and returns the index of the
    /// first of these elements; `None` if there are none.
    fn first_closed_at_end(&mut self, open: &OpenElements<N>) -> Option<u32> {
        let (mut first_closed, mut gap_count) = (self.entries.len(), 0);
        while let Some(entry) = first_closed.checked_sub(1).map(|index| &self.entries[index]) {
            match entry.kind {
                EntryKind::Empty => gap_count += 1,
                EntryKind::Marker => break,
                EntryKind::Element if is_open(entry, open) => break,
                EntryKind::Element => {}
            }
            self.steps += 1;
            first_closed -= 1;
        }
        if gap_count > 0 {
            self.close_gaps_from(first_closed);
        }
        (first_closed < self.entries.len()).then_some(first_closed as u32)
    }

    /// Closes the gaps from this index on. The entries there must be gaps or elements that are not open.
    fn close_gaps_from(&mut self, from: usize) {
        let mut elements = Vec::new();
        while self.entries.len() > from {
            elements.extend(
                self.entries.last().filter(|entry| entry.kind != EntryKind::Empty).copied(),
            );
            self.pop();
        }
        for entry in elements.into_iter().rev() {
            self.entries.push(entry);
            self.link(self.entries.len() as u32 - 1);
        }
    }

    /// Returns the index of the first element at or after this index; `None` if there is none.
    fn next_element_from(&mut self, index: u32) -> Option<u32> {
        let entries = self.entries.get(index as usize..)?;
        let position = entries.iter().position(|entry| entry.kind == EntryKind::Element);
        self.steps += position.unwrap_or(entries.len()) as u64;
        position.map(|at| index + at as u32)
    }

    /// Closes the gaps if there are more than 32, and they make up more than half of the list.
    pub(super) fn compact_if_sparse(&mut self, open: &mut OpenElements<N>) {
        if self.gap_count > 32 && self.gap_count * 2 > self.entries.len() {
            self.entries.retain(|entry| entry.kind != EntryKind::Empty);
            self.gap_count = 0;
            self.relink(open);
        }
    }

    /// Recomputes all links and the list of markers, in time linear in the length of the list.
    fn relink(&mut self, open: &mut OpenElements<N>) {
        self.grow_digest_lists();
        self.markers.clear();
        for index in 0..self.entries.len() as u32 {
            match self.entries[index as usize].kind {
                EntryKind::Element => self.update_back_link(index, open),
                EntryKind::Marker => self.markers.push(index),
                EntryKind::Empty => self.entries[index as usize].slot = index + 1,
            }
        }
    }

    /// Stores the index of the entry in the stack slot of its element, if the element is open.
    fn update_back_link(&self, index: u32, open: &mut OpenElements<N>) {
        let entry = &self.entries[index as usize];
        if entry.kind == EntryKind::Element && is_open(entry, open) {
            open.set_formatting(entry.slot, index);
        }
    }

    /// Makes the entry at this index the last one of its lists, if it is an element.
    fn link(&mut self, index: u32) {
        let FormattingEntry { kind, name, digest, .. } = self.entries[index as usize];
        if kind == EntryKind::Element {
            let below = self.append_to_lists(name, digest, index);
            let entry = &mut self.entries[index as usize];
            (entry.below, entry.above) = (below, [NONE; 2]);
        }
    }

    /// Makes the entry at this index the last one of its lists; returns the indices of the entries that were last
    /// before.
    #[inline(always)]
    fn append_to_lists(&mut self, name: Name, digest: u32, index: u32) -> [u32; 2] {
        let (local, list) = (name.local().id() as usize, self.digest_list(digest));
        if local >= self.last_by_name.len() {
            self.grow_name_table(local);
        }
        let below = [
            std::mem::replace(&mut self.last_by_name[local], index),
            std::mem::replace(&mut self.last_by_digest[list], index),
        ];
        for list in [BY_NAME, BY_DIGEST] {
            if let Some(entry) = self.entries.get_mut(below[list] as usize) {
                entry.above[list] = index;
            }
        }
        below
    }

    /// Extends `last_by_name` to include this name.
    #[cold]
    #[inline(never)]
    fn grow_name_table(&mut self, local: usize) {
        self.last_by_name.resize((local + 1).next_multiple_of(NAME_TABLE_STEP), NONE);
    }

    /// In the tables of last entries, replaces the entry at this index, which is the last of the list, with the next
    /// lower entries of its lists.
    #[inline]
    fn unlink(&mut self, index: u32) {
        let entry = self.entries[index as usize];
        if entry.kind == EntryKind::Marker {
            return;
        }
        if self.last_by_name.get(entry.name.local().id() as usize) == Some(&index) {
            self.set_last(BY_NAME, &entry, entry.below[BY_NAME]);
        }
        if self.last_by_digest.get(self.digest_list(entry.digest)) == Some(&index) {
            self.set_last(BY_DIGEST, &entry, entry.below[BY_DIGEST]);
        }
    }

    fn pop(&mut self) {
        let index = self.entries.len() as u32 - 1;
        self.unlink(index);
        if let Some(FormattingEntry { kind: EntryKind::Empty, .. }) = self.entries.pop() {
            self.gap_count -= 1;
        }
    }

    #[inline]
    fn drop_trailing_gaps(&mut self) {
        while self.gap_count != 0
            && self.entries.last().is_some_and(|entry| entry.kind == EntryKind::Empty)
        {
            self.pop();
        }
    }
}

/// Operations for compiled algorithms, whose variables hold indices. Removed entries leave gaps, so that indices stay
/// valid until an entry is inserted before them.
impl<N: Copy + Eq> FormattingList<N> {
    /// Returns the node and the name of the entry at the index; a marker has no node. `None` if there is no such entry.
    pub(super) fn node_and_name(&self, index: u32) -> Option<(Option<N>, Name)> {
        let entry = self.entries.get(index as usize)?;
        (entry.kind != EntryKind::Empty).then_some((entry.node, entry.name))
    }

    /// Returns the index of the nearest entry before `index`, or `None` if there is none, in time linear in the size of
    /// the gap between them.
    pub(super) fn previous_index(&mut self, index: u32) -> Option<u32> {
        let earlier_entries = self.entries.get(..index as usize)?;
        let position = earlier_entries.iter().rposition(|entry| entry.kind != EntryKind::Empty);
        self.steps += (index as usize - position.unwrap_or(0)) as u64;
        position.map(|at| at as u32)
    }

    /// Returns the index of the nearest entry after `index`, or `None` if there is none, in time linear in the size of
    /// the gap between them.
    pub(super) fn next_index(&mut self, index: u32) -> Option<u32> {
        let later_entries = self.entries.get(index as usize + 1..)?;
        let position = later_entries.iter().position(|entry| entry.kind != EntryKind::Empty);
        self.steps += position.unwrap_or(later_entries.len()) as u64 + 1;
        position.map(|at| index + 1 + at as u32)
    }

    /// Removes the element or marker at the index.
    pub(super) fn remove_element_or_marker(&mut self, index: u32) {
        if let Ok(at) = self.markers.binary_search(&index) {
            self.markers.remove(at);
        }
        self.remove(index);
    }

    /// Returns the number of elements after the last marker that have the name and satisfy `is_equal`, and the index of
    /// the earliest such element. Takes time linear in the number of elements of the name.
    pub(super) fn count_equal(
        &mut self,
        name: Name,
        is_equal: impl Fn(N) -> bool,
    ) -> (u32, Option<u32>) {
        let (mut count, mut earliest) = (0, None);
        let mut index = self.last_named(name.local().id()).unwrap_or(NONE);
        while index != NONE && self.markers.last().is_none_or(|&marker| index > marker) {
            self.steps += 1;
            let entry = self.entries[index as usize];
            if entry.name == name && entry.node.is_some_and(&is_equal) {
                (count, earliest) = (count + 1, Some(index));
            }
            index = self.next_live_below(index, BY_NAME);
        }
        (count, earliest)
    }

    /// Replaces the element at the index with `node`, which has this name, in constant time unless the name changes.
    pub(super) fn replace_and_rename(
        &mut self,
        index: u32,
        (node, name): (N, Name),
        slot: u32,
        open: &mut OpenElements<N>,
    ) {
        self.replace(index, node, slot);
        if self.entries[index as usize].name != name {
            self.entries[index as usize].name = name;
            self.relink(open);
        }
    }

    /// Inserts a copy of `entry` at the index, with `node` as its element, in time linear in the length of the list.
    pub(super) fn insert(
        &mut self,
        index: u32,
        entry: FormattingEntry<N>,
        (node, slot): (N, u32),
        open: &mut OpenElements<N>,
    ) {
        let index = (index as usize).min(self.entries.len());
        let (node, kind) = (Some(node), EntryKind::Element);
        self.entries.insert(index, FormattingEntry { node, slot, kind, ..entry });
        self.relink(open);
    }
}

/// Whether the entry's element is on the stack of open elements.
pub(super) fn is_open<N: Copy + Eq>(entry: &FormattingEntry<N>, open: &OpenElements<N>) -> bool {
    entry.node.is_some_and(|node| open.holds(node, entry.slot))
}

/// Bit that is set in digests of a name with attributes, and clear in digests of a name alone.
const HAS_ATTRIBUTES: u32 = 1 << 31;

/// Returns the digest of a name and attributes in any order. The hasher is keyed, so that no input can put all its
/// elements into one list.
fn digest<'a>(
    hasher: &DefaultHasher,
    local: LocalName,
    attributes: impl Iterator<Item = [&'a [u8]; 2]>,
) -> u32 {
    let sum =
        attributes.fold(0_u64, |sum, attribute| sum.wrapping_add(hash_with(hasher, attribute)));
    (hash_with(hasher, (local.id(), sum)) >> 32) as u32 | HAS_ATTRIBUTES
}

fn hash_with(hasher: &DefaultHasher, value: impl Hash) -> u64 {
    let mut hasher = hasher.clone();
    value.hash(&mut hasher);
    hasher.finish()
}

// Primitives on the list of active formatting elements. For sinks that neither compare nor copy elements, and for
// parsers that pause at scripts, which may change elements, the attributes of the listed elements are recorded here.

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
            let attributes = token.tag().map(|tag| tag.attributes()).into_iter().flatten();
            let attributes =
                attributes.map(|attribute| [attribute.name, attribute.value].map(str::as_bytes));
            digest(hasher, name.local(), attributes)
        };
        self.record_attributes(node, token);
        let records_formatting = self.records_formatting();
        let (sink, recorded_attributes) = (&self.sink, &self.recorded_attributes);
        let are_equal = |a, b| match records_formatting {
            true => recorded_attributes.are_equal(a, b),
            false => sink.has_equal_attributes(a, b),
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

    /// Records the attributes of a new formatting element if the sink cannot copy the element later as it is now.
    #[inline(always)]
    pub(super) fn record_attributes(&mut self, node: S::Node, token: &TokenView<'_>) {
        if self.records_formatting() {
            self.record_token_attributes(node, token);
        }
    }

    /// Records the attributes of a new formatting element, which are those of the token.
    #[inline(never)]
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
        self.formatting.clear_to_marker(&mut self.open);
    }

    /// Removes the element or marker at this index from the list of active formatting elements.
    pub(super) fn remove_formatting(&mut self, index: u32) {
        self.unlink_formatting(index);
        self.formatting.remove_element_or_marker(index);
    }

    /// Removes the link from the stack of open elements to the entry at this index of the list.
    pub(super) fn unlink_formatting(&mut self, index: u32) {
        let entry = self.formatting.get(index);
        if is_open(entry, &self.open) {
            self.open.set_formatting(entry.slot, NONE);
        }
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
    /// Whether formatting elements are compared and copied by the sink, unless scripts may change them.
    const SINK_COPIES_FORMATTING: bool = S::KEEPS_ATTRIBUTES && !C::CREATES_ELEMENTS_BY_STEPS;

    /// Whether the attributes of formatting elements are recorded here, and the sink does not compare and copy them.
    #[inline(always)]
    pub(super) fn records_formatting(&self) -> bool {
        !Self::SINK_COPIES_FORMATTING || self.scripts.pauses_at_scripts
    }

    /// Creates an element with the name and the attributes of the formatting element `element`, without inserting it.
    #[inline]
    fn make_like(&mut self, element: S::Node, name: Name) -> S::Node {
        if !self.records_formatting() {
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

// The adoption agency algorithm of the HTML standard; the table supplies the scope, the category of furthest blocks
// and the limits. A round visits the elements that it removes from the stack and a bounded number of other elements.

/// The elements that one round of the adoption agency's outer loop works on.
struct Round {
    /// Index of the formatting element in the list of active formatting elements.
    formatting_index: u32,
    /// Slot of the formatting element on the stack.
    slot: u32,
    /// Slot of the furthest block.
    block: u32,
    /// Number of elements that the round recreates around the furthest block.
    recreated_count: usize,
}

impl<C: Construction, S: TreeSink> Builder<C, S> {
    /// Runs the adoption agency algorithm for the token. The formatting element must be in `scope`, a furthest block
    /// must be in `special`, and errors are reported with `code`. Returns whether there is no formatting element, in
    /// which case the caller's alternative steps apply.
    #[inline]
    pub fn adoption_agency(
        &mut self,
        token: &TokenView<'_>,
        scope: usize,
        special: &ElementSet,
        code: C::Error,
    ) -> bool {
        if let Some(open) = self.open.last()
            && open.name == Name::new(C::ELEMENTS.namespace(), self.token_name)
        {
            // Fast path: the current node has the token's name, and either is the formatting element or is not in the
            // list of formatting elements. No element above it could be the furthest block, so popping it is enough.
            let (node, index) = (open.node, open.formatting);
            if index == NONE || self.formatting.remove_if_last_named(index, self.token_name.id()) {
                self.pop_open(token);
                self.released_element = Some(node);
                return false;
            }
        }
        self.run_adoption_agency(token, scope, special, code)
    }

    /// Slow path of `adoption_agency`: runs the algorithm.
    #[cold]
    #[inline(never)]
    fn run_adoption_agency(
        &mut self,
        token: &TokenView<'_>,
        scope: usize,
        special: &ElementSet,
        code: C::Error,
    ) -> bool {
        let subject = self.token_name;
        for round_index in 0..C::ADOPTION_ROUNDS {
            let Some(formatting_index) = self.formatting.last_named(subject.id()) else {
                return true;
            };
            let entry = self.formatting.get(formatting_index);
            let (slot, node) = (entry.slot, entry.node);
            // Formatting elements of later rounds were created by the algorithm itself, so only that of the first round
            // is recorded.
            let released_element = if round_index == 0 { node } else { self.released_element };
            let node_in_slot = self.open.get(slot).map(|open| Some(open.node));
            if node_in_slot != Some(node) {
                self.error(code, token);
                self.remove_formatting(formatting_index);
                self.released_element = released_element;
                return false;
            }
            if !self.open.is_in_scope(scope, slot) {
                self.error(code, token);
                return false;
            }
            if self.open.last_slot() != Some(slot) {
                self.error(code, token);
            }
            let Some(block) = self.furthest_block(slot, special) else {
                while self.open.last_slot().is_some_and(|last| last >= slot) {
                    self.pop_open(token);
                }
                self.remove_formatting(formatting_index);
                self.released_element = released_element;
                return false;
            };
            let (recreated_count, tag_bytes) = self.count_recreated(formatting_index, slot, block);
            if !self.charge_adoption(tag_bytes) {
                return false;
            }
            let round = Round { formatting_index, slot, block, recreated_count };
            self.move_furthest_block(token, &round);
            self.released_element = released_element;
        }
        false
    }

    /// Returns the slot of the furthest block: the lowest element above `slot` that is in `special`; `None` if there is
    /// none.
    pub(super) fn furthest_block(&mut self, slot: u32, special: &ElementSet) -> Option<u32> {
        let mut candidate = slot;
        loop {
            self.steps += 1;
            candidate = self.open.next_above(candidate)?;
            if special.has(self.open.get(candidate)?.name, C::ELEMENTS.namespace()) {
                return Some(candidate);
            }
        }
    }

    /// Returns the number of elements that a round recreates around the furthest block, and the total tag length, in
    /// bytes, of these elements and the formatting element.
    fn count_recreated(&mut self, formatting_index: u32, slot: u32, block: u32) -> (usize, u64) {
        let mut total = u64::from(self.formatting.get(formatting_index).length);
        let (mut count, mut inner) = (0, block);
        for _ in 0..C::ADOPTION_ELEMENTS {
            let Some(lower) = self.open.next_below(inner).filter(|&lower| lower > slot) else {
                break;
            };
            inner = lower;
            if let Some(open) = self.open.get(lower).filter(|open| open.formatting != NONE) {
                count += 1;
                total += u64::from(self.formatting.get(open.formatting).length);
            }
        }
        (count, total)
    }

    /// Moves the furthest block out of the formatting element, and the block's children into a copy of that element.
    fn move_furthest_block(&mut self, token: &TokenView<'_>, round: &Round) {
        self.limits.record_reordering(self.open.len());
        let ancestor = self.open.next_below(round.slot).and_then(|slot| self.open.get(slot));
        let ancestor = ancestor.map(|open| (open.node, open.name));
        let (Some(&formatting), Some(&block)) =
            (self.open.get(round.slot), self.open.get(round.block))
        else {
            return;
        };
        let depth = self.must_check_depth().then(|| self.depth_of(block.node));
        self.forget_landmark(depth);
        // Computed before anything moves, so that the sink can move its record of document order along with the block.
        let common_ancestor = ancestor.map_or(self.document, |(node, _)| node);
        let expected_parent =
            self.ancestor_for_adopted(common_ancestor, round.recreated_count, depth);
        self.sink.about_to_move(
            block.node,
            Some(expected_parent),
            (round.block - round.slot) as usize + 1,
        );
        let mut last_node = block.node;
        let mut bookmark = None;
        // The recreated elements, topmost first. They are collected, because the stack is rearranged in one step once
        // all of them are known.
        let mut recreated = Vec::new();
        let mut counter = 0;
        let mut slot = round.block;
        while let Some(lower) = self.open.next_below(slot).filter(|&lower| lower > round.slot) {
            slot = lower;
            counter += 1;
            self.steps += 1;
            let Some(&open) = self.open.get(slot) else { break };
            if counter > C::ADOPTION_ELEMENTS && open.formatting != NONE {
                self.remove_formatting(open.formatting);
            }
            if counter > C::ADOPTION_ELEMENTS || open.formatting == NONE {
                if let TokenView::EndTag(tag, _) = token {
                    self.record_end_tag(&open, tag);
                }
                self.sink.popped(open.node);
                continue;
            }
            let node = self.make_like(open.node, open.name);
            self.sink.popped(open.node);
            if last_node == block.node {
                bookmark = Some(open.formatting);
            }
            self.sink.append_node(node, last_node);
            last_node = node;
            recreated.push((node, open.name, open.formatting));
        }
        self.insert_adopted(
            ancestor,
            (last_node, block.node, expected_parent),
            recreated.len(),
            depth,
        );
        let node = self.make_like(formatting.node, formatting.name);
        // In a flattened tree, wrapping must not make the children deeper than before, so they are wrapped only if the
        // block itself is less deep than before.
        let is_wrapped = depth.is_none_or(|depth| self.depth_of(block.node) < depth);
        if is_wrapped {
            self.sink.reparent_children(block.node, node);
        }
        let parent = match depth {
            Some(_) => self.ancestor_within(block.node, self.limits.max_parent_depth()),
            None => block.node,
        };
        self.sink.append_node(parent, node);
        if let TokenView::EndTag(tag, _) = token {
            self.record_end_tag(&formatting, tag);
        }
        self.sink.popped(formatting.node);
        self.update_list_and_stack(round, bookmark, &recreated, node);
    }

    /// Inserts `node`, which is or contains `block`, at the appropriate place in the common ancestor. `recreated_count`
    /// elements were recreated around the block, whose depth was `depth`; `expected_parent` is the node that the sink
    /// expects to receive it.
    fn insert_adopted(
        &mut self,
        ancestor: Option<(S::Node, Name)>,
        (node, block, expected_parent): (S::Node, S::Node, S::Node),
        recreated_count: usize,
        depth: Option<usize>,
    ) {
        self.sink.remove_from_parent(node);
        let place = match ancestor {
            Some(ancestor) => self.appropriate_place(Some(ancestor)),
            None => InsertionLocation::LastIn(self.document),
        };
        let place = self.place_for_adopted(place, recreated_count, depth);
        if place != InsertionLocation::LastIn(expected_parent) {
            self.sink.about_to_move(block, None, 0);
        }
        match place {
            InsertionLocation::LastIn(parent) => self.sink.append_node(parent, node),
            InsertionLocation::Before(sibling) => self.sink.insert_node_before(sibling, node),
        }
    }

    /// Puts the new formatting element `node` after the bookmark in the list, and directly above the block on the
    /// stack.
    fn update_list_and_stack(
        &mut self,
        round: &Round,
        bookmark: Option<u32>,
        recreated: &[(S::Node, Name, u32)],
        node: S::Node,
    ) {
        let (Some(&formatting), Some(&block)) =
            (self.open.get(round.slot), self.open.get(round.block))
        else {
            return;
        };
        let mut opened = |node, name, formatting| {
            let mut open = self.open_of(node, name, C::kind(name));
            open.formatting = formatting;
            open
        };
        let mut elements: Vec<_> =
            recreated.iter().rev().map(|&(node, name, index)| opened(node, name, index)).collect();
        elements.push(block);
        elements.push(opened(node, formatting.name, round.formatting_index));
        let slots = self.open.rearrange(round.slot, round.block, &elements);
        for (slot, open) in slots.into_iter().zip(&elements) {
            if open.formatting != NONE {
                self.formatting.replace(open.formatting, open.node, slot);
            }
        }
        self.formatting.move_after(round.formatting_index, bookmark, &mut self.open);
        self.formatting.compact_if_sparse(&mut self.open);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn digests_depend_on_the_key_but_not_on_the_order_of_attributes() {
        let attributes: [[&[u8]; 2]; 2] = [[b"a", b"1"], [b"b", b"2"]];
        let compute = |hasher: &DefaultHasher, attributes: &[[&'static [u8]; 2]]| {
            digest(hasher, LocalName::known(1), attributes.iter().copied())
        };
        let hasher = DefaultHasher::new();
        let [one, other] = attributes;
        assert_eq!(compute(&hasher, &[one, other]), compute(&hasher, &[other, one]));
        assert_ne!(compute(&hasher, &[one, other]), compute(&hasher, &[one, one]));
        // Two of the eight digests may be equal by chance, but not all.
        let digests = (0..8).map(|_| compute(&RandomState::new().build_hasher(), &[one, other]));
        assert!(digests.collect::<std::collections::HashSet<_>>().len() > 1);
    }
}
