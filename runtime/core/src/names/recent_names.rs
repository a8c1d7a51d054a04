//! A cache of recently interned names, indexed by a cheap hash of their keys. It stores keys and ids but no strings, so
//! the caller compares long names. Inserting reports the evicted name.

use super::name_key::NameKey;

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
pub(super) struct RecentNames<const ENTRIES: usize> {
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
    pub(super) fn refill(&mut self, initial: &[RecentName; INITIAL_ENTRIES]) {
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
    pub(super) fn get_primary(&self, key: NameKey) -> Option<u32> {
        let entry = &self.entries[entry_index::<ENTRIES>(key)];
        (entry.key == key).then_some(entry.id)
    }

    /// Returns the id in the secondary entry for `key`, or `None` if the entry has another key.
    pub(super) fn get_secondary(&self, key: NameKey) -> Option<u32> {
        let entry = self.secondary(key);
        (entry.key == key).then_some(entry.id)
    }

    /// Swaps the names in the primary and secondary entries for `key`.
    pub(super) fn swap_levels(&mut self, key: NameKey) {
        let (primary, secondary) = self.entries_mut(key);
        std::mem::swap(&mut primary.key, &mut secondary.key);
        std::mem::swap(&mut primary.id, &mut secondary.id);
    }

    /// Whether a name with the key `key` may have been evicted.
    pub(super) fn has_evicted(&self, key: NameKey) -> bool {
        self.secondary(key).has_evicted
    }

    /// Records an eviction from the secondary entry for `key`.
    pub(super) fn record_eviction(&mut self, key: NameKey) {
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

    static LIST: [&str; 3] = ["a", "section", "title"];
    static NO_INITIAL_ENTRIES: [RecentName; INITIAL_ENTRIES] = initial_entries(&[]);

    const ENTRIES: usize = entries_for(INITIAL_ENTRIES);

    fn key(name: &str) -> NameKey {
        NameKey::of(name.as_bytes())
    }

    #[test]
    fn finds_initial_names_in_primary_entries() {
        let recent = RecentNames::<ENTRIES>::new(&initial_entries(&LIST));
        let primary_id = |name| recent.get_primary(key(name));
        assert_eq!(LIST.map(primary_id), [Some(0), Some(1), Some(2)]);
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
        let small = RecentNames::<3>::new(&initial_entries(&LIST));
        assert!(LIST.iter().all(|name| small.get_primary(key(name)).is_none()));
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
