//! Strings to numbers and back. It forgets nothing. Invariant: equal strings have one number, and the numbers of a known
//! list are those of the list.

use super::known::{Ends, KnownNames, NO_NAMES, Written};
use std::fmt;
use std::hash::{BuildHasher, RandomState};

/// Slots of the cache of strings seen lately.
const CACHE: usize = 256;

/// A string seen lately.
#[derive(Clone, Copy)]
struct Seen {
    head: u64,
    tail: u64,
    length: u32,
    number: u32,
}

impl Seen {
    /// A slot that is free: no string is so long.
    const NONE: Self = Self { head: 0, tail: 0, length: u32::MAX, number: 0 };

    #[inline]
    const fn new(ends: Ends, number: u32) -> Self {
        Self { head: ends.head, tail: ends.tail, length: ends.length, number }
    }

    /// Whether the string may be one with these ends.
    #[inline]
    const fn has(&self, ends: Ends) -> bool {
        self.head == ends.head && self.tail == ends.tail && self.length == ends.length
    }
}

/// Numbers strings in the order in which they come, behind the known ones.
#[derive(Clone)]
pub(super) struct Interner {
    known: &'static KnownNames,
    /// The strings that are not known, one behind the other.
    text: String,
    /// The ends of the strings in `text`.
    ends: Vec<usize>,
    /// An open table of indices of `ends` plus 1; free slots are 0; at most half full.
    slots: Vec<u32>,
    /// Hashes with a key of its own, so that no input can aim at one chain of the table.
    hasher: RandomState,
    /// By a cheap hash: most names come again and again, and are found here. Empty until there is a name.
    cache: Vec<Seen>,
}

impl Interner {
    pub(super) fn new(known: &'static KnownNames) -> Self {
        Self {
            known,
            text: String::new(),
            ends: Vec::new(),
            slots: Vec::new(),
            hasher: RandomState::new(),
            cache: Vec::new(),
        }
    }

    /// No strings, with the room of these.
    pub(super) fn emptied(mut self) -> Self {
        self.text.clear();
        self.ends.clear();
        self.slots.fill(0);
        let Self { text, ends, slots, .. } = self;
        Self { text, ends, slots, ..Self::default() }
    }

    /// Takes a known list if no string has a number yet. Whether the list holds now.
    pub(super) fn seed(&mut self, known: &'static KnownNames) -> bool {
        if self.ends.is_empty() && self.known.list().is_empty() {
            self.known = known;
        }
        std::ptr::eq(self.known, known) || self.known.list() == known.list()
    }

    /// The number of a string, a new one if need be.
    #[inline]
    pub(super) fn intern(&mut self, string: &str) -> u32 {
        self.intern_written(Written::of(string.as_bytes()))
    }

    /// The same of a string as it is written, of which nothing else is asked if it was seen lately.
    #[inline]
    pub(super) fn intern_written(&mut self, string: Written<'_>) -> u32 {
        let Written { bytes, ends } = string;
        if let Some(seen) = self.cache.get(place(ends))
            && seen.has(ends)
            && (ends.are_all() || self.get(seen.number).as_bytes() == bytes)
        {
            return seen.number;
        }
        self.intern_slowly(bytes)
    }

    /// The same of the part of a text from one offset to another.
    #[inline(always)]
    pub(super) fn intern_part(&mut self, text: &[u8], start: usize, end: usize) -> u32 {
        if let Some(ends) = Ends::in_text(text, start, end)
            && let Some(seen) = self.cache.get(place(ends))
            && seen.has(ends)
        {
            return seen.number;
        }
        self.intern_rare(text, start, end)
    }

    /// The same of a part that is long, stands at the end of the text, or was not seen lately.
    #[cold]
    #[inline(never)]
    fn intern_rare(&mut self, text: &[u8], start: usize, end: usize) -> u32 {
        self.intern_written(Written::of(text.get(start..end).unwrap_or_default()))
    }

    #[inline(never)]
    fn intern_slowly(&mut self, string: &[u8]) -> u32 {
        let ends = Ends::of(string);
        let id = self.known.find_hashed(string, ends.hash()).unwrap_or_else(|| {
            let index = match self.find_unknown(string) {
                Ok(index) => index,
                Err(slot) => self.add(string, slot),
            };
            self.id(index)
        });
        if self.cache.is_empty() {
            self.cache = vec![Seen::NONE; CACHE];
        }
        self.cache[place(ends)] = Seen::new(ends, id);
        id
    }

    /// The number of a string that has one.
    pub(super) fn find(&self, string: &str) -> Option<u32> {
        let known = self.known.find(string);
        known.or_else(|| self.find_unknown(string.as_bytes()).ok().map(|index| self.id(index)))
    }

    /// The string of a number.
    #[inline]
    pub(super) fn get(&self, id: u32) -> &str {
        match self.known.list().get(id as usize) {
            Some(name) => name,
            None => self.unknown(id as usize - self.known.list().len()),
        }
    }

    /// Bytes on the heap.
    pub(super) fn heap_size(&self) -> usize {
        self.text.capacity()
            + self.ends.capacity() * size_of::<usize>()
            + self.slots.capacity() * size_of::<u32>()
            + self.cache.capacity() * size_of::<Seen>()
    }

    fn id(&self, index: usize) -> u32 {
        (self.known.list().len() + index) as u32
    }

    #[inline]
    fn unknown(&self, index: usize) -> &str {
        let start = index.checked_sub(1).map_or(0, |previous| self.ends[previous]);
        &self.text[start..self.ends[index]]
    }

    /// The index of a string, or the free slot where it belongs.
    fn find_unknown(&self, string: &[u8]) -> Result<usize, usize> {
        let mask = self.slots.len().wrapping_sub(1);
        let mut slot = self.hasher.hash_one(string) as usize & mask;
        while let Some(&entry) = self.slots.get(slot) {
            let Some(index) = (entry as usize).checked_sub(1) else { return Err(slot) };
            if self.unknown(index).as_bytes() == string {
                return Ok(index);
            }
            slot = (slot + 1) & mask;
        }
        Err(slot)
    }

    #[cold]
    fn add(&mut self, string: &[u8], slot: usize) -> usize {
        let index = self.ends.len();
        self.text.push_str(&String::from_utf8_lossy(string));
        self.ends.push(self.text.len());
        if (index + 1) * 2 > self.slots.len() {
            self.rebuild();
        } else {
            self.slots[slot] = index as u32 + 1;
        }
        index
    }

    fn rebuild(&mut self) {
        let size = (self.ends.len() * 4).next_power_of_two().max(16);
        self.slots.clear();
        self.slots.resize(size, 0);
        for index in 0..self.ends.len() {
            let mut slot =
                self.hasher.hash_one(self.unknown(index).as_bytes()) as usize & (size - 1);
            while self.slots[slot] != 0 {
                slot = (slot + 1) & (size - 1);
            }
            self.slots[slot] = index as u32 + 1;
        }
    }
}

/// The slot of the cache for a string with these ends.
#[inline(always)]
const fn place(ends: Ends) -> usize {
    let mixed = (ends.head ^ ends.tail.rotate_left(32)).wrapping_mul(0xD6E8_FEB8_6659_FD93);
    (mixed >> (u64::BITS - CACHE.ilog2())) as usize
}

impl Default for Interner {
    fn default() -> Self {
        Self::new(&NO_NAMES)
    }
}

impl fmt::Debug for Interner {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter
            .debug_list()
            .entries((0..self.ends.len()).map(|index| self.unknown(index)))
            .finish()
    }
}
