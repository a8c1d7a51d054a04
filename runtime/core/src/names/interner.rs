//! A string interner in which the names of a known list have the first ids.

use super::known::{KnownNames, NO_NAMES, NameKey, NameLookup};
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
        let NameLookup { bytes, key } = string;
        match self.recent.get_primary(key).filter(|&id| self.matches(id, bytes, key)) {
            Some(id) => id,
            None => self.intern_with_key(&String::from_utf8_lossy(bytes), key),
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

// The cache of recent names, indexed by a cheap hash of their keys. It stores keys and ids but no strings, so the
// interner compares long names.

/// An entry of the cache of recent names.
#[derive(Clone, Copy, Debug)]
pub(super) struct RecentName {
    key: NameKey,
    id: u32,
    /// For a secondary entry, whether an eviction from it was recorded; `false` for a primary entry.
    has_evicted: bool,
}

impl RecentName {
    /// An unused entry.
    const NONE: Self = Self { key: NameKey::NONE, id: 0, has_evicted: false };

    const fn is_none(&self) -> bool {
        self.key.is_none()
    }
}

/// The number of primary entries in a cache that is filled from a list of known names in advance.
pub(super) const INITIAL_ENTRIES: usize = 256;

/// Returns the primary entries for a list of names, in which the id of a name is its index. On a collision the first
/// name is kept.
pub(super) const fn initial_entries(list: &[&str]) -> [RecentName; INITIAL_ENTRIES] {
    let mut entries = [RecentName::NONE; INITIAL_ENTRIES];
    let mut index = 0;
    while index < list.len() {
        let key = NameKey::of(list[index].as_bytes());
        let entry = &mut entries[entry_index::<{ entries_for(INITIAL_ENTRIES) }>(key)];
        if entry.is_none() {
            *entry = RecentName { key, id: index as u32, has_evicted: false };
        }
        index += 1;
    }
    entries
}

/// The number of primary entries that share a secondary one.
const PRIMARY_PER_SECONDARY: usize = 4;

/// Returns the number of entries of a cache with `primary` primary entries.
pub(super) const fn entries_for(primary: usize) -> usize {
    primary + primary.div_ceil(PRIMARY_PER_SECONDARY)
}

/// Returns the number of primary entries of a cache with `entries` entries.
const fn primary_count(entries: usize) -> usize {
    entries - entries.div_ceil(PRIMARY_PER_SECONDARY + 1)
}

/// Returns the index of the primary entry for a key in a cache with `ENTRIES` entries.
#[inline(always)]
const fn entry_index<const ENTRIES: usize>(key: NameKey) -> usize {
    let primary = const { primary_count(ENTRIES) };
    const { assert!(primary_count(ENTRIES).is_power_of_two() && primary_count(ENTRIES) > 1) };
    let hash = (key.head ^ key.tail.rotate_left(32)).wrapping_mul(0xD6E8_FEB8_6659_FD93);
    (hash >> (u64::BITS - primary.ilog2())) as usize
}

/// A two-level cache of the ids of names: a primary entry has the name last inserted or swapped in; the secondary entry,
/// which several primary entries share, has the name last displaced from one of them.
#[derive(Clone)]
struct RecentNames<const ENTRIES: usize> {
    /// The primary entries, followed by the secondary ones.
    entries: Box<[RecentName; ENTRIES]>,
}

impl<const ENTRIES: usize> RecentNames<ENTRIES> {
    /// Creates a cache. If it has [`INITIAL_ENTRIES`] primary entries, they are copied from `initial`; all other
    /// entries are unused.
    pub(super) fn new(initial: &[RecentName; INITIAL_ENTRIES]) -> Self {
        // An array passed to `Box::new` would be built on the stack first, so the entries are collected in a vector.
        let mut entries = Vec::with_capacity(ENTRIES);
        if primary_count(ENTRIES) == INITIAL_ENTRIES {
            entries.extend_from_slice(initial);
        }
        entries.resize(ENTRIES, RecentName::NONE);
        let entries = entries.try_into().unwrap_or_else(|_| Box::new([RecentName::NONE; ENTRIES]));
        Self { entries }
    }

    /// Refills the cache as [`new`](Self::new) does.
    fn refill(&mut self, initial: &[RecentName; INITIAL_ENTRIES]) {
        let (primary, secondary) = self.entries.split_at_mut(primary_count(ENTRIES));
        if primary_count(ENTRIES) == INITIAL_ENTRIES {
            primary.copy_from_slice(initial);
        } else {
            primary.fill(RecentName::NONE);
        }
        secondary.fill(RecentName::NONE);
    }

    /// Returns the id in the primary entry for `key`, or `None` if the entry has another key.
    #[inline(always)]
    fn get_primary(&self, key: NameKey) -> Option<u32> {
        let entry = &self.entries[entry_index::<ENTRIES>(key)];
        (entry.key == key).then_some(entry.id)
    }

    /// Returns the id in the secondary entry for `key`, or `None` if the entry has another key.
    fn get_secondary(&self, key: NameKey) -> Option<u32> {
        let entry = self.secondary(key);
        (entry.key == key).then_some(entry.id)
    }

    /// Swaps the names in the primary and secondary entries for `key`.
    fn swap_levels(&mut self, key: NameKey) {
        let (primary, secondary) = self.entries_mut(key);
        std::mem::swap(&mut primary.key, &mut secondary.key);
        std::mem::swap(&mut primary.id, &mut secondary.id);
    }

    /// Whether a name with the key `key` may have been evicted.
    fn has_evicted(&self, key: NameKey) -> bool {
        self.secondary(key).has_evicted
    }

    /// Records an eviction from the secondary entry for `key`.
    fn record_eviction(&mut self, key: NameKey) {
        self.entries_mut(key).1.has_evicted = true;
    }

    /// Inserts a name that is in neither its primary nor its secondary entry; returns the id of the evicted name, if
    /// any.
    pub(super) fn insert(&mut self, key: NameKey, id: u32) -> Option<u32> {
        let (primary, secondary) = self.entries_mut(key);
        let (displaced, evicted) = (*primary, *secondary);
        *primary = RecentName { key, id, has_evicted: false };
        if displaced.is_none() {
            return None;
        }
        (secondary.key, secondary.id) = (displaced.key, displaced.id);
        (!evicted.is_none()).then_some(evicted.id)
    }

    pub(super) fn heap_size(&self) -> usize {
        size_of_val(&*self.entries)
    }

    fn secondary(&self, key: NameKey) -> &RecentName {
        &self.entries[primary_count(ENTRIES) + entry_index::<ENTRIES>(key) / PRIMARY_PER_SECONDARY]
    }

    fn entries_mut(&mut self, key: NameKey) -> (&mut RecentName, &mut RecentName) {
        let index = entry_index::<ENTRIES>(key);
        let (primary, secondary) = self.entries.split_at_mut(primary_count(ENTRIES));
        (&mut primary[index], &mut secondary[index / PRIMARY_PER_SECONDARY])
    }
}

#[cfg(test)]
mod tests {
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

    static NAMES: [&str; 3] = ["a", "section", "title"];
    static NO_INITIAL_ENTRIES: [RecentName; INITIAL_ENTRIES] = initial_entries(&[]);

    const ENTRIES: usize = entries_for(INITIAL_ENTRIES);

    fn key(name: &str) -> NameKey {
        NameKey::of(name.as_bytes())
    }

    #[test]
    fn finds_initial_names_in_primary_entries() {
        let recent = RecentNames::<ENTRIES>::new(&initial_entries(&NAMES));
        let primary_id = |name| recent.get_primary(key(name));
        assert_eq!(NAMES.map(primary_id), [Some(0), Some(1), Some(2)]);
        assert_eq!((primary_id("b"), recent.get_secondary(key("a"))), (None, None));
        let names: Vec<String> = (0..=INITIAL_ENTRIES).map(|id| id.to_string()).collect();
        let names: Vec<&str> = names.iter().map(String::as_str).collect();
        let filled = RecentNames::<ENTRIES>::new(&initial_entries(&names));
        let has_no_earlier_collision = |index: &usize| {
            let entry_of = |index: usize| entry_index::<ENTRIES>(key(names[index]));
            (0..*index).all(|before| entry_of(before) != entry_of(*index))
        };
        let (first_in_entry, colliding): (Vec<_>, Vec<_>) =
            (0..names.len()).partition(has_no_earlier_collision);
        assert!(
            !colliding.is_empty(),
            "no names collide, though there are more names than entries"
        );
        assert!(
            first_in_entry
                .iter()
                .all(|&index| filled.get_primary(key(names[index])) == Some(index as u32))
        );
        assert!(colliding.iter().all(|&index| filled.get_primary(key(names[index])).is_none()));
        let small = RecentNames::<3>::new(&initial_entries(&NAMES));
        assert!(NAMES.iter().all(|name| small.get_primary(key(name)).is_none()));
    }

    #[test]
    fn moves_displaced_names_to_the_secondary_entry() {
        // Of five names for two primary entries, at least three share an entry.
        let mut names = ["a", "b", "c", "d", "e"];
        names.sort_by_key(|name| entry_index::<3>(key(name)));
        let middle = entry_index::<3>(key(names[2]));
        let mut in_one_entry =
            names.into_iter().filter(|name| entry_index::<3>(key(name)) == middle);
        let [one, two, three] = std::array::from_fn(|_| {
            in_one_entry.next().expect("at least three of five names share an entry")
        });
        let mut recent = RecentNames::<3>::new(&NO_INITIAL_ENTRIES);
        let cached_ids = |recent: &RecentNames<3>| {
            [one, two, three]
                .map(|name| (recent.get_primary(key(name)), recent.get_secondary(key(name))))
        };
        assert_eq!((recent.insert(key(one), 1), recent.insert(key(two), 2)), (None, None));
        assert_eq!(cached_ids(&recent), [(None, Some(1)), (Some(2), None), (None, None)]);
        recent.swap_levels(key(one));
        assert_eq!(cached_ids(&recent), [(Some(1), None), (None, Some(2)), (None, None)]);
        assert_eq!(recent.insert(key(three), 3), Some(2));
        assert_eq!(cached_ids(&recent), [(None, Some(1)), (None, None), (Some(3), None)]);
        assert!(!recent.has_evicted(key(two)));
        recent.record_eviction(key(two));
        recent.swap_levels(key(one));
        assert!(recent.has_evicted(key(two)) && recent.has_evicted(key(one)));
        recent.refill(&NO_INITIAL_ENTRIES);
        assert_eq!(cached_ids(&recent), [(None, None); 3]);
        assert!(!recent.has_evicted(key(two)));
    }
}
