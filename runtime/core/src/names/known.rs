//! Lists of names known at compile time, with constant hash tables and an initial cache of recent names; and the keys
//! by which these and the interner look names up.

use super::interner::{INITIAL_ENTRIES, RecentName, initial_entries};
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
pub(super) static NO_NAMES: KnownNames = KnownNames::new(&[], &[0]);

impl KnownNames {
    /// Combines a list with its table from [`slots`](Self::slots).
    ///
    /// # Panics
    ///
    /// If the table was made from another list; in a `const` that is a compile error.
    pub const fn new<const SLOTS: usize>(
        list: &'static [&'static str],
        slots: &'static [u16; SLOTS],
    ) -> Self {
        let expected = Self::slots::<SLOTS>(list);
        let mut slot = 0;
        while slot < SLOTS {
            assert!(slots[slot] == expected[slot], "the hash table was made for another list");
            slot += 1;
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
        let mask = self.slots.len() - 1;
        let mut slot = hash as usize & mask;
        // The table is at most half full, so every probe sequence reaches a free slot.
        while let Some(&index) = self.slots.get(slot) {
            let index = usize::from(index).checked_sub(1)?;
            if self.list[index].as_bytes() == name {
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

/// Whether two slices are equal, for a `const fn`, in which `==` is not available.
pub(crate) const fn equal_bytes(a: &[u8], b: &[u8]) -> bool {
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

/// The first and last bytes of a name as two words, which identify a name of at most 15 bytes completely.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct NameKey {
    /// The first eight bytes, or fewer if the name is shorter.
    pub(crate) head: u64,
    /// For a name of at most 15 bytes, the bytes after the first eight, and its length plus 1 in the highest byte. For
    /// a longer name, the last eight bytes with the highest bit set, which is clear for a short name.
    pub(crate) tail: u64,
}

/// Maximum length in bytes of a name that fits into the two words together with its length.
const MAX_WHOLE_NAME: usize = 15;

/// The bit that marks the tail of a name longer than [`MAX_WHOLE_NAME`] bytes.
const LONG_NAME_BIT: u64 = 1 << 63;

/// For each length up to [`MAX_WHOLE_NAME`]: the masks that select the bytes of the name in the first and the second
/// word, and the result of [`length_key`].
static MASKS: [[u64; 3]; MAX_WHOLE_NAME + 1] = {
    let mut masks = [[0; 3]; MAX_WHOLE_NAME + 1];
    let mut length = 0;
    while length <= MAX_WHOLE_NAME {
        let mut index = 0;
        while index < length {
            masks[length][index / 8] |= 0xFF << (index % 8 * 8);
            index += 1;
        }
        masks[length][2] = length_key(length);
        length += 1;
    }
    masks
};

/// Returns a word whose highest byte is `length` plus 1, for the tail of a name of at most [`MAX_WHOLE_NAME`] bytes.
const fn length_key(length: usize) -> u64 {
    (length as u64 + 1) << 56
}

impl NameKey {
    /// The key of an empty cache entry, which no name has.
    pub(super) const NONE: Self = Self { head: 0, tail: 0 };

    #[inline]
    pub(crate) const fn of(name: &[u8]) -> Self {
        let length = name.len();
        match (name.first_chunk(), name.last_chunk()) {
            (Some(head), Some(tail)) => {
                let (head, tail) = (u64::from_le_bytes(*head), u64::from_le_bytes(*tail));
                let tail = match length {
                    8 => length_key(8),
                    9..=MAX_WHOLE_NAME => tail >> ((16 - length) * 8) | length_key(length),
                    _ => tail | LONG_NAME_BIT,
                };
                Self { head, tail }
            }
            _ => {
                let (mut head, mut index) = (0, 0);
                while index < length {
                    head |= (name[index] as u64) << (index * 8);
                    index += 1;
                }
                Self { head, tail: length_key(length) }
            }
        }
    }

    /// Returns the key of the part of a text between two offsets, or `None` if the part is longer than
    /// [`MAX_WHOLE_NAME`] bytes or fewer than 16 bytes follow `start`. Two whole words are read and masked, without a
    /// branch on the length.
    #[inline(always)]
    pub(crate) fn in_text(text: &[u8], start: usize, end: usize) -> Option<Self> {
        let length = end.wrapping_sub(start);
        let words = text.get(start..)?.first_chunk::<16>()?;
        let [head, tail, length_key] = MASKS.get(length)?;
        let ([first, second], _) = words.as_chunks() else { return None };
        let (first, second) = (u64::from_le_bytes(*first), u64::from_le_bytes(*second));
        Some(Self { head: first & head, tail: second & tail | length_key })
    }

    pub(super) const fn is_none(self) -> bool {
        self.head == 0 && self.tail == 0
    }

    /// Whether the key identifies the name completely.
    #[inline]
    pub(crate) const fn is_whole_name(self) -> bool {
        self.tail & LONG_NAME_BIT == 0
    }

    /// Hashes the key. The middle of longer names does not contribute; the names in the known lists are distinct
    /// without it.
    #[inline]
    pub(super) const fn hash(self) -> u32 {
        let (head, tail) = (self.head ^ 0x9E37_79B9_7F4A_7C15, self.tail ^ 0xD6E8_FEB8_6659_FD93);
        let product = head as u128 * tail as u128;
        (product as u64 ^ (product >> 64) as u64) as u32
    }
}

/// A name to look up, with its key.
#[derive(Clone, Copy, Debug)]
pub(crate) struct NameLookup<'a> {
    pub(crate) bytes: &'a [u8],
    pub(crate) key: NameKey,
}

impl<'a> NameLookup<'a> {
    #[inline]
    pub(crate) fn of(bytes: &'a [u8]) -> Self {
        Self { bytes, key: NameKey::of(bytes) }
    }

    /// Creates the lookup of the part of a text between two offsets.
    #[inline]
    pub(crate) fn in_text(text: &'a [u8], start: usize, end: usize) -> Self {
        let bytes = text.get(start..end).unwrap_or_default();
        let key = NameKey::in_text(text, start, end).unwrap_or_else(|| NameKey::of(bytes));
        Self { bytes, key }
    }
}
