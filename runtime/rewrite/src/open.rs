//! The elements that are open, as their tags say: an end tag ends the innermost element of its name, and those inside of
//! it. Finding an element takes a bounded number of steps, or as many as it closes.

use std::collections::HashMap;
use tabulex_core::tree::Namespace;

/// Depth up to which elements are searched one by one.
const LINEAR_SEARCH_DEPTH: usize = 64;

/// Maximum number of names distinguished among the elements inside of another one.
const MAX_NAMES: usize = u128::BITS as usize;

/// Maximum length of a name that is packed into a number, in bytes.
const MAX_PACKED_NAME: usize = 7;

/// A name: if it is short, as a number; else the number of those that are as long and begin alike.
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

/// An open element.
#[derive(Clone, Copy, Debug)]
pub(crate) struct OpenElement {
    key: NameKey,
    /// Where its name begins among the long ones.
    start: u32,
    pub(crate) namespace: Namespace,
    /// Whether it holds the dialect's own content, though it is foreign.
    pub(crate) is_point: bool,
    /// Whether it is such an element because of an attribute.
    is_point_by_attribute: bool,
    /// Whether its text is written literally.
    pub(crate) is_literal: bool,
    /// Whether a start tag inside of it is known to have ended it.
    pub(crate) is_ended: bool,
    /// For some names a bit: whether a start tag directly inside is known to end neither the element nor one around it.
    ends_none: u64,
    /// Of an element that has ended: the number of elements among which the innermost one around it is that has not.
    around: u32,
    /// The number of its name.
    number: u8,
    /// The numbers of the names of closed elements directly inside, a bit for each.
    children: u128,
}

/// Closed elements of one name that have had elements inside.
#[derive(Clone, Copy, Debug)]
struct Closed {
    /// The index of the open element around them.
    parent: usize,
    number: u8,
    /// The numbers of the names of the elements inside, a bit for each.
    children: u128,
}

/// Sequential numbers of the first names of a page.
#[derive(Debug)]
struct NameNumbers {
    /// Keys with their numbers, each at or after the slot of its hash; half of the slots are free.
    slots: Box<[(u64, u8)]>,
    names: Vec<Box<str>>,
}

impl Default for NameNumbers {
    fn default() -> Self {
        Self { slots: vec![(0, 0); 2 * MAX_NAMES].into(), names: Vec::new() }
    }
}

impl NameNumbers {
    /// The number of a name, or one that has no bit if there are too many names.
    #[inline]
    fn number(&mut self, key: NameKey, name: &str) -> u8 {
        let hash = key.0.wrapping_mul(0x9E37_79B9_7F4A_7C15) >> (u64::BITS - 8);
        let mut slot = hash as usize % self.slots.len();
        loop {
            match self.slots[slot] {
                (found, number) if found == key.0 => return number,
                (0, _) => return self.add(slot, key, name),
                _ => slot = (slot + 1) % self.slots.len(),
            }
        }
    }

    #[cold]
    fn add(&mut self, slot: usize, key: NameKey, name: &str) -> u8 {
        let number = self.names.len() as u8;
        if self.names.len() < MAX_NAMES {
            self.names.push(name.into());
            self.slots[slot] = (key.0, number);
        }
        number
    }

    /// The names of the numbers that have a bit.
    fn names(&self, bits: u128) -> Vec<String> {
        let names = self.names.iter().enumerate();
        names
            .filter(|(number, _)| bits >> number & 1 == 1)
            .map(|(_, name)| name.to_string())
            .collect()
    }
}

/// The bit of a number, if it has one.
fn bit(number: u8) -> u128 {
    1_u128.checked_shl(number.into()).unwrap_or(0)
}

/// The stack of open elements.
#[derive(Debug, Default)]
pub(crate) struct OpenElements {
    entries: Vec<OpenElement>,
    /// The long names, one after the other.
    names: String,
    /// How many there are of each name, above the first few.
    above: HashMap<Box<str>, usize>,
    /// Those names.
    above_names: Vec<Box<str>>,
    /// The number of elements of which it is known which others their start tags ended.
    pub(crate) marked: usize,
    /// The index of the outermost element with closed elements inside of which that is not known.
    pub(crate) first_unmarked: usize,
    numbers: NameNumbers,
    /// In the order of their parents.
    closed: Vec<Closed>,
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

    /// The element at an index.
    pub(crate) fn get(&self, index: usize) -> Option<&OpenElement> {
        self.entries.get(index)
    }

    /// The number that stands for a name.
    pub(crate) fn key(name: &str) -> u64 {
        NameKey::of(name).0
    }

    /// The name of the element at this index.
    pub(crate) fn name(&self, index: usize) -> String {
        let key = self.entries[index].key;
        if !key.is_short() {
            return self.long_name(index).to_owned();
        }
        let length = (key.0 >> 56) as usize;
        String::from_utf8_lossy(&key.0.to_le_bytes()[..length]).into_owned()
    }

    /// Notes that the innermost element holds the dialect's own content because of an attribute.
    pub(crate) fn depend_on_attribute(&mut self) {
        if let Some(last) = self.entries.last_mut() {
            last.is_point_by_attribute = true;
        }
    }

    /// The innermost elements below an index that have not ended, outermost first. What is around a foreign element that holds
    /// the dialect's own because of an attribute is not among them, as names do not tell how it is read.
    pub(crate) fn innermost(&mut self, below: usize, count: usize) -> Vec<usize> {
        let mut found = Vec::new();
        let mut below = below;
        while found.len() < count {
            let Some(index) = self.innermost_open(below) else { break };
            if self.entries[index].is_point_by_attribute {
                break;
            }
            found.push(index);
            below = index;
        }
        found.reverse();
        found
    }

    /// The innermost element below an index that has not ended. Walks over ended elements are shortened.
    pub(crate) fn innermost_open(&mut self, below: usize) -> Option<usize> {
        let mut at = below;
        while at > 0 && self.entries[at - 1].is_ended {
            at = self.entries[at - 1].around as usize;
        }
        if at < below {
            self.entries[below - 1].around = at as u32;
        }
        at.checked_sub(1)
    }

    pub(crate) fn ends_none(&self, index: usize) -> u64 {
        self.entries[index].ends_none
    }

    pub(crate) fn set_ends_none(&mut self, index: usize, bit: u64) {
        self.entries[index].ends_none |= bit;
    }

    /// Whether an element has ended, and one inside of it has not.
    pub(crate) fn is_over(&mut self, index: usize) -> bool {
        self.entries[index].is_ended
            && self.innermost_open(self.len()).is_some_and(|live| live > index)
    }

    /// Notes that an element has ended.
    pub(crate) fn end(&mut self, index: usize) {
        self.entries[index].is_ended = true;
        self.entries[index].around = index as u32;
    }

    /// The long name of the element at this index.
    fn long_name(&self, index: usize) -> &str {
        let start = self.entries[index].start as usize;
        let end = self.entries.get(index + 1).map_or(self.names.len(), |next| next.start as usize);
        &self.names[start..end]
    }

    #[inline]
    pub(crate) fn push(
        &mut self,
        name: &str,
        namespace: Namespace,
        is_point: bool,
        is_literal: bool,
    ) {
        let (key, start) = (NameKey::of(name), self.names.len() as u32);
        if self.entries.len() >= LINEAR_SEARCH_DEPTH {
            self.count_up(name);
        }
        self.entries.push(OpenElement {
            key,
            start,
            namespace,
            is_point,
            is_point_by_attribute: false,
            is_literal,
            is_ended: false,
            ends_none: 0,
            around: 0,
            number: self.numbers.number(key, name),
            children: 0,
        });
        if !key.is_short() {
            self.names.push_str(name);
        }
    }

    #[inline]
    pub(crate) fn pop(&mut self) {
        if self.entries.len() > LINEAR_SEARCH_DEPTH {
            self.count_down();
        }
        if let Some(entry) = self.entries.pop() {
            self.names.truncate(entry.start as usize);
            self.note_closed(entry.number, entry.children);
        }
        self.marked = self.marked.min(self.entries.len());
    }

    /// Notes an element without contents inside of the innermost element.
    #[inline]
    pub(crate) fn note_void(&mut self, name: &str) {
        let number = self.numbers.number(NameKey::of(name), name);
        self.note_closed(number, 0);
    }

    /// Notes a closed element inside of the innermost one.
    #[inline]
    fn note_closed(&mut self, number: u8, children: u128) {
        let below = self.entries.len();
        if let Some(parent) = self.entries.last_mut() {
            parent.children |= bit(number);
            self.first_unmarked = self.first_unmarked.min(below - 1);
        }
        while self.closed.pop_if(|inner| inner.parent >= below).is_some() {}
        if children != 0 {
            self.note_nested(number, children);
        }
    }

    /// Notes which elements a closed one had directly inside. What was deeper is forgotten: without what was around it, it would
    /// seem to have ended more than it did.
    fn note_nested(&mut self, number: u8, children: u128) {
        let below = self.entries.len();
        let Some(parent) = below.checked_sub(1) else { return };
        let siblings = self.closed.iter_mut().rev().take_while(|closed| closed.parent == parent);
        match { siblings }.find(|closed| closed.number == number) {
            Some(same) => same.children |= children,
            None => self.closed.push(Closed { parent, number, children }),
        }
    }

    /// Takes the names of the closed elements in the element at an index, and what had elements inside with their names.
    pub(crate) fn take_closed(
        &mut self,
        index: usize,
    ) -> (Vec<String>, Vec<(String, Vec<String>)>) {
        let children = std::mem::take(&mut self.entries[index].children);
        let from = self.closed.partition_point(|closed| closed.parent < index);
        let to = self.closed.partition_point(|closed| closed.parent <= index);
        let name =
            |closed: &Closed| Some(self.numbers.names.get(usize::from(closed.number))?.to_string());
        let nested = self.closed[from..to]
            .iter()
            .filter_map(|closed| Some((name(closed)?, self.numbers.names(closed.children))))
            .collect();
        self.closed.drain(from..to);
        (self.numbers.names(children), nested)
    }

    #[cold]
    fn count_up(&mut self, name: &str) {
        *self.above.entry(name.into()).or_default() += 1;
        self.above_names.push(name.into());
    }

    #[cold]
    fn count_down(&mut self) {
        let Some(name) = self.above_names.pop() else { return };
        if let Some(count) = self.above.get_mut(&name) {
            *count -= 1;
            if *count == 0 {
                self.above.remove(&name);
            }
        }
    }

    /// The innermost element of this name.
    #[inline]
    pub(crate) fn find(&self, name: &str) -> Option<usize> {
        let key = NameKey::of(name);
        let is_above = self.entries.len() > LINEAR_SEARCH_DEPTH && self.above.contains_key(name);
        let from =
            if is_above { self.entries.len() } else { self.entries.len().min(LINEAR_SEARCH_DEPTH) };
        let is_same = |index: usize| key.is_short() || self.long_name(index) == name;
        (0..from).rev().find(|index| self.entries[*index].key == key && is_same(*index))
    }

    /// How many bytes are held.
    pub(crate) fn memory_usage(&self) -> usize {
        let above = self.above_names.len() * 96;
        let closed = self.closed.len() * size_of::<Closed>();
        self.entries.len() * size_of::<OpenElement>() + self.names.len() + above + closed
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_name_is_found_again() {
        let names =
            ["a", "em", "div", "font", "table", "button", "section", "textarea", "textareb"];
        let long = ["x-abcdefgh", "x-abcdefgx", "x-bbcdefgh"];
        let mut open = OpenElements::default();
        for round in 0..30 {
            for name in names.iter().chain(&long) {
                assert_eq!(open.find(name).is_some(), round > 0, "{name}");
            }
            names.iter().chain(&long).for_each(|name| {
                open.push(name, Namespace::HTML, false, false);
                assert_eq!(open.find(name), Some(open.len() - 1));
                assert_eq!(open.name(open.len() - 1), *name);
            });
        }
        while open.len() > 0 {
            let all = names.iter().chain(&long);
            let name = all.clone().nth((open.len() - 1) % all.count()).unwrap();
            assert_eq!(open.find(name), Some(open.len() - 1));
            open.pop();
        }
        assert!(open.above.is_empty() && open.names.is_empty() && open.find("a").is_none());
    }

    /// Names that differ in one bit of one byte are two, whatever the others are.
    #[test]
    fn other_names_are_not_found() {
        for length in 1..=12 {
            for letter in b'a'..=b'z' {
                let name = vec![letter; length];
                let mut open = OpenElements::default();
                let text = |name: &[u8]| String::from_utf8(name.to_owned()).unwrap();
                open.push(&text(&name), Namespace::HTML, false, false);
                assert_eq!(open.find(&text(&name)), Some(0));
                for (context, bit) in
                    (0..length).flat_map(|context| (0..5).map(move |bit| (context, bit)))
                {
                    let mut other = name.clone();
                    other[context] ^= 1 << bit;
                    assert_eq!(open.find(&text(&other)), None, "{name:?} {other:?}");
                }
                assert_eq!(open.find(&text(&name[1..])), None);
            }
        }
        let mut open = OpenElements::default();
        open.push("aé", Namespace::HTML, false, false);
        assert_eq!((open.find("aé"), open.find("aè")), (Some(0), None));
    }
}
