//! Byte searches over the input: for the next byte of a small set, for strings, and for line ends; and the tables of
//! bytes and sets of characters for these searches. Vectorized searches return the same offsets as a byte loop
//! (`agrees_with_a_naive_search`).

/// Returns the offset in `from..end` of the first byte that is one of the `needles`, or `end`. Bytes after `end` may be
/// read but are never reported.
#[inline(always)]
pub fn next_of<const N: usize>(needles: [u8; N], bytes: &[u8], end: usize, from: usize) -> usize {
    match search_first_blocks(needles, bytes, from) {
        Some(found) => clamp_to(end, from + found),
        None => search_after_first_blocks(needles, bytes, end, from),
    }
}

/// Marks the calling path as unlikely, as the newer `std::hint::cold_path` does.
#[cold]
#[inline]
pub fn cold() {}

/// Returns `found`, clamped to `end`.
#[inline(always)]
fn clamp_to(end: usize, found: usize) -> usize {
    if found < end {
        found
    } else {
        cold();
        end
    }
}

/// The length in bytes of a search window: small enough that the bytes searched are still in a near cache when the
/// machine reads them.
const WINDOW_LEN: usize = 64 * 1024;

/// Returns the offset of the first of the `needles` at or after `from`, or the end of the search window of
/// [`WINDOW_LEN`] bytes, which is on a character boundary.
#[inline(never)]
pub(crate) fn window_of<const N: usize>(needles: [u8; N], input: &str, from: usize) -> usize {
    // The end of the window is computed only if no match is near, because reading at the end is a likely cache miss.
    match search_groups(needles, input.as_bytes(), from) {
        Ok(found) => found,
        Err(at) => {
            let end = input.floor_char_boundary(from + WINDOW_LEN);
            search_tail(needles, input.as_bytes(), end, at)
        }
    }
}

/// A block of bytes that is compared at once.
type Block = [u8; 16];

/// Returns a block that begins with the bytes, of which there are fewer than in a block.
#[inline(always)]
fn short_block(bytes: &[u8]) -> Block {
    let parts = (bytes.first_chunk(), bytes.last_chunk());
    let word = if let (Some(first), Some(last)) = parts {
        // The two words overlap in bytes that are equal.
        let last = u128::from(u64::from_le_bytes(*last)) << (8 * (bytes.len() - size_of::<u64>()));
        u128::from(u64::from_le_bytes(*first)) | last
    } else {
        bytes.iter().rev().fold(0, |word, &byte| word << 8 | u128::from(byte))
    };
    word.to_le_bytes()
}

/// A window of bytes within which most lines end.
pub(crate) type Line = [u8; 64];

/// Returns the offset of the first `needle` in `line`, or `None` if there is none.
#[inline(always)]
pub(crate) fn next_in_line(needle: u8, line: &Line) -> Option<usize> {
    search_blocks::<4, 1>([needle], line.as_chunks().0.first_chunk()?)
}

/// The number of blocks searched before the first group.
const FIRST_BLOCKS: usize = 2;

/// The number of blocks that are searched as one group.
const BLOCKS_PER_GROUP: usize = 4;

/// The number of groups searched before `memchr` is called: most names, values and texts end earlier, and the call has
/// a start-up cost.
const GROUP_COUNT: usize = 2;

/// Returns the distance from `from` to the first match in the [`FIRST_BLOCKS`] blocks that begin there; `None` if they
/// have no match or the input ends within them.
#[inline(always)]
fn search_first_blocks<const N: usize>(
    needles: [u8; N],
    bytes: &[u8],
    from: usize,
) -> Option<usize> {
    search_blocks::<FIRST_BLOCKS, N>(needles, bytes[from..].as_chunks().0.first_chunk()?)
}

/// Returns the offset of the first match in up to four blocks, or `None` if there is none. There is no branch between
/// blocks, as it would often be mispredicted: a run may end in any block.
#[inline(always)]
fn search_blocks<const BLOCKS: usize, const N: usize>(
    needles: [u8; N],
    blocks: &[Block; BLOCKS],
) -> Option<usize> {
    const { assert!(BLOCKS <= 4) };
    let mut mask = 0;
    for (index, block) in blocks.iter().enumerate() {
        mask |= u64::from(mask_of(needles, block)) << (index * size_of::<Block>());
    }
    (mask != 0).then(|| mask.trailing_zeros() as usize)
}

/// Continues a search for which [`search_first_blocks`] returned `None`: after those blocks, or from `from` if the
/// input ends within them.
#[inline(never)]
fn search_after_first_blocks<const N: usize>(
    needles: [u8; N],
    bytes: &[u8],
    end: usize,
    from: usize,
) -> usize {
    if bytes.len() < size_of::<Block>() {
        let rest = bytes.get(from..end).unwrap_or_default();
        return from + rest.iter().take_while(|byte| !needles.contains(byte)).count();
    }
    let first_len = FIRST_BLOCKS * size_of::<Block>();
    let offset = if bytes[from..].len() >= first_len { from + first_len } else { from };
    match search_groups(needles, bytes, offset) {
        Ok(found) => found.min(end),
        Err(at) => search_tail(needles, bytes, end, at),
    }
}

/// Searches up to [`GROUP_COUNT`] groups of blocks. Returns the offset of the first match or, as an error, the offset up
/// to which there is none.
#[inline(always)]
fn search_groups<const N: usize>(
    needles: [u8; N],
    bytes: &[u8],
    from: usize,
) -> Result<usize, usize> {
    let mut offset = from;
    for _ in 0..GROUP_COUNT {
        let Some(group) = bytes[offset..].as_chunks().0.first_chunk::<BLOCKS_PER_GROUP>() else {
            break;
        };
        if let Some(found) = search_blocks(needles, group) {
            return Ok(offset + found);
        }
        offset += size_of_val(group);
    }
    Err(offset)
}

/// Returns the offset of the first match in `at..end`, or `end`.
#[inline(always)]
fn search_tail<const N: usize>(needles: [u8; N], bytes: &[u8], end: usize, at: usize) -> usize {
    let rest = bytes.get(at..end).unwrap_or_default();
    if rest.len() < SHORT_TAIL_LEN {
        return search_short_tail(needles, bytes, end, at);
    }
    let found = match needles[..] {
        [one] => memchr::memchr(one, rest),
        [one, two] => memchr::memchr2(one, two, rest),
        [one, two, three] => memchr::memchr3(one, two, three, rest),
        _ => rest.iter().position(|byte| needles.contains(byte)),
    };
    found.map_or(end, |found| at + found)
}

/// The length in bytes from which a call of `memchr` is faster than a search by blocks.
const SHORT_TAIL_LEN: usize = 64;

/// Like [`search_tail`], by blocks, the last of which may overlap the one before it.
#[inline(always)]
fn search_short_tail<const N: usize>(
    needles: [u8; N],
    bytes: &[u8],
    end: usize,
    mut at: usize,
) -> usize {
    while let Some(block) = bytes[at..].first_chunk::<{ size_of::<Block>() }>()
        && at < end
    {
        let mask = mask_of(needles, block);
        if mask != 0 {
            return end.min(at + mask.trailing_zeros() as usize);
        }
        at += block.len();
    }
    if at < end
        && let Some(block) = bytes.last_chunk()
    {
        let start = bytes.len() - size_of_val(block);
        let mask = mask_of(needles, block) >> (at - start);
        return if mask == 0 { end } else { end.min(at + mask.trailing_zeros() as usize) };
    }
    let rest = bytes.get(at..end).unwrap_or_default();
    rest.iter().position(|byte| needles.contains(byte)).map_or(end, |found| at + found)
}

/// Returns the offset of the first byte that is one of the `needles`, or `None` if there is none. For texts that are
/// mostly short; [`next_of`] searches longer inputs.
#[inline(always)]
pub(crate) fn find_any<const N: usize>(needles: [u8; N], bytes: &[u8]) -> Option<usize> {
    let (blocks, rest) = bytes.as_chunks();
    let mut last = Block::default();
    last[..rest.len()].copy_from_slice(rest);
    // None of the needles is 0, with which the last block is filled up.
    let masks = blocks.iter().chain([&last]).map(|block| mask_of(needles, block));
    let (index, mask) = masks.enumerate().find(|&(_, mask)| mask != 0)?;
    Some(index * size_of::<Block>() + mask.trailing_zeros() as usize)
}

/// Bit masks of blocks by SSE2, which compares 16 bytes at once.
#[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
mod blocks {
    use super::{Block, CommonRanges};
    use safe_arch::{
        add_i8_m128i, cmp_eq_mask_i8_m128i, cmp_gt_mask_i8_m128i, m128i, min_u8_m128i,
        move_mask_i8_m128i, set_splat_i8_m128i,
    };

    #[inline(always)]
    pub(super) fn mask_of<const N: usize>(needles: [u8; N], block: &Block) -> u16 {
        let bytes = m128i::from(*block);
        mask(needles.into_iter().fold(m128i::default(), |found, needle| {
            found | cmp_eq_mask_i8_m128i(bytes, set_splat_i8_m128i(needle as i8))
        }))
    }

    #[inline(always)]
    pub(super) fn mask_below<const LOWEST: u8>(block: &Block) -> u16 {
        let (bytes, highest) = (m128i::from(*block), set_splat_i8_m128i((LOWEST - 1) as i8));
        mask(cmp_eq_mask_i8_m128i(bytes, min_u8_m128i(bytes, highest)))
    }

    #[inline(always)]
    pub(super) fn mask_outside(ranges: &CommonRanges, block: &Block) -> u16 {
        let bytes = m128i::from(*block);
        !mask(ranges.0.iter().fold(m128i::default(), |found, (shift, below)| {
            found
                | cmp_gt_mask_i8_m128i(
                    add_i8_m128i(bytes, m128i::from(*shift)),
                    m128i::from(*below),
                )
        }))
    }

    #[inline(always)]
    fn mask(matches: m128i) -> u16 {
        move_mask_i8_m128i(matches) as u16
    }
}

/// Bit masks of blocks by portable code, which compares the 8 bytes of a word at once.
#[cfg(any(test, not(all(target_arch = "x86_64", target_feature = "sse2"))))]
mod words {
    use super::{Block, CommonRanges};

    /// A word in which each byte is 1.
    const ONES: u64 = u64::MAX / 255;

    /// A word in which the low seven bits of each byte are set.
    const LOW: u64 = ONES * 0x7F;

    #[inline(always)]
    pub(super) fn mask_of<const N: usize>(needles: [u8; N], block: &Block) -> u16 {
        mask(block, |word| {
            needles.into_iter().fold(0, |found, needle| found | equal_bytes(word, needle))
        })
    }

    #[inline(always)]
    fn mask(block: &Block, find: impl Fn(u64) -> u64) -> u16 {
        let (words, _) = block.as_chunks::<8>();
        // The multiplication gathers the lowest bits of all bytes in the highest byte.
        let pack = |word| (find(word) >> 7).wrapping_mul(0x0102_0408_1020_4080) >> 56;
        let append = |mask, word: &[u8; 8]| mask << 8 | pack(u64::from_le_bytes(*word)) as u16;
        words.iter().rev().fold(0, append)
    }

    /// Returns a word in which the highest bit of a byte is 1 if that byte of `word` equals `byte`; all other bits are
    /// 0.
    #[inline(always)]
    const fn equal_bytes(word: u64, byte: u8) -> u64 {
        let difference = word ^ (ONES * byte as u64);
        !(((difference & LOW) + LOW) | difference) & !LOW
    }

    #[inline(always)]
    pub(super) fn mask_below<const LOWEST: u8>(block: &Block) -> u16 {
        mask(block, |word| !(((word & LOW) + ONES * (0x80 - LOWEST as u64)) | word) & !LOW)
    }

    #[inline(always)]
    pub(super) fn mask_outside(ranges: &CommonRanges, block: &Block) -> u16 {
        let is_outside = |byte: u8| {
            !ranges.0.iter().any(|(shift, below)| byte.wrapping_add(shift[0]) as i8 > below[0])
        };
        let bits = block.iter().zip(0..).map(|(&byte, index)| u16::from(is_outside(byte)) << index);
        bits.fold(0, |mask, bit| mask | bit)
    }
}

// `mask_of` returns a bit mask of the bytes of a block that are among the needles, `mask_below` one of the bytes below
// `LOWEST`, `mask_outside` one of the bytes in none of the ranges. Bit 0 stands for the first byte.
#[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
use blocks::{mask_below, mask_of, mask_outside};
#[cfg(not(all(target_arch = "x86_64", target_feature = "sse2")))]
use words::{mask_below, mask_of, mask_outside};

/// Returns the offset of the first byte at or after `from` that is not in the table, or the length of the input.
#[inline(always)]
pub fn next_not_in(bytes: &[u8], from: usize, table: &[bool; 256]) -> usize {
    let mut offset = from;
    while let Some(&byte) = bytes.get(offset) {
        if !table[usize::from(byte)] {
            break;
        }
        offset += 1;
    }
    offset
}

/// Like [`next_not_in`], by blocks, in which only bytes outside of `ranges`, which the table must contain, are looked up.
#[inline(always)]
pub fn next_not_in_ranges(
    bytes: &[u8],
    from: usize,
    table: &[bool; 256],
    ranges: &CommonRanges,
) -> usize {
    let mut from = from;
    loop {
        let (start, block) = match (bytes[from..].first_chunk(), bytes.last_chunk()) {
            (Some(block), _) => (from, block),
            // The last block overlaps the one before it.
            (None, Some(block)) => (bytes.len() - size_of::<Block>(), block),
            (None, None) => return next_not_in(bytes, from, table),
        };
        let mut outside = u32::from(mask_outside(ranges, block)) >> (from - start);
        while outside != 0 {
            let offset = from + outside.trailing_zeros() as usize;
            match bytes.get(offset) {
                Some(&byte) if table[usize::from(byte)] => outside &= outside - 1,
                _ => return offset,
            }
        }
        from = start + size_of::<Block>();
        if from == bytes.len() {
            return from;
        }
    }
}

/// Returns the offset of the first byte of `window` at or after `from` that is not in the table, or the window's
/// length. `window` is a prefix of `bytes`, whose further bytes may be read but are never reported. The table must
/// contain all bytes from `LOWEST` on, as tables of letters do, so that a block of them is skipped at once.
#[inline(always)]
pub fn next_not_in_by_blocks<const LOWEST: u8>(
    bytes: &[u8],
    window: &[u8],
    from: usize,
    table: &[bool; 256],
) -> usize {
    const { assert!(0 < LOWEST && LOWEST <= 0x80) };
    let Some(block) = bytes[from..].first_chunk() else {
        return next_not_in(window, from, table);
    };
    let lower = mask_below::<LOWEST>(block);
    let offset = if lower == 0 { past_block(from) } else { from + lower.trailing_zeros() as usize };
    match window.get(offset) {
        Some(&byte) if !table[usize::from(byte)] => offset,
        Some(_) => next_not_in_cold(window, from, lower, table),
        None => window.len(),
    }
}

/// Slow path of [`next_not_in_by_blocks`], for a block with the bytes below `LOWEST` that `lower` marks, the first of which
/// is in the table; few names have one. Keeping it out of line, together with comparing attributes by length, saved 2 % of
/// the instructions for tokens of HTML and 1 % for trees.
#[cold]
#[inline(never)]
fn next_not_in_cold(window: &[u8], from: usize, mut lower: u16, table: &[bool; 256]) -> usize {
    while lower != 0 {
        let offset = from + lower.trailing_zeros() as usize;
        match window.get(offset) {
            Some(&byte) if table[usize::from(byte)] => lower &= lower - 1,
            Some(_) => return offset,
            None => return window.len(),
        }
    }
    next_not_in(window, past_block(from).min(window.len()), table)
}

/// Returns the offset after the block at `from`. Cold, as most names are shorter than a block.
#[cold]
fn past_block(from: usize) -> usize {
    from + size_of::<Block>()
}

/// Inclusive ranges of bytes.
type Ranges<const N: usize> = [(u8, u8); N];

/// Signed tests, as `as_signed_test` returns them, for the three longest ranges of ASCII bytes in a table, each repeated
/// for all bytes of a block. Most bytes of a text in the table are in these ranges.
#[derive(Clone, Copy, Debug)]
pub struct CommonRanges([(Block, [i8; size_of::<Block>()]); 3]);

impl CommonRanges {
    /// Finds the ranges of a table.
    pub const fn new(table: &[bool; 256]) -> Self {
        let mut longest: Ranges<3> = [(1, 0); 3];
        let mut byte = 0;
        while byte < 0x80 {
            let first = byte;
            while byte < 0x80 && table[byte] {
                byte += 1;
            }
            if first < byte {
                let range = (first as u8, (byte - 1) as u8);
                if is_longer(range, longest[0]) {
                    longest = [range, longest[0], longest[1]];
                } else if is_longer(range, longest[1]) {
                    longest = [longest[0], range, longest[1]];
                } else if is_longer(range, longest[2]) {
                    longest[2] = range;
                }
            }
            byte += 1;
        }
        let [(a, b), (c, d), (e, f)] =
            [as_signed_test(longest[0]), as_signed_test(longest[1]), as_signed_test(longest[2])];
        Self([([a; _], [b; _]), ([c; _], [d; _]), ([e; _], [f; _])])
    }
}

/// A table of bytes, prepared for vectorized searches for the next byte that is not in the table.
pub(crate) struct SearchableTable {
    table: &'static [bool; 256],
    /// Signed tests, as [`as_signed_test`] returns them, for the two longest ranges of ASCII bytes in the table. Most
    /// blocks of a text have no other bytes.
    common: [(u8, i8); 2],
    /// The ranges of bytes that are not in the table; if there are more than 8, the last range also covers bytes in the
    /// table.
    excluded: Ranges<8>,
}

impl SearchableTable {
    pub(crate) const fn new(table: &'static [bool; 256]) -> Self {
        let (mut common, mut excluded): (Ranges<2>, Ranges<8>) = ([(1, 0); 2], [(0xFF, 0xFF); 8]);
        let (mut count, mut byte) = (0, 0);
        while byte < 256 {
            let (first, is_in) = (byte, table[byte]);
            while byte < 256 && table[byte] == is_in && (byte < 0x80 || 0x80 <= first) {
                byte += 1;
            }
            let range = (first as u8, (byte - 1) as u8);
            if is_in && first < 0x80 {
                if is_longer(range, common[0]) {
                    common = [range, common[0]];
                } else if is_longer(range, common[1]) {
                    common[1] = range;
                }
            } else if !is_in && count < excluded.len() {
                excluded[count] = range;
                count += 1;
            } else if !is_in {
                excluded[count - 1].1 = range.1;
            }
        }
        while 0 < count && count < excluded.len() {
            excluded[count] = excluded[0];
            count += 1;
        }
        Self { table, common: [as_signed_test(common[0]), as_signed_test(common[1])], excluded }
    }

    /// Vectorized [`next_not_in`].
    #[inline(always)]
    pub(crate) fn next_not_in(&self, bytes: &[u8], from: usize) -> usize {
        let mut offset = from;
        while let Some(block) = bytes.get(offset..).and_then(|rest| rest.first_chunk::<64>())
            && (block.iter().fold(true, |all, &byte| all & self.is_common(byte))
                || !block.iter().fold(false, |found, &byte| found | is_in(byte, &self.excluded)))
        {
            offset += block.len();
        }
        next_not_in(bytes, offset, self.table)
    }

    /// Whether the byte is in one of the two longest ranges of ASCII bytes in the table.
    #[inline(always)]
    fn is_common(&self, byte: u8) -> bool {
        let is_in = |(shift, below): (u8, i8)| byte.wrapping_add(shift) as i8 > below;
        is_in(self.common[0]) | is_in(self.common[1])
    }
}

const fn is_longer(one: (u8, u8), other: (u8, u8)) -> bool {
    one.1 - one.0 + 1 > (other.1 + 1) - other.0
}

/// Returns the numbers `shift` and `below` for which a byte is in the range of ASCII bytes if and only if
/// `byte + shift > below` in signed arithmetic. No byte passes the test of an empty range.
const fn as_signed_test((first, last): (u8, u8)) -> (u8, i8) {
    if last < first { (0, i8::MAX) } else { (0x7F - last, (first + (0x7F - last)) as i8 - 1) }
}

/// Whether the byte is in one of the ranges. Branch-free, so that it vectorizes.
#[inline(always)]
fn is_in(byte: u8, ranges: &Ranges<8>) -> bool {
    let is_in = |index: usize| {
        let (first, last) = ranges[index];
        byte.wrapping_sub(first) <= last - first
    };
    is_in(0) | is_in(1) | is_in(2) | is_in(3) | is_in(4) | is_in(5) | is_in(6) | is_in(7)
}

/// Returns the length in bytes of the UTF-8 character whose first byte is `first`.
#[inline(always)]
pub const fn width(first: u8) -> usize {
    match first {
        0..0xC0 => 1,
        0xC0..0xE0 => 2,
        0xE0..0xF0 => 3,
        0xF0.. => 4,
    }
}

/// The result of looking ahead in the input.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ahead<T> {
    /// A match, with its description, such as a length.
    Found(T),
    /// No match.
    Other,
    /// More input is needed to decide.
    Unknown,
}

/// Tests whether `text` occurs at offset `from`; returns its length in bytes. With `ignoring_case`, ASCII letters match in
/// either case.
#[inline]
pub fn text_ahead(
    bytes: &[u8],
    from: usize,
    text: &str,
    ignoring_case: bool,
    is_last: bool,
) -> Ahead<usize> {
    let (rest, text) = (bytes.get(from..).unwrap_or_default(), text.as_bytes());
    let is_equal = |actual: &[u8], expected: &[u8]| {
        if ignoring_case { actual.eq_ignore_ascii_case(expected) } else { actual == expected }
    };
    match rest.get(..text.len()) {
        Some(actual) if is_equal(actual, text) => Ahead::Found(text.len()),
        None if !is_last && is_equal(rest, &text[..rest.len()]) => Ahead::Unknown,
        _ => Ahead::Other,
    }
}

/// Returns the length of the line end that starts with the CR at `offset`; `None` if more input is needed to decide.
#[inline]
pub fn line_end(bytes: &[u8], offset: usize, is_last: bool) -> Option<usize> {
    match bytes.get(offset + 1) {
        Some(b'\n') => Some(2),
        None if !is_last => None,
        _ => Some(1),
    }
}

// Tables indexed by byte, built from ranges at compile time. A byte outside every range has the default: `false`, or
// class 0.

/// Returns a table that tells for each byte whether it is in one of the inclusive ranges.
pub const fn byte_set(ranges: &[(u8, u8)]) -> [bool; 256] {
    let mut set = [false; 256];
    let mut index = 0;
    while index < ranges.len() {
        let (first, last) = ranges[index];
        let mut byte = first as usize;
        while byte <= last as usize {
            set[byte] = true;
            byte += 1;
        }
        index += 1;
    }
    set
}

/// Returns a table of the classes of the ASCII bytes. Each triple is the first byte, the last byte and the class of an
/// inclusive range; bytes in no range have class 0.
pub const fn byte_classes(ranges: &[(u8, u8, u8)]) -> [u8; 128] {
    let mut classes = [0; 128];
    let mut index = 0;
    while index < ranges.len() {
        let (first, last, class) = ranges[index];
        let mut byte = first as usize;
        while byte <= last as usize {
            classes[byte] = class;
            byte += 1;
        }
        index += 1;
    }
    classes
}

/// A set of characters.
#[derive(Clone, Copy, Debug)]
pub struct CharacterSet {
    /// For each byte, whether no character of the set begins with it in UTF-8.
    pub begins_none: &'static [bool; 256],
    /// Whether a character is in the set.
    pub is_member: fn(char) -> bool,
    /// The characters, some of them repeated, if they are ASCII and at most three.
    needles: Option<[u8; 3]>,
    /// The longest ranges of `begins_none`.
    common: CommonRanges,
}

impl CharacterSet {
    /// Creates a set of characters.
    pub const fn new(
        begins_none: &'static [bool; 256],
        is_member: fn(char) -> bool,
        needles: Option<[u8; 3]>,
    ) -> Self {
        Self { begins_none, is_member, needles, common: CommonRanges::new(begins_none) }
    }

    /// Returns the byte offset of the first character in `text` that is in the set; `None` if there is none.
    #[inline(never)]
    pub fn find(&self, text: &str) -> Option<usize> {
        let from = self.first_beginning(text.as_bytes())?;
        self.find_from(text, from)
    }

    /// Returns an offset before which no byte of the text begins a character of the set; `None` if no byte does. A quick
    /// test, which most texts pass.
    #[inline(always)]
    pub(crate) fn first_beginning(&self, bytes: &[u8]) -> Option<usize> {
        let Some(needles) = self.needles else {
            let first = self.next_beginning(bytes, 0);
            return (first < bytes.len()).then_some(first);
        };
        let is_absent = |block: &Block| mask_of(needles, block) == 0;
        let is_absent_in_text = match bytes.last_chunk() {
            // The last block may overlap the one before it, so that most texts need no loop over single bytes.
            Some(last) => bytes.as_chunks().0.iter().all(is_absent) && is_absent(last),
            None => mask_of(needles, &short_block(bytes)).trailing_zeros() as usize >= bytes.len(),
        };
        (!is_absent_in_text).then_some(0)
    }

    /// Returns the offset of the first byte at or after `from` that may begin a character of the set, or the length.
    #[inline(always)]
    fn next_beginning(&self, bytes: &[u8], from: usize) -> usize {
        next_not_in_ranges(bytes, from, self.begins_none, &self.common)
    }

    /// Returns the byte offset of the first character in `text`, at or after `from`, that is in the set.
    #[cold]
    #[inline(never)]
    pub(crate) fn find_from(&self, text: &str, from: usize) -> Option<usize> {
        let mut offset = self.next_beginning(text.as_bytes(), from);
        while let Some(character) = text[offset..].chars().next() {
            // A byte that begins an ASCII character of the set is that character.
            if character.is_ascii() || (self.is_member)(character) {
                return Some(offset);
            }
            let next = offset + character.len_utf8();
            offset = self.next_beginning(text.as_bytes(), next);
        }
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns random inputs in which the searched bytes, their neighbours and other bytes occur at various
    /// frequencies.
    fn inputs() -> impl Iterator<Item = Vec<u8>> {
        let mut state = 0x9E37_79B9_7F4A_7C15_u64;
        let mut next_random = move || {
            state ^= state << 13;
            state ^= state >> 7;
            state ^= state << 17;
            state
        };
        (0..2_000).map(move |_| {
            let (length, interval) = (next_random() % 200, 1 + next_random() % 90);
            let byte = |random: u64| match (random >> 8) % interval {
                0 => b"<&\"=;\0\x01\x80\xBC\xFF"[(random >> 32) as usize % 10],
                _ => b"abc'`{z"[(random >> 32) as usize % 7],
            };
            (0..length).map(|_| byte(next_random())).collect()
        })
    }

    fn naive_search(bytes: &[u8], end: usize, from: usize, is_match: impl Fn(u8) -> bool) -> usize {
        bytes[from..end].iter().position(|&byte| is_match(byte)).map_or(end, |offset| from + offset)
    }

    #[test]
    fn agrees_with_a_naive_search() {
        let mut table = [true; 256];
        table[..usize::from(b'a')].fill(false);
        let searchable_table = SearchableTable::new(Box::leak(Box::new(table)));
        for bytes in inputs() {
            for end in [bytes.len(), bytes.len() / 2] {
                for from in (0..=end).step_by(7) {
                    let check =
                        |actual, expected| assert_eq!(actual, expected, "{bytes:?} {from}..{end}");
                    let naive =
                        |is_match: &dyn Fn(u8) -> bool| naive_search(&bytes, end, from, is_match);
                    check(next_of([b'<'], &bytes, end, from), naive(&|byte| byte == b'<'));
                    if let Some(line) = bytes[from..end].first_chunk() {
                        let found = next_in_line(b'<', line).map(|at| from + at);
                        let expected = naive(&|byte| byte == b'<');
                        assert_eq!(found, (expected < from + line.len()).then_some(expected));
                    }
                    let found = find_any([b'<', b'&'], &bytes[from..end]);
                    let expected = naive(&|byte| matches!(byte, b'<' | b'&'));
                    assert_eq!(found, (expected < end).then(|| expected - from), "{bytes:?}");
                    let two = next_of([b'"', b'&'], &bytes, end, from);
                    check(two, naive(&|byte| matches!(byte, b'"' | b'&')));
                    let three = next_of([b'<', 0, b'='], &bytes, end, from);
                    check(three, naive(&|byte| matches!(byte, b'<' | 0 | b'=')));
                    let (window, expected) = (&bytes[..end], naive(&|byte| byte < b'a'));
                    check(next_not_in(window, from, &table), expected);
                    check(next_not_in_by_blocks::<b'a'>(&bytes, window, from, &table), expected);
                    let mut wider = table;
                    wider[usize::from(b'=')] = true;
                    let expected_wider = naive(&|byte| byte < b'a' && byte != b'=');
                    let found = next_not_in_by_blocks::<b'a'>(&bytes, window, from, &wider);
                    check(found, expected_wider);
                    let ranges = CommonRanges::new(&wider);
                    check(next_not_in_ranges(window, from, &wider, &ranges), expected_wider);
                    check(searchable_table.next_not_in(window, from), expected);
                }
            }
        }
    }

    #[test]
    fn windows_end_between_characters() {
        for before in WINDOW_LEN - 4..=WINDOW_LEN {
            let text = format!("{}\u{10FFFF}{}", "a".repeat(before), "b".repeat(2 * WINDOW_LEN));
            let end = window_of([0, b'\r'], &text, 0);
            assert_eq!(end, if before == WINDOW_LEN - 4 { WINDOW_LEN } else { before });
            assert_eq!(window_of([b'\r'], &text, end), text.floor_char_boundary(end + WINDOW_LEN));
            assert_eq!(window_of([b'b'], &text, before), before + 4);
        }
    }

    #[test]
    fn words_agree_with_blocks() {
        for bytes in inputs() {
            let (blocks, _) = bytes.as_chunks::<16>();
            for block in blocks {
                assert_eq!(words::mask_of([b'<'], block), mask_of([b'<'], block));
                assert_eq!(words::mask_of([b'"', 0], block), mask_of([b'"', 0], block));
                let three = [0, 1, 0x80];
                assert_eq!(words::mask_of(three, block), mask_of(three, block), "{block:?}");
                assert_eq!(words::mask_below::<b'a'>(block), mask_below::<b'a'>(block));
                assert_eq!(words::mask_below::<1>(block), mask_below::<1>(block));
                let ranges = CommonRanges::new(&byte_set(&[(0, 0), (b'"', b'<'), (b'`', 0x7F)]));
                assert_eq!(words::mask_outside(&ranges, block), mask_outside(&ranges, block));
            }
        }
    }

    #[test]
    fn sets_of_characters_agree_with_a_naive_search() {
        let begins_none = |ranges: &[(u8, u8)]| -> &'static [bool; 256] {
            Box::leak(Box::new(byte_set(ranges).map(|begins_one| !begins_one)))
        };
        let sets = [
            CharacterSet::new(
                begins_none(&[(b'&', b'&'), (b'<', b'<')]),
                |character| matches!(character, '&' | '<'),
                Some([b'&', b'<', b'<']),
            ),
            CharacterSet::new(
                begins_none(&[(b'0', b'9')]),
                |character| character.is_ascii_digit(),
                None,
            ),
            CharacterSet::new(
                begins_none(&[(b'<', b'<'), (0xC3, 0xC3)]),
                |character| matches!(character, '<' | '\u{E9}'),
                None,
            ),
        ];
        for set in sets {
            for number in 0..400 {
                let (before, after) = (number / 20, number % 20);
                for found in ["", "<", "7", "\u{E8}\u{E9}"] {
                    let text = format!("{}{found}{}", "a".repeat(before), "b".repeat(after));
                    assert_eq!(set.find(&text), text.find(set.is_member), "{text:?}");
                }
            }
        }
    }

    #[test]
    fn texts_ahead_are_unknown_only_if_input_is_missing() {
        use Ahead::{Found, Other, Unknown};
        for (input, ignoring_case, is_last, expected) in [
            ("xabc", false, false, Found(2)),
            ("xab", false, false, Found(2)),
            ("xAb", true, false, Found(2)),
            ("xAb", false, false, Other),
            ("xa", false, false, Unknown),
            ("xA", true, false, Unknown),
            ("xA", false, false, Other),
            ("xa", false, true, Other),
            ("x", false, false, Unknown),
            ("", false, false, Unknown),
            ("", false, true, Other),
        ] {
            let found = text_ahead(input.as_bytes(), 1, "ab", ignoring_case, is_last);
            assert_eq!(found, expected, "{input:?} {ignoring_case} {is_last}");
        }
    }

    #[test]
    fn ranges_include_both_ends() {
        let set = byte_set(&[(0, 0), (b'a', b'c'), (0xFE, 0xFF)]);
        let members: Vec<usize> = (0..256).filter(|&byte| set[byte]).collect();
        assert_eq!(members, [0, 97, 98, 99, 0xFE, 0xFF]);
        let classes = byte_classes(&[(b'0', b'1', 2), (0x7F, 0x7F, 1)]);
        assert_eq!((classes[48], classes[49], classes[50], classes[127]), (2, 2, 0, 1));
    }
}
