//! The stack of elements open according to their tags. Finding an element by name takes a bounded number of steps, or
//! as many as it then closes.

use std::collections::HashMap;
use tabulex_core::tree::Namespace;

/// Depth up to which elements are searched linearly.
const LINEAR_SEARCH_DEPTH: usize = 64;

/// Maximum number of distinct names with a bit in sets of names.
const MAX_NAMES: usize = u128::BITS as usize;

/// Maximum number of closed children whose order an open element remembers.
const MAX_LAST_CHILDREN: usize = 4;

/// Maximum length in bytes of a name packed into a `NameKey`.
const MAX_PACKED_NAME: usize = 7;

/// A name as an integer: its bytes and length if it is short, otherwise a hash of its length and some of its first and
/// last bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct NameKey(u64);

impl NameKey {
    #[inline]
    fn of(name: &str) -> Self {
        let bytes = name.as_bytes();
        let length = bytes.len();
        let word = match (bytes.first_chunk::<4>(), bytes.last_chunk::<4>()) {
            (Some(first), Some(last)) if length <= MAX_PACKED_NAME => {
                let [first, last] = [first, last].map(|part| u64::from(u32::from_le_bytes(*part)));
                first | last << ((length - 4) * 8)
            }
            (Some(first), Some(last)) => {
                let [first, last] = [first, last].map(|part| u64::from(u32::from_le_bytes(*part)));
                first | (last & 0xFF_FFFF) << 32
            }
            _ => bytes.iter().rev().fold(0, |word, byte| word << 8 | u64::from(*byte)),
        };
        Self(word | (length.min(0xFF) as u64) << 56)
    }

    #[inline]
    const fn is_short(self) -> bool {
        self.0 >> 56 <= MAX_PACKED_NAME as u64
    }
}

/// An element whose start tag has been read and that is still on the stack.
#[derive(Clone, Copy, Debug)]
pub(crate) struct OpenElement {
    key: NameKey,
    /// Byte offset of the element's name, if long, in `OpenElements::long_names`.
    long_name_start: u32,
    pub(crate) namespace: Namespace,
    /// Whether the element is foreign, but its contents are in the dialect's own namespace.
    pub(crate) is_integration_point: bool,
    /// Whether the element is an integration point because of an attribute.
    is_integration_point_by_attribute: bool,
    /// Whether the element's text is written without escaping.
    pub(crate) is_literal: bool,
    /// Whether the element is known to have ended at a start tag inside it.
    pub(crate) is_ended: bool,
    /// Set of ids, as bits, of tags that are known to end neither the element nor one around it.
    inert_tags: u64,
    /// For an ended element: length of a stack prefix without open elements between its end and this element.
    open_prefix_len: u32,
    /// The id of the element's name in `NameIds`.
    name_id: u8,
    /// Set of name ids, as bits, of the closed elements directly inside this element.
    children: u128,
    /// The name ids of the last closed elements directly inside this element, each once, latest first; `u8::MAX` where
    /// there is none.
    last_children: [u8; MAX_LAST_CHILDREN],
}

impl OpenElement {
    #[inline]
    fn set_last_child(&mut self, name_id: u8) {
        if self.last_children[0] != name_id {
            let position = self.last_children.iter().position(|child| *child == name_id);
            self.last_children[..=position.unwrap_or(MAX_LAST_CHILDREN - 1)].rotate_right(1);
            self.last_children[0] = name_id;
        }
    }
}

/// Closed elements of one name that contained other elements.
#[derive(Clone, Copy, Debug)]
struct ClosedElements {
    /// The index of the open element that contained the closed ones.
    parent: usize,
    name_id: u8,
    /// Set of name ids, as bits, of the elements directly inside the closed ones.
    children: u128,
}

/// Interned ids for the first names of a page.
#[derive(Debug)]
struct NameIds {
    /// Open-addressing hash table from keys to ids, at most half full.
    slots: Box<[(u64, u8)]>,
    names: Vec<Box<str>>,
}

impl Default for NameIds {
    fn default() -> Self {
        Self { slots: vec![(0, 0); 2 * MAX_NAMES].into(), names: Vec::new() }
    }
}

impl NameIds {
    /// Returns the id of a name, or `MAX_NAMES`, which has no bit, once there are too many names.
    #[inline]
    fn intern(&mut self, key: NameKey, name: &str) -> u8 {
        let hash = key.0.wrapping_mul(0x9E37_79B9_7F4A_7C15) >> (u64::BITS - 8);
        let mut slot = hash as usize % self.slots.len();
        loop {
            match self.slots[slot] {
                (found, name_id) if found == key.0 => return name_id,
                (0, _) => return self.add(slot, key, name),
                _ => slot = (slot + 1) % self.slots.len(),
            }
        }
    }

    #[cold]
    fn add(&mut self, slot: usize, key: NameKey, name: &str) -> u8 {
        let name_id = self.names.len() as u8;
        if self.names.len() < MAX_NAMES {
            self.names.push(name.into());
            self.slots[slot] = (key.0, name_id);
        }
        name_id
    }

    /// Returns the names in a set of ids.
    fn names_of(&self, bits: u128) -> Vec<String> {
        let names = self.names.iter().enumerate();
        names
            .filter(|(name_id, _)| bits >> name_id & 1 == 1)
            .map(|(_, name)| name.to_string())
            .collect()
    }
}

/// Returns the bit of a name id, or 0 if the id has none.
fn bit(name_id: u8) -> u128 {
    1_u128.checked_shl(name_id.into()).unwrap_or(0)
}

/// The stack of open elements.
#[derive(Debug, Default)]
pub(crate) struct OpenElements {
    entries: Vec<OpenElement>,
    /// The concatenated names longer than `MAX_PACKED_NAME`.
    long_names: String,
    /// Number of elements of each name beyond `LINEAR_SEARCH_DEPTH`.
    deep_counts: HashMap<Box<str>, usize>,
    /// The names of the elements beyond `LINEAR_SEARCH_DEPTH`, outermost first.
    deep_names: Vec<Box<str>>,
    /// Number of outermost elements whose start tags have been processed for the ends that they imply.
    pub(crate) marked_len: usize,
    /// Index of the outermost element with closed children that have not been processed for the ends that they imply.
    pub(crate) first_unmarked_parent: usize,
    name_ids: NameIds,
    /// Closed elements with children, ordered by parent.
    closed: Vec<ClosedElements>,
}

impl OpenElements {
    #[inline]
    pub(crate) fn len(&self) -> usize {
        self.entries.len()
    }

    #[inline]
    pub(crate) fn last(&self) -> Option<&OpenElement> {
        self.entries.last()
    }

    /// Returns the element at an index of the stack, or `None` if the stack is shorter.
    pub(crate) fn get(&self, index: usize) -> Option<&OpenElement> {
        self.entries.get(index)
    }

    /// Returns the key of a name as an integer.
    pub(crate) fn name_key(name: &str) -> u64 {
        NameKey::of(name).0
    }

    /// Returns the name of the element at `index`.
    pub(crate) fn name(&self, index: usize) -> String {
        self.with_name(index, str::to_owned)
    }

    /// Calls `function` with the name of the element at `index`, without copying the name, and returns the result.
    pub(crate) fn with_name<R>(&self, index: usize, function: impl FnOnce(&str) -> R) -> R {
        let key = self.entries[index].key;
        if !key.is_short() {
            return function(self.long_name(index));
        }
        let length = (key.0 >> 56) as usize;
        function(str::from_utf8(&key.0.to_le_bytes()[..length]).unwrap_or_default())
    }

    /// Marks the innermost element as an integration point because of an attribute.
    pub(crate) fn mark_integration_point_by_attribute(&mut self) {
        if let Some(last) = self.entries.last_mut() {
            last.is_integration_point_by_attribute = true;
        }
    }

    /// Returns the indices, outermost first, of up to `count` elements that have not ended: the innermost ones below
    /// the index `below`. Stops at an integration point by attribute, since its name alone does not determine how it is
    /// parsed.
    pub(crate) fn innermost_chain(&mut self, below: usize, count: usize) -> Vec<usize> {
        let mut chain = Vec::new();
        let mut below = below;
        while chain.len() < count {
            let Some(index) = self.innermost_open(below) else { break };
            if self.entries[index].is_integration_point_by_attribute {
                break;
            }
            chain.push(index);
            below = index;
        }
        chain.reverse();
        chain
    }

    /// Returns the index of the innermost element that has not ended, among those below the index `below`; `None` if
    /// all have ended. Walks over ended elements compress the path.
    pub(crate) fn innermost_open(&mut self, below: usize) -> Option<usize> {
        let mut prefix_len = below;
        while prefix_len > 0 && self.entries[prefix_len - 1].is_ended {
            prefix_len = self.entries[prefix_len - 1].open_prefix_len as usize;
        }
        if prefix_len < below {
            self.entries[below - 1].open_prefix_len = prefix_len as u32;
        }
        prefix_len.checked_sub(1)
    }

    pub(crate) fn inert_tags(&self, index: usize) -> u64 {
        self.entries[index].inert_tags
    }

    pub(crate) fn add_inert_tag(&mut self, index: usize, bit: u64) {
        self.entries[index].inert_tags |= bit;
    }

    /// Whether an element has ended while one inside it is still open.
    pub(crate) fn ended_before_inner(&mut self, index: usize) -> bool {
        self.entries[index].is_ended
            && self.innermost_open(self.len()).is_some_and(|innermost| innermost > index)
    }

    /// Marks the element at `index` as ended, at its last closed child named `child` if it has one.
    pub(crate) fn mark_ended(&mut self, index: usize, child: &str) {
        let entry = &mut self.entries[index];
        entry.is_ended = true;
        entry.open_prefix_len = index as u32;
        // The last child named `child` and later ones, which precede it in the list, were closed after the element
        // ended, so they stay recorded.
        let is_child =
            |id: &u8| self.name_ids.names.get(usize::from(*id)).is_some_and(|it| **it == *child);
        let kept_len =
            entry.last_children.iter().position(is_child).map_or(0, |position| position + 1);
        entry.last_children[kept_len..].fill(u8::MAX);
    }

    /// Returns the names of the last elements closed inside the element at `index`, and of the ended elements between
    /// `index` and `below`, each followed by the last elements closed inside it.
    pub(crate) fn last_closed(&self, index: usize, below: usize) -> Vec<String> {
        let entries = self.entries[index..below].iter().enumerate();
        let ids = entries.flat_map(|(depth, entry)| {
            let ended_id = (depth > 0).then_some(entry.name_id);
            ended_id.into_iter().chain(entry.last_children.into_iter().rev())
        });
        ids.filter_map(|id| Some(self.name_ids.names.get(usize::from(id))?.to_string())).collect()
    }

    /// Returns the name of the element at `index`. The element's key must not be [short](NameKey::is_short).
    fn long_name(&self, index: usize) -> &str {
        let long_name_start = self.entries[index].long_name_start as usize;
        let end = self
            .entries
            .get(index + 1)
            .map_or(self.long_names.len(), |next| next.long_name_start as usize);
        &self.long_names[long_name_start..end]
    }

    #[inline]
    pub(crate) fn push(
        &mut self,
        name: &str,
        namespace: Namespace,
        is_integration_point: bool,
        is_literal: bool,
    ) {
        let (key, long_name_start) = (NameKey::of(name), self.long_names.len() as u32);
        if self.entries.len() >= LINEAR_SEARCH_DEPTH {
            self.count_deep_name(name);
        }
        self.entries.push(OpenElement {
            key,
            long_name_start,
            namespace,
            is_integration_point,
            is_integration_point_by_attribute: false,
            is_literal,
            is_ended: false,
            inert_tags: 0,
            open_prefix_len: 0,
            name_id: self.name_ids.intern(key, name),
            children: 0,
            last_children: [u8::MAX; MAX_LAST_CHILDREN],
        });
        if !key.is_short() {
            self.long_names.push_str(name);
        }
    }

    #[inline]
    pub(crate) fn pop(&mut self) {
        if self.entries.len() > LINEAR_SEARCH_DEPTH {
            self.uncount_deep_name();
        }
        if let Some(entry) = self.entries.pop() {
            self.long_names.truncate(entry.long_name_start as usize);
            self.record_closed(entry.name_id, entry.children);
            if entry.is_ended
                && let Some(parent) = self.entries.last_mut()
            {
                let later_children = entry.last_children.into_iter().rev();
                later_children
                    .filter(|child| *child != u8::MAX)
                    .for_each(|it| parent.set_last_child(it));
            }
        }
        self.marked_len = self.marked_len.min(self.entries.len());
    }

    /// Records an element without contents as a closed child of the innermost element.
    #[inline]
    pub(crate) fn record_void(&mut self, name: &str) {
        let name_id = self.name_ids.intern(NameKey::of(name), name);
        self.record_closed(name_id, 0);
    }

    /// Records a closed child of the innermost element, and the names of its own children.
    #[inline]
    fn record_closed(&mut self, name_id: u8, children: u128) {
        let below = self.entries.len();
        if let Some(parent) = self.entries.last_mut() {
            parent.children |= bit(name_id);
            parent.set_last_child(name_id);
            self.first_unmarked_parent = self.first_unmarked_parent.min(below - 1);
        }
        while self.closed.pop_if(|inner| inner.parent >= below).is_some() {}
        if children != 0 {
            self.record_nested(name_id, children);
        }
    }

    /// Records the children of a closed element. Deeper descendants are dropped: without the elements around them, they
    /// would seem to end more than they did.
    fn record_nested(&mut self, name_id: u8, children: u128) {
        let below = self.entries.len();
        let Some(parent) = below.checked_sub(1) else { return };
        let siblings = self.closed.iter_mut().rev().take_while(|closed| closed.parent == parent);
        match { siblings }.find(|closed| closed.name_id == name_id) {
            Some(same) => same.children |= children,
            None => self.closed.push(ClosedElements { parent, name_id, children }),
        }
    }

    /// Removes and returns the closed children recorded for the element at `index`: the names of all of them, and the
    /// names of those that had children, each with the names of these children.
    pub(crate) fn take_closed(
        &mut self,
        index: usize,
    ) -> (Vec<String>, Vec<(String, Vec<String>)>) {
        let children = std::mem::take(&mut self.entries[index].children);
        let from = self.closed.partition_point(|closed| closed.parent < index);
        let to = self.closed.partition_point(|closed| closed.parent <= index);
        let name = |closed: &ClosedElements| {
            Some(self.name_ids.names.get(usize::from(closed.name_id))?.to_string())
        };
        let nested = self.closed[from..to]
            .iter()
            .filter_map(|closed| Some((name(closed)?, self.name_ids.names_of(closed.children))))
            .collect();
        self.closed.drain(from..to);
        (self.name_ids.names_of(children), nested)
    }

    #[cold]
    fn count_deep_name(&mut self, name: &str) {
        *self.deep_counts.entry(name.into()).or_default() += 1;
        self.deep_names.push(name.into());
    }

    #[cold]
    fn uncount_deep_name(&mut self) {
        let Some(name) = self.deep_names.pop() else { return };
        if let Some(count) = self.deep_counts.get_mut(&name) {
            *count -= 1;
            if *count == 0 {
                self.deep_counts.remove(&name);
            }
        }
    }

    /// Returns the index of the innermost element named `name`, or `None` if there is none.
    #[inline]
    pub(crate) fn find(&self, name: &str) -> Option<usize> {
        let key = NameKey::of(name);
        let is_deep =
            self.entries.len() > LINEAR_SEARCH_DEPTH && self.deep_counts.contains_key(name);
        let search_end =
            if is_deep { self.entries.len() } else { self.entries.len().min(LINEAR_SEARCH_DEPTH) };
        let is_same = |index: usize| key.is_short() || self.long_name(index) == name;
        (0..search_end).rev().find(|index| self.entries[*index].key == key && is_same(*index))
    }

    /// Returns the approximate heap memory in bytes.
    pub(crate) fn memory_usage(&self) -> usize {
        let deep_names_size = self.deep_names.len() * 96;
        let closed_size = self.closed.len() * size_of::<ClosedElements>();
        self.entries.len() * size_of::<OpenElement>()
            + self.long_names.len()
            + deep_names_size
            + closed_size
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn finds_each_open_name() {
        let names =
            ["a", "em", "div", "font", "table", "button", "section", "textarea", "textareb"];
        let long_names = ["x-abcdefgh", "x-abcdefgx", "x-bbcdefgh"];
        let mut open = OpenElements::default();
        for round in 0..30 {
            for name in names.iter().chain(&long_names) {
                assert_eq!(open.find(name).is_some(), round > 0, "{name}");
            }
            names.iter().chain(&long_names).for_each(|name| {
                open.push(name, Namespace::HTML, false, false);
                assert_eq!(open.find(name), Some(open.len() - 1));
                assert_eq!(open.name(open.len() - 1), *name);
            });
        }
        while open.len() > 0 {
            let all_names = names.iter().chain(&long_names);
            let name = all_names.clone().nth((open.len() - 1) % all_names.count()).unwrap();
            assert_eq!(open.find(name), Some(open.len() - 1));
            open.pop();
        }
        assert!(
            open.deep_counts.is_empty() && open.long_names.is_empty() && open.find("a").is_none()
        );
    }

    #[test]
    fn distinguishes_names_that_differ_in_one_bit() {
        for length in 1..=12 {
            for letter in b'a'..=b'z' {
                let name = vec![letter; length];
                let mut open = OpenElements::default();
                let to_text = |name: &[u8]| String::from_utf8(name.to_owned()).unwrap();
                open.push(&to_text(&name), Namespace::HTML, false, false);
                assert_eq!(open.find(&to_text(&name)), Some(0));
                for (index, bit) in
                    (0..length).flat_map(|index| (0..5).map(move |bit| (index, bit)))
                {
                    let mut other = name.clone();
                    other[index] ^= 1 << bit;
                    assert_eq!(open.find(&to_text(&other)), None, "{name:?} {other:?}");
                }
                assert_eq!(open.find(&to_text(&name[1..])), None);
            }
        }
        let mut open = OpenElements::default();
        open.push("aé", Namespace::HTML, false, false);
        assert_eq!((open.find("aé"), open.find("aè")), (Some(0), None));
    }
}
