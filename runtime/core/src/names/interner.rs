//! A string interner in which the names of a known list have the first ids.

use super::known::{KnownNames, NO_NAMES};
use super::name_key::{NameKey, NameLookup};
use super::recent_names::RecentNames;
use std::fmt;
use std::hash::{BuildHasher, RandomState};

/// The number of strings for which capacity is reserved when the first string is stored.
const INITIAL_STRINGS: usize = 64;
/// The bytes of text for which capacity is reserved when the first string is stored.
const INITIAL_TEXT_BYTES: usize = 512;

/// An interner of strings. New strings get consecutive ids, after those of the known names.
///
/// Most strings recur and are found by a cheap hash in a cache of recent names with `ENTRIES` entries. A name evicted
/// from the cache is added to a hash table, unless it is a known name. A string that is neither known nor cached is
/// therefore new if nothing was evicted from its entries; otherwise it is looked up in the table. An input may force
/// collisions in the cache, but not in the table, because its hash is keyed.
#[derive(Clone)]
pub(super) struct Interner<const ENTRIES: usize> {
    known: &'static KnownNames,
    /// The concatenated strings that are not known names.
    text: String,
    /// The end offset of each string in `text`.
    ends: Vec<usize>,
    /// An open-addressing hash table: a slot holds an index of `ends` plus 1, or 0 if it is free. At most half full.
    slots: Vec<u32>,
    table_len: usize,
    /// A hasher with a random key, so that no input can force collisions in the table.
    hasher: RandomState,
    recent: RecentNames<ENTRIES>,
}

impl<const ENTRIES: usize> Interner<ENTRIES> {
    pub(super) fn new(known: &'static KnownNames) -> Self {
        Self {
            known,
            text: String::new(),
            ends: Vec::new(),
            slots: Vec::new(),
            table_len: 0,
            hasher: RandomState::new(),
            recent: RecentNames::new(known.initial_entries()),
        }
    }

    /// Removes all strings and sets the list of known names; keeps the capacity.
    pub(super) fn reset(&mut self, known: &'static KnownNames) {
        self.text.clear();
        self.ends.clear();
        if self.table_len > 0 {
            self.slots.fill(0);
        }
        self.recent.refill(known.initial_entries());
        (self.known, self.table_len, self.hasher) = (known, 0, RandomState::new());
    }

    /// Sets the list of known names if the interner has neither strings nor a list yet. Returns whether that list is in
    /// place.
    pub(super) fn seed(&mut self, known: &'static KnownNames) -> bool {
        if self.ends.is_empty() && self.known.list().is_empty() {
            self.known = known;
            self.recent.refill(known.initial_entries());
        }
        std::ptr::eq(self.known, known) || self.known.list() == known.list()
    }

    #[inline]
    pub(super) fn intern(&mut self, string: &str) -> u32 {
        self.intern_lookup(NameLookup::of(string.as_bytes()))
    }

    /// Interns a string from its lookup; the bytes are not read if the key alone identifies a cached name.
    #[inline(never)]
    pub(super) fn intern_lookup(&mut self, string: NameLookup<'_>) -> u32 {
        match self.find_recent(string) {
            Some(id) => id,
            None => self.intern_with_key(&String::from_utf8_lossy(string.bytes), string.key),
        }
    }

    /// Interns the part of a text between two offsets.
    #[inline(always)]
    pub(super) fn intern_part(&mut self, text: &str, start: usize, end: usize) -> u32 {
        match NameKey::in_text(text.as_bytes(), start, end)
            .and_then(|key| self.recent.get_primary(key))
        {
            Some(id) => id,
            None => self.intern_part_slowly(text, start, end),
        }
    }

    /// Slow path of [`intern_part`](Self::intern_part), for a part that is long, close to the end of the text, or not
    /// in its primary cache entry.
    #[cold]
    #[inline(never)]
    fn intern_part_slowly(&mut self, text: &str, start: usize, end: usize) -> u32 {
        let string = text.get(start..end).unwrap_or_default();
        match NameKey::in_text(text.as_bytes(), start, end) {
            Some(key) => self.intern_with_key(string, key),
            None => self.intern(string),
        }
    }

    /// Interns a string, whose key is `key`, that is not in the primary cache entry for that key.
    fn intern_with_key(&mut self, string: &str, key: NameKey) -> u32 {
        match self.recent.get_secondary(key).filter(|&id| self.matches(id, string.as_bytes(), key))
        {
            Some(id) => {
                self.recent.swap_levels(key);
                id
            }
            None => self.intern_slowly(string, key),
        }
    }

    /// Returns the id of a string if its primary cache entry has it; `None` otherwise.
    #[inline]
    fn find_recent(&self, NameLookup { bytes, key }: NameLookup<'_>) -> Option<u32> {
        self.recent.get_primary(key).filter(|&id| self.matches(id, bytes, key))
    }

    /// Whether the string of `id` equals `bytes`; both have the key `key`.
    #[inline]
    fn matches(&self, id: u32, bytes: &[u8], key: NameKey) -> bool {
        key.is_whole_name() || self.get(id).as_bytes() == bytes
    }

    /// Interns a string that is not cached, and inserts it into the cache.
    #[inline(never)]
    fn intern_slowly(&mut self, string: &str, key: NameKey) -> u32 {
        let id = match self.known.find_hashed(string.as_bytes(), key.hash()) {
            Some(id) => id,
            None if !self.recent.has_evicted(key) => self.add(string),
            None => match self.find_in_table(string) {
                Ok(index) => self.id(index),
                Err(_) => self.add(string),
            },
        };
        if let Some(evicted) = self.recent.insert(key, id)
            && let Some(index) = self.index(evicted)
        {
            self.recent.record_eviction(key);
            self.insert_into_table(index);
        }
        id
    }

    /// Returns the id of a string, or `None` if the string is not interned.
    pub(super) fn find(&self, string: &str) -> Option<u32> {
        let key = NameKey::of(string.as_bytes());
        let matches = |&id: &u32| self.matches(id, string.as_bytes(), key);
        let in_table = || self.find_in_table(string).ok().map(|index| self.id(index));
        let primary = self.recent.get_primary(key).filter(matches);
        let secondary = || self.recent.get_secondary(key).filter(matches);
        self.known.find(string).or(primary).or_else(secondary).or_else(in_table)
    }

    /// Returns the string of an id; empty for an id of another interner that is unknown here.
    #[inline]
    pub(super) fn get(&self, id: u32) -> &str {
        match self.known.list().get(id as usize) {
            Some(name) => name,
            None => self.stored_string(id as usize - self.known.list().len()),
        }
    }

    /// Returns the number of ids that stand for the same strings in both interners: the number of known names if they
    /// share a list, else 0.
    #[inline]
    pub(super) fn shared_names(&self, other: &Self) -> u32 {
        if std::ptr::eq(self.known, other.known) { self.known.list().len() as u32 } else { 0 }
    }

    pub(super) fn heap_size(&self) -> usize {
        self.text.capacity()
            + self.ends.capacity() * size_of::<usize>()
            + self.slots.capacity() * size_of::<u32>()
            + self.recent.heap_size()
    }

    fn id(&self, index: usize) -> u32 {
        (self.known.list().len() + index) as u32
    }

    /// Returns the index in `ends` of the string of an id, or `None` for a known name.
    fn index(&self, id: u32) -> Option<usize> {
        (id as usize).checked_sub(self.known.list().len())
    }

    /// Returns the string at an index of `ends`; empty if the index, which may come from an id of another interner, is
    /// out of bounds.
    #[inline]
    fn stored_string(&self, index: usize) -> &str {
        let Some(&end) = self.ends.get(index) else { return "" };
        let start = index.checked_sub(1).map_or(0, |previous| self.ends[previous]);
        &self.text[start..end]
    }

    /// Looks a string up in the table; returns its index in `ends` or, as an error, the free slot for it.
    fn find_in_table(&self, string: &str) -> Result<usize, usize> {
        let mask = self.slots.len().wrapping_sub(1);
        let mut slot = self.hasher.hash_one(string.as_bytes()) as usize & mask;
        while let Some(&entry) = self.slots.get(slot) {
            let Some(index) = (entry as usize).checked_sub(1) else { return Err(slot) };
            if self.stored_string(index) == string {
                return Ok(index);
            }
            slot = (slot + 1) & mask;
        }
        Err(slot)
    }

    /// Stores a new string and returns its id.
    fn add(&mut self, string: &str) -> u32 {
        let index = self.ends.len();
        if index == 0 {
            self.ends.reserve(INITIAL_STRINGS);
            self.text.reserve(INITIAL_TEXT_BYTES);
        }
        self.text.push_str(string);
        self.ends.push(self.text.len());
        self.id(index)
    }

    /// Adds the string at an index of `ends` to the table, unless the table has it.
    fn insert_into_table(&mut self, index: usize) {
        let Err(slot) = self.find_in_table(self.stored_string(index)) else { return };
        self.table_len += 1;
        if self.table_len * 2 <= self.slots.len() {
            self.slots[slot] = index as u32 + 1;
        } else {
            self.grow_and_insert(index);
        }
    }

    /// Grows the table and adds the string at `index`.
    fn grow_and_insert(&mut self, index: usize) {
        let size = (self.table_len * 4).next_power_of_two().max(16);
        let old_slots = std::mem::replace(&mut self.slots, vec![0; size]);
        for entry in old_slots.into_iter().chain([index as u32 + 1]).filter(|&entry| entry != 0) {
            if let Err(slot) = self.find_in_table(self.stored_string(entry as usize - 1)) {
                self.slots[slot] = entry;
            }
        }
    }
}

impl<const ENTRIES: usize> Default for Interner<ENTRIES> {
    fn default() -> Self {
        Self::new(&NO_NAMES)
    }
}

impl<const ENTRIES: usize> fmt::Debug for Interner<ENTRIES> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter
            .debug_list()
            .entries((0..self.ends.len()).map(|index| self.stored_string(index)))
            .finish()
    }
}

#[cfg(test)]
mod tests {
    use super::super::recent_names::{INITIAL_ENTRIES, entries_for};
    use super::*;

    static LIST: [&str; 2] = ["a", "section"];
    static SLOTS: [u16; 4] = KnownNames::slots(&LIST);
    static KNOWN: KnownNames = KnownNames::new(&LIST, &SLOTS);

    /// Checks the ids of random strings against a plain list.
    #[test]
    fn assigns_ids_like_a_plain_list() {
        fn check<const ENTRIES: usize>(mut random: u64) {
            let mut interner = Interner::<ENTRIES>::new(&KNOWN);
            let mut plain_list: Vec<String> = LIST.map(str::to_owned).into();
            for _ in 0..20_000 {
                random ^= random << 13;
                random ^= random >> 7;
                random ^= random << 17;
                // The strings are chosen from a set that grows with the list, up to a limit, so that both new and known
                // ones occur.
                let number = random % (plain_list.len() as u64 + 5).min(400);
                let string = match random >> 32 & 7 {
                    0 => LIST[number as usize % LIST.len()].to_owned(),
                    1 => format!("longer than two words, {number}"),
                    2 => format!("{number:016}"),
                    // These strings have equal first and last eight bytes, hence equal keys.
                    3 => format!("headhead{number:03}tailtail"),
                    _ => format!("n{number}"),
                };
                let known_index = plain_list.iter().position(|other| *other == string);
                assert_eq!(
                    interner.find(&string),
                    known_index.map(|index| index as u32),
                    "{string}"
                );
                let index = known_index.unwrap_or(plain_list.len());
                let text = format!("<{string} and more after it");
                let id = match random >> 40 & 1 {
                    0 => interner.intern(&string),
                    _ => interner.intern_part(&text, 1, 1 + string.len()),
                };
                assert_eq!(id as usize, index, "{string}");
                if known_index.is_none() {
                    plain_list.push(string);
                }
            }
            assert!(plain_list.len() > 1000, "{}", plain_list.len());
        }
        for seed in 1..6 {
            check::<3>(seed << 40 | 1);
            check::<20>(seed << 40 | 3);
            check::<{ entries_for(INITIAL_ENTRIES) }>(seed << 40 | 5);
        }
    }

    #[test]
    fn caches_known_names_in_primary_entries() {
        let cached_ids = |interner: &Interner<{ entries_for(INITIAL_ENTRIES) }>| {
            LIST.map(|name| interner.recent.get_primary(NameKey::of(name.as_bytes())))
        };
        let mut interner = Interner::<{ entries_for(INITIAL_ENTRIES) }>::default();
        assert_eq!(cached_ids(&interner), [None, None]);
        assert!(interner.seed(&KNOWN));
        assert_eq!(cached_ids(&interner), [Some(0), Some(1)]);
        assert_eq!(cached_ids(&Interner::new(&KNOWN)), [Some(0), Some(1)]);
        interner.intern("other");
        interner.reset(&NO_NAMES);
        assert_eq!(cached_ids(&interner), [None, None]);
        assert_eq!(interner.intern("section"), 0);
        assert!(!interner.seed(&KNOWN));
        assert_eq!((interner.intern("section"), interner.intern("a")), (0, 1));
    }

    /// Strings keep their ids wherever they are stored, even if the cache is tiny.
    #[test]
    fn assigns_one_id_per_string() {
        let strings: Vec<String> = (0..300)
            .flat_map(|n: u32| {
                [format!("n{n}"), format!("a name that is long {n}"), format!("{n:016}")]
            })
            .chain(["", "\0", "a\0", "\u{1}\u{1}", "section"].map(str::to_owned))
            .collect();
        let mut small_interner = Interner::<3>::new(&KNOWN);
        let mut large_interner = Interner::<5120>::new(&KNOWN);
        assert_eq!(small_interner.find("n0"), None);
        for round in 0..3 {
            for string in &strings {
                let text = format!("<{string} and more after it");
                let id = small_interner.intern(string);
                assert_eq!(small_interner.intern_part(&text, 1, 1 + string.len()), id, "{round}");
                assert_eq!(large_interner.intern(string), id, "{string:?} {round}");
                assert_eq!(
                    (small_interner.get(id), small_interner.find(string)),
                    (&string[..], Some(id))
                );
            }
        }
        assert_eq!(small_interner.intern("section"), 1);
        assert_eq!(small_interner.ends.len(), strings.len() - 1);
        assert!(
            small_interner.table_len + 3 > small_interner.ends.len()
                && small_interner.table_len * 2 <= small_interner.slots.len()
        );
        small_interner.reset(&NO_NAMES);
        assert!(strings.iter().all(|string| small_interner.find(string).is_none()));
    }
}
