//! Lists of names known at compile time, with constant hash tables and an initial cache of recent names.

use super::name_key::NameKey;
use super::recent_names::{INITIAL_ENTRIES, RecentName, initial_entries};
use std::fmt;

/// A fixed list of names: the name at index `i` has id `i` in every tree created with the list, so that code can
/// `match` on ids. List and hash table are constants; nothing is computed at run time.
///
/// ```
/// use tabulex::tree::KnownNames;
/// static LIST: [&str; 3] = ["a", "section", "title"];
/// static SLOTS: [u16; 8] = KnownNames::slots(&LIST);
/// static KNOWN: KnownNames = KnownNames::new(&LIST, &SLOTS);
/// assert_eq!(KNOWN.find("title"), Some(2));
/// assert_eq!(KNOWN.find("titles"), None);
/// ```
pub struct KnownNames {
    list: &'static [&'static str],
    slots: &'static [u16],
    /// The initial cache of recent names. On a collision the earlier name is kept.
    initial_entries: [RecentName; INITIAL_ENTRIES],
}

/// The empty list of known names.
pub(super) static NO_NAMES: KnownNames = KnownNames::new(&[], &[]);

impl KnownNames {
    /// Combines a list with its table from [`slots`](Self::slots).
    ///
    /// # Panics
    ///
    /// If the table was made from another list; in a `const` that is a compile error.
    pub const fn new(list: &'static [&'static str], slots: &'static [u16]) -> Self {
        assert!(occupied_count(slots) == list.len(), "the hash table was made for another list");
        let mut index = 0;
        while index < list.len() {
            assert!(finds(list, slots, index), "the hash table was made for another list");
            index += 1;
        }
        Self { list, slots, initial_entries: initial_entries(list) }
    }

    /// Builds the hash table of a list: a slot holds a list index plus 1, or 0 if it is free. `SLOTS` must be a power
    /// of two and at least twice the length of the list.
    ///
    /// # Panics
    ///
    /// If `SLOTS` is too small or not a power of two, or a name occurs twice in the list; in a `const` that is a
    /// compile error.
    pub const fn slots<const SLOTS: usize>(list: &[&str]) -> [u16; SLOTS] {
        assert!(SLOTS.is_power_of_two() && list.len() * 2 <= SLOTS && SLOTS <= 1 << 16);
        let mut slots = [0; SLOTS];
        let mut index = 0;
        while index < list.len() {
            let name = list[index].as_bytes();
            let mut slot = NameKey::of(name).hash() as usize & (SLOTS - 1);
            while slots[slot] != 0 {
                assert!(
                    !equal_bytes(list[slots[slot] as usize - 1].as_bytes(), name),
                    "a name is listed twice"
                );
                slot = (slot + 1) & (SLOTS - 1);
            }
            index += 1;
            slots[slot] = index as u16;
        }
        slots
    }

    /// Returns the index of a name in the list, or `None` if the list does not have the name.
    #[inline]
    pub fn find(&self, name: &str) -> Option<u32> {
        self.find_hashed(name.as_bytes(), NameKey::of(name.as_bytes()).hash())
    }

    #[inline]
    pub(super) fn find_hashed(&self, name: &[u8], hash: u32) -> Option<u32> {
        let mask = self.slots.len().wrapping_sub(1);
        let mut slot = hash as usize & mask;
        // The table is at most half full, so every probe sequence reaches a free slot.
        while let Some(&index) = self.slots.get(slot) {
            let index = usize::from(index).checked_sub(1)?;
            if equal_names(self.list[index].as_bytes(), name) {
                return Some(index as u32);
            }
            slot = (slot + 1) & mask;
        }
        None
    }

    pub(super) fn initial_entries(&self) -> &[RecentName; INITIAL_ENTRIES] {
        &self.initial_entries
    }

    /// Returns the list of names.
    pub const fn list(&self) -> &'static [&'static str] {
        self.list
    }
}

impl fmt::Debug for KnownNames {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_tuple("KnownNames").field(&self.list).finish()
    }
}

const fn occupied_count(slots: &[u16]) -> usize {
    let (mut count, mut slot) = (0, 0);
    while slot < slots.len() {
        count += (slots[slot] != 0) as usize;
        slot += 1;
    }
    count
}

/// Whether the hash table finds the name at `index` of the list.
const fn finds(list: &[&str], slots: &[u16], index: usize) -> bool {
    let mut probes = 0;
    let hash = NameKey::of(list[index].as_bytes()).hash() as usize;
    while probes < slots.len() {
        // The number of slots is a power of two, as `KnownNames::slots` asserts, so the mask wraps the index around.
        match slots[(hash + probes) & (slots.len() - 1)] as usize {
            0 => return false,
            found if found == index + 1 => return true,
            _ => probes += 1,
        }
    }
    false
}

/// Whether two names are equal. Most names are short, so they are compared as one or two words, which is cheaper than a
/// call.
#[inline]
pub(super) fn equal_names(a: &[u8], b: &[u8]) -> bool {
    fn ends<const N: usize>(name: &[u8]) -> Option<(&[u8; N], &[u8; N])> {
        name.first_chunk().zip(name.last_chunk())
    }
    if a.len() != b.len() {
        return false;
    }
    match a.len() {
        0 => true,
        1..4 => {
            a[0] == b[0] && a[a.len() / 2] == b[b.len() / 2] && a[a.len() - 1] == b[b.len() - 1]
        }
        4..8 => ends::<4>(a) == ends::<4>(b),
        8..=16 => ends::<8>(a) == ends::<8>(b),
        _ => a == b,
    }
}

/// Whether two slices are equal, for a `const fn`, in which `==` is not available.
const fn equal_bytes(a: &[u8], b: &[u8]) -> bool {
    if a.len() != b.len() {
        return false;
    }
    let mut index = 0;
    while index < a.len() {
        if a[index] != b[index] {
            return false;
        }
        index += 1;
    }
    true
}
