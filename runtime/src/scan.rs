//! Fast ways through the input: to the next byte of a small set, over strings that stand ahead, over line ends.
//! They know no table; the compiler chooses among them. Invariant: each is exact, the fast ones are only faster.

/// The offset of the next byte that is this one, from `from` on, or the length of the input.
#[inline]
pub fn next_of_1(bytes: &[u8], from: usize, first: u8) -> usize {
    let near = near(bytes, from, |word| marks(word, first));
    near.unwrap_or_else(|| far(bytes, from, |rest| memchr::memchr(first, rest)))
}

/// The offset of the next byte that is one of the two, from `from` on, or the length of the input.
#[inline]
pub fn next_of_2(bytes: &[u8], from: usize, first: u8, second: u8) -> usize {
    let near = near(bytes, from, |word| marks(word, first) | marks(word, second));
    near.unwrap_or_else(|| far(bytes, from, |rest| memchr::memchr2(first, second, rest)))
}

/// The offset of the next byte that is one of the three, from `from` on, or the length of the input.
#[inline]
pub fn next_of_3(bytes: &[u8], from: usize, first: u8, second: u8, third: u8) -> usize {
    let near =
        near(bytes, from, |word| marks(word, first) | marks(word, second) | marks(word, third));
    near.unwrap_or_else(|| far(bytes, from, |rest| memchr::memchr3(first, second, third, rest)))
}

/// How many words are looked at one by one: most names, values and texts are shorter than what a search over many bytes
/// needs to begin.
const NEAR: usize = 2;

/// Looks for a byte in the next words; `find` marks it in a word.
#[inline(always)]
fn near(bytes: &[u8], from: usize, find: impl Fn(u64) -> u64) -> Option<usize> {
    let (words, _) = bytes.get(from..)?.as_chunks::<8>();
    for (index, &word) in words.iter().take(NEAR).enumerate() {
        let found = find(u64::from_le_bytes(word));
        if found != 0 {
            return Some(from + index * 8 + found.trailing_zeros() as usize / 8);
        }
    }
    None
}

#[inline(never)]
fn far(bytes: &[u8], from: usize, find: impl Fn(&[u8]) -> Option<usize>) -> usize {
    let found = bytes.get(from..).and_then(find);
    found.map_or(bytes.len(), |found| from + found)
}

/// The high bits of the bytes of the word that are this byte. Above the first one there may be more.
#[inline(always)]
const fn marks(word: u64, byte: u8) -> u64 {
    const ONES: u64 = u64::MAX / 255;
    let others = word ^ (ONES * byte as u64);
    others.wrapping_sub(ONES) & !others & (ONES << 7)
}

/// The offset of the next byte that the table does not mark, from `from` on, or the length of the input.
#[inline(always)]
pub fn next_not_in(bytes: &[u8], from: usize, table: &[bool; 256]) -> usize {
    let mut at = from;
    while let Some(&byte) = bytes.get(at) {
        if !table[usize::from(byte)] {
            break;
        }
        at += 1;
    }
    at
}

/// The number of bytes of the character that begins with this byte.
#[inline(always)]
pub const fn width(first: u8) -> usize {
    match first {
        0..0xC0 => 1,
        0xC0..0xE0 => 2,
        0xE0..0xF0 => 3,
        0xF0.. => 4,
    }
}

/// What stands ahead.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ahead {
    /// What was looked for, this many bytes long.
    Found(usize),
    /// Something else.
    Other,
    /// The input ends before it can be told.
    Unknown,
}

/// Looks whether the string stands at `from`; with `ignoring_case`, ASCII letters match in either case.
#[inline]
pub fn text_ahead(
    bytes: &[u8],
    from: usize,
    text: &str,
    ignoring_case: bool,
    is_last: bool,
) -> Ahead {
    let rest = bytes.get(from..).unwrap_or_default();
    let length = rest.len().min(text.len());
    let (given, wanted) = (&rest[..length], &text.as_bytes()[..length]);
    let same = if ignoring_case { given.eq_ignore_ascii_case(wanted) } else { given == wanted };
    match (same, length == text.len()) {
        (true, true) => Ahead::Found(length),
        (true, false) if !is_last => Ahead::Unknown,
        _ => Ahead::Other,
    }
}

/// What a CR turns out to be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CarriageReturn {
    /// A LF follows, which stands for both.
    BeforeLineFeed,
    /// It is a line end of its own.
    Alone,
    /// The input ends before it can be told.
    Unknown,
}

/// Looks what the CR at `at` is.
#[inline]
pub fn carriage_return(bytes: &[u8], at: usize, is_last: bool) -> CarriageReturn {
    match bytes.get(at + 1) {
        Some(b'\n') => CarriageReturn::BeforeLineFeed,
        None if !is_last => CarriageReturn::Unknown,
        _ => CarriageReturn::Alone,
    }
}
