//! Strings to numbers and back. It forgets nothing. Invariant: equal strings have one number, and the numbers of a known
//! list are those of the list.

use super::known::{Ends, KnownNames, NO_NAMES, Written};
use std::fmt;
use std::hash::{BuildHasher, RandomState};

/// The room that the first string makes: for so many strings, and for their bytes.
const FIRST: usize = 64;
const FIRST_BYTES: usize = 512;

/// A string seen lately.
#[derive(Clone, Copy)]
struct Seen {
    ends: Ends,
    number: u32,
}

impl Seen {
    /// A place where no string has been yet.
    const NONE: Self = Self { ends: Ends::NONE, number: u32::MAX };

    #[inline]
    fn is_none(&self) -> bool {
        self.ends == Ends::NONE
    }
}

/// Numbers strings in the order in which they come, behind the known ones.
///
/// Most come again and again, and are found by a cheap hash among the `SEEN` ones that were seen lately. What belongs to a
/// place there where none has been yet is new. A string that loses its place to another one goes to a table: so a string
/// is in one of both, and only where places are contended, maybe on purpose, it costs a hash that no input can aim at.
#[derive(Clone)]
pub(super) struct Interner<const SEEN: usize> {
    known: &'static KnownNames,
    /// The strings that are not known, one behind the other.
    text: String,
    /// The ends of the strings in `text`.
    ends: Vec<usize>,
    /// An open table of indices of `ends` plus 1; free slots are 0; at most half full.
    slots: Vec<u32>,
    /// How many strings it holds.
    held: usize,
    /// Hashes with a key of its own, so that no input can aim at one chain of the table.
    hasher: RandomState,
    /// By their cheap hash.
    seen: Box<[Seen; SEEN]>,
}

impl<const SEEN: usize> Interner<SEEN> {
    pub(super) fn new(known: &'static KnownNames) -> Self {
        Self {
            known,
            text: String::new(),
            ends: Vec::new(),
            slots: Vec::new(),
            held: 0,
            hasher: RandomState::new(),
            seen: nothing_seen(),
        }
    }

    /// No strings, with the room of these.
    pub(super) fn emptied(mut self) -> Self {
        self.text.clear();
        self.ends.clear();
        self.slots.fill(0);
        self.seen.fill(Seen::NONE);
        Self { known: &NO_NAMES, held: 0, hasher: RandomState::new(), ..self }
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
        match self.seen_lately(string) {
            Some(number) => number,
            None => self.intern_slowly(&String::from_utf8_lossy(string.bytes), string.ends),
        }
    }

    /// The same of the part of a text from one offset to another.
    #[inline(always)]
    pub(super) fn intern_part(&mut self, text: &str, start: usize, end: usize) -> u32 {
        if let Some(ends) = Ends::in_text(text.as_bytes(), start, end) {
            let seen = &self.seen[place::<SEEN>(ends)];
            if seen.ends == ends {
                return seen.number;
            }
        }
        self.intern_rare(text, start, end)
    }

    /// The same of a part that is long, stands at the end of the text, or was not seen lately.
    #[cold]
    #[inline(never)]
    fn intern_rare(&mut self, text: &str, start: usize, end: usize) -> u32 {
        let string = text.get(start..end).unwrap_or_default();
        match Ends::in_text(text.as_bytes(), start, end) {
            Some(ends) => self.intern_slowly(string, ends),
            None => self.intern(string),
        }
    }

    /// The number of a string that was seen lately.
    #[inline]
    fn seen_lately(&self, Written { bytes, ends }: Written<'_>) -> Option<u32> {
        let seen = &self.seen[place::<SEEN>(ends)];
        let is_it =
            seen.ends == ends && (ends.are_all() || self.get(seen.number).as_bytes() == bytes);
        is_it.then_some(seen.number)
    }

    /// The number of a string that was not seen lately, but is now.
    #[inline(never)]
    fn intern_slowly(&mut self, string: &str, ends: Ends) -> u32 {
        let before = self.seen[place::<SEEN>(ends)];
        let number = match self.known.find_hashed(string.as_bytes(), ends.hash()) {
            Some(number) => number,
            None if before.is_none() => self.add(string),
            None => match self.find_held(string) {
                Ok(index) => self.id(index),
                Err(_) => self.add(string),
            },
        };
        self.seen[place::<SEEN>(ends)] = Seen { ends, number };
        if !before.is_none() {
            self.hold(before.number);
        }
        number
    }

    /// The number of a string that has one.
    pub(super) fn find(&self, string: &str) -> Option<u32> {
        let seen = || self.seen_lately(Written::of(string.as_bytes()));
        let held = || self.find_held(string).ok().map(|index| self.id(index));
        self.known.find(string).or_else(seen).or_else(held)
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
            + size_of_val(&*self.seen)
    }

    fn id(&self, index: usize) -> u32 {
        (self.known.list().len() + index) as u32
    }

    #[inline]
    fn unknown(&self, index: usize) -> &str {
        let start = index.checked_sub(1).map_or(0, |previous| self.ends[previous]);
        &self.text[start..self.ends[index]]
    }

    /// The index of a string that the table holds, or the free slot where it belongs.
    fn find_held(&self, string: &str) -> Result<usize, usize> {
        let mask = self.slots.len().wrapping_sub(1);
        let mut slot = self.hasher.hash_one(string.as_bytes()) as usize & mask;
        while let Some(&entry) = self.slots.get(slot) {
            let Some(index) = (entry as usize).checked_sub(1) else { return Err(slot) };
            if self.unknown(index) == string {
                return Ok(index);
            }
            slot = (slot + 1) & mask;
        }
        Err(slot)
    }

    /// The number of a new string.
    fn add(&mut self, string: &str) -> u32 {
        let index = self.ends.len();
        if index == 0 {
            self.ends.reserve(FIRST);
            self.text.reserve(FIRST_BYTES);
        }
        self.text.push_str(string);
        self.ends.push(self.text.len());
        self.id(index)
    }

    /// The table holds the string of this number, unless it is a known one.
    fn hold(&mut self, number: u32) {
        let Some(index) = (number as usize).checked_sub(self.known.list().len()) else { return };
        let Err(slot) = self.find_held(self.unknown(index)) else { return };
        self.held += 1;
        if self.held * 2 <= self.slots.len() {
            self.slots[slot] = index as u32 + 1;
        } else {
            self.widen(index);
        }
    }

    /// The table gets room for more, this one among them.
    fn widen(&mut self, index: usize) {
        let size = (self.held * 4).next_power_of_two().max(16);
        let held = std::mem::replace(&mut self.slots, vec![0; size]);
        for entry in held.into_iter().chain([index as u32 + 1]).filter(|&entry| entry != 0) {
            if let Err(slot) = self.find_held(self.unknown(entry as usize - 1)) {
                self.slots[slot] = entry;
            }
        }
    }
}

/// No strings seen, made where they are to be.
fn nothing_seen<const SEEN: usize>() -> Box<[Seen; SEEN]> {
    vec![Seen::NONE; SEEN].try_into().unwrap_or_else(|_| Box::new([Seen::NONE; SEEN]))
}

/// The place among `SEEN` for a string with these ends.
#[inline(always)]
const fn place<const SEEN: usize>(ends: Ends) -> usize {
    const { assert!(SEEN.is_power_of_two() && SEEN > 1) };
    let mixed = (ends.head ^ ends.tail.rotate_left(32)).wrapping_mul(0xD6E8_FEB8_6659_FD93);
    (mixed >> (u64::BITS - SEEN.ilog2())) as usize
}

impl<const SEEN: usize> Default for Interner<SEEN> {
    fn default() -> Self {
        Self::new(&NO_NAMES)
    }
}

impl<const SEEN: usize> fmt::Debug for Interner<SEEN> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter
            .debug_list()
            .entries((0..self.ends.len()).map(|index| self.unknown(index)))
            .finish()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A string has one number, wherever it is found, also where places are few.
    #[test]
    fn a_string_has_one_number_wherever_it_is_kept() {
        static LIST: [&str; 2] = ["a", "section"];
        static SLOTS: [u16; 4] = KnownNames::slots(&LIST);
        static KNOWN: KnownNames = KnownNames::new(&LIST, &SLOTS);
        let strings: Vec<String> = (0..300)
            .flat_map(|n: u32| {
                [format!("n{n}"), format!("a name that is long {n}"), format!("{n:016}")]
            })
            .chain(["", "\0", "a\0", "\u{1}\u{1}", "section"].map(str::to_owned))
            .collect();
        let mut few = Interner::<2>::new(&KNOWN);
        let mut many = Interner::<4096>::new(&KNOWN);
        assert_eq!(few.find("n0"), None);
        for round in 0..3 {
            for string in &strings {
                let text = format!("<{string} and more behind it");
                let number = few.intern(string);
                assert_eq!(few.intern_part(&text, 1, 1 + string.len()), number, "{round}");
                assert_eq!(many.intern(string), number, "{string:?} {round}");
                assert_eq!((few.get(number), few.find(string)), (&string[..], Some(number)));
            }
        }
        assert_eq!(few.intern("section"), 1);
        assert_eq!(few.ends.len(), strings.len() - 1);
        assert!(few.held + 3 > few.ends.len() && few.held * 2 <= few.slots.len());
        let emptied = few.emptied();
        assert!(strings.iter().all(|string| emptied.find(string).is_none()));
    }
}
