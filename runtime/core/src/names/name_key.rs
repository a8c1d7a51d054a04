//! Keys of names: the first and last bytes as two words, which identify a short name completely.

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
            _ => Self { head: pack_short(name), tail: length_key(length) },
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

/// Packs a name of fewer than eight bytes into a word.
const fn pack_short(name: &[u8]) -> u64 {
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
