//! Lists of names known before any input is read, with a table to find them in. It grows never and owns nothing.
//! Invariant: the name at index `i` of the list is found as `i`.

use super::seen::{READY, Seen, ready};

/// A fixed list of names: the name at index `i` has the number `i` in every tree that is made with the list, so that
/// code can `match` on numbers. All of it is made of constants, so that no work is left for run time.
///
/// ```
/// use tabulex::tree::KnownNames;
/// static LIST: [&str; 3] = ["a", "section", "title"];
/// static SLOTS: [u16; 8] = KnownNames::slots(&LIST);
/// static KNOWN: KnownNames = KnownNames::new(&LIST, &SLOTS);
/// assert_eq!(KNOWN.find("title"), Some(2));
/// assert_eq!(KNOWN.find("titles"), None);
/// ```
#[derive(Debug)]
pub struct KnownNames {
    list: &'static [&'static str],
    slots: &'static [u16],
    /// As trees have them that have seen all of them.
    ready: [Seen; READY],
}

/// The list without names.
pub(super) static NO_NAMES: KnownNames = KnownNames::new(&[], &[]);

impl KnownNames {
    /// Joins a list and what [`slots`](Self::slots) made of it.
    pub const fn new(list: &'static [&'static str], slots: &'static [u16]) -> Self {
        Self { list, slots, ready: ready(list) }
    }

    /// The table in which a name is looked up: a slot holds an index of the list plus 1, or 0 if it is free. `SLOTS` is
    /// a power of two, at least twice as large as the list.
    ///
    /// # Panics
    ///
    /// If `SLOTS` is too small, is no power of two, or a name stands twice in the list; for a constant that is an error
    /// of compilation.
    pub const fn slots<const SLOTS: usize>(list: &[&str]) -> [u16; SLOTS] {
        assert!(SLOTS.is_power_of_two() && list.len() * 2 <= SLOTS && SLOTS <= 1 << 16);
        let mut slots = [0; SLOTS];
        let mut index = 0;
        while index < list.len() {
            let name = list[index].as_bytes();
            let mut slot = Ends::of(name).hash() as usize & (SLOTS - 1);
            while slots[slot] != 0 {
                assert!(
                    !same(list[slots[slot] as usize - 1].as_bytes(), name),
                    "a name stands twice"
                );
                slot = (slot + 1) & (SLOTS - 1);
            }
            index += 1;
            slots[slot] = index as u16;
        }
        slots
    }

    /// The index of a name in the list.
    #[inline]
    pub fn find(&self, name: &str) -> Option<u32> {
        self.find_hashed(name.as_bytes(), Ends::of(name.as_bytes()).hash())
    }

    #[inline]
    pub(super) fn find_hashed(&self, name: &[u8], hash: u32) -> Option<u32> {
        let mask = self.slots.len().wrapping_sub(1);
        let mut slot = hash as usize & mask;
        // A table at most half full has a free slot in every chain.
        while let Some(&index) = self.slots.get(slot) {
            let index = usize::from(index).checked_sub(1)?;
            if is_same(self.list[index].as_bytes(), name) {
                return Some(index as u32);
            }
            slot = (slot + 1) & mask;
        }
        None
    }

    /// The names as if all of them had been seen.
    pub(super) fn ready(&self) -> &[Seen; READY] {
        &self.ready
    }

    /// The names in their order.
    pub const fn list(&self) -> &'static [&'static str] {
        self.list
    }
}

/// Beginning and end of a name as two words, which are all of it if it is short; two words are equal at a glance.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Ends {
    /// The first eight bytes, or as many as there are.
    pub(crate) head: u64,
    /// The bytes behind them, or as many as there are, and in the highest byte 1 more than the length. Of a longer name the
    /// last eight bytes; the highest bit, which is not set in a short one, tells.
    pub(crate) tail: u64,
}

/// A name of so many bytes lies in two words with its length; the longest one of them.
const IN_WORDS: usize = 15;

/// Marks the tail of a name that does not lie in two words.
const LONG: u64 = 1 << 63;

/// What of two words belongs to a name, and the highest byte of its tail, by its length.
static MASKS: [[u64; 3]; IN_WORDS + 1] = {
    let mut masks = [[0; 3]; IN_WORDS + 1];
    let mut length = 0;
    while length <= IN_WORDS {
        let mut byte = 0;
        while byte < length {
            masks[length][byte / 8] |= 0xFF << (byte % 8 * 8);
            byte += 1;
        }
        masks[length][2] = told(length);
        length += 1;
    }
    masks
};

/// The length of a name in two words, as its tail has it.
const fn told(length: usize) -> u64 {
    (length as u64 + 1) << 56
}

impl Ends {
    /// What no name has.
    pub(super) const NONE: Self = Self { head: 0, tail: 0 };

    #[inline]
    pub(crate) const fn of(name: &[u8]) -> Self {
        let length = name.len();
        match (name.first_chunk(), name.last_chunk()) {
            (Some(head), Some(tail)) => {
                let (head, tail) = (u64::from_le_bytes(*head), u64::from_le_bytes(*tail));
                let tail = match length {
                    8 => told(8),
                    9..=IN_WORDS => tail >> ((16 - length) * 8) | told(length),
                    _ => tail | LONG,
                };
                Self { head, tail }
            }
            _ => Self { head: short(name), tail: told(length) },
        }
    }

    /// The ends of the part of a text from one offset to another. If the text goes on behind it, as it mostly does, two
    /// words are read of which the name is a part, if it is short: that takes no jumps.
    #[inline(always)]
    pub(crate) fn in_text(text: &[u8], start: usize, end: usize) -> Option<Self> {
        let length = end.wrapping_sub(start);
        let words = text.get(start..)?.first_chunk::<16>()?;
        let [head, tail, told] = MASKS.get(length)?;
        let ([first, second], _) = words.as_chunks() else { return None };
        let (first, second) = (u64::from_le_bytes(*first), u64::from_le_bytes(*second));
        Some(Self { head: first & head, tail: second & tail | told })
    }

    /// Whether these are the ends of no name.
    pub(super) const fn is_none(self) -> bool {
        self.head == 0 && self.tail == 0
    }

    /// Whether names with these ends are the same.
    #[inline]
    pub(crate) const fn are_all(self) -> bool {
        self.tail & LONG == 0
    }

    /// Mixes them. The middle of longer names is left out: the names found in constant lists are told apart without it.
    #[inline]
    pub(super) const fn hash(self) -> u32 {
        let (head, tail) = (self.head ^ 0x9E37_79B9_7F4A_7C15, self.tail ^ 0xD6E8_FEB8_6659_FD93);
        let product = head as u128 * tail as u128;
        (product as u64 ^ (product >> 64) as u64) as u32
    }
}

/// The bytes of a name shorter than a word, as a word.
const fn short(name: &[u8]) -> u64 {
    let length = name.len();
    if let (Some(head), Some(tail)) = (name.first_chunk(), name.last_chunk()) {
        let (head, tail) = (u32::from_le_bytes(*head), u32::from_le_bytes(*tail));
        return head as u64 | (tail as u64) << ((length - 4) * 8);
    }
    match name {
        [] => 0,
        [first, ..] => {
            let (middle, last) = (length / 2, length - 1);
            *first as u64
                | (name[middle] as u64) << (middle * 8)
                | (name[last] as u64) << (last * 8)
        }
    }
}

/// A name as it is written, ready to be looked up.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Written<'a> {
    pub(crate) bytes: &'a [u8],
    pub(crate) ends: Ends,
}

impl<'a> Written<'a> {
    #[inline]
    pub(crate) fn of(bytes: &'a [u8]) -> Self {
        Self { bytes, ends: Ends::of(bytes) }
    }

    /// The part of a text from one offset to another.
    #[inline]
    pub(crate) fn in_text(text: &'a [u8], start: usize, end: usize) -> Self {
        let bytes = text.get(start..end).unwrap_or_default();
        let ends = Ends::in_text(text, start, end).unwrap_or_else(|| Ends::of(bytes));
        Self { bytes, ends }
    }
}

/// `a == b`. Names are short: most are compared as two numbers, which takes less than a call.
#[inline]
pub(super) fn is_same(a: &[u8], b: &[u8]) -> bool {
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

/// `a == b`, which is not yet const for slices.
const fn same(a: &[u8], b: &[u8]) -> bool {
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
