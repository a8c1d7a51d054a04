//! The HTML standard's "escaping a string". Parsing the result gives the original text, except for U+0000 and line
//! ends, which parsing changes.

use std::borrow::Cow;
use std::fmt;

/// Escapes text for HTML content, or for an attribute value in double quotes.
pub fn escape(text: &str, is_in_attribute: bool) -> Cow<'_, str> {
    if find_special(text.as_bytes(), is_in_attribute).is_none() {
        return text.into();
    }
    let mut escaped = String::with_capacity(text.len() + 16);
    // Writing to a string cannot fail.
    let _ = write_escaped(&mut escaped, text, is_in_attribute);
    escaped.into()
}

/// Escapes a text and writes it; see [`escape`].
#[inline]
pub(super) fn write_escaped<W: fmt::Write>(
    out: &mut W,
    text: &str,
    is_in_attribute: bool,
) -> fmt::Result {
    match find_special(text.as_bytes(), is_in_attribute) {
        None => out.write_str(text),
        Some(first) => write_escaped_slow(out, text, first, is_in_attribute),
    }
}

/// Slow path of `write_escaped`; `first` is the offset of the first byte that may begin a replaced character.
fn write_escaped_slow<W: fmt::Write>(
    out: &mut W,
    text: &str,
    first: usize,
    is_in_attribute: bool,
) -> fmt::Result {
    let bytes = text.as_bytes();
    let (mut written_end, mut found) = (0, Some(first));
    while let Some(start) = found {
        let (replacement, length) = match &bytes[start..] {
            [b'&', ..] => ("&amp;", 1),
            [b'<', ..] => ("&lt;", 1),
            [b'>', ..] => ("&gt;", 1),
            [b'"', ..] => ("&quot;", 1),
            // U+00A0 is the only replaced character that is not a single byte.
            [0xC2, 0xA0, ..] => ("&nbsp;", 2),
            _ => ("", 0),
        };
        if length != 0 {
            out.write_str(&text[written_end..start])?;
            out.write_str(replacement)?;
            written_end = start + length;
        }
        let next = start + length.max(1);
        found = find_special(&bytes[next..], is_in_attribute).map(|offset| next + offset);
    }
    out.write_str(&text[written_end..])
}

/// Returns the offset of the first byte that may begin a replaced character, or `None` if there is none.
#[inline]
fn find_special(bytes: &[u8], is_in_attribute: bool) -> Option<usize> {
    if is_in_attribute { find_special_in::<true>(bytes) } else { find_special_in::<false>(bytes) }
}

/// Whether a replaced character may begin with this byte. As `"` and `&` differ in one bit, and also `<` and `>`, two
/// comparisons find all four.
#[inline(always)]
const fn is_special<const ATTRIBUTE: bool>(byte: u8) -> bool {
    let mask = if ATTRIBUTE { b'"' ^ b'&' } else { 0 };
    ((byte | mask) == b'&') | ((byte | 2) == b'>') | (byte == 0xC2)
}

/// Whether [`is_special`] holds for any of eight bytes.
#[inline(always)]
fn has_special<const ATTRIBUTE: bool>(bytes: [u8; 8]) -> bool {
    const ONES: u64 = u64::from_ne_bytes([1; 8]);
    // The result is nonzero exactly if a byte of the word is 0; which of its bits are set does not matter here.
    let zero_bytes = |word: u64| word.wrapping_sub(ONES) & !word & (ONES << 7);
    let word = u64::from_ne_bytes(bytes);
    let mask = if ATTRIBUTE { u64::from(b'"' ^ b'&') * ONES } else { 0 };
    let ampersands = zero_bytes((word | mask) ^ (u64::from(b'&') * ONES));
    let brackets = zero_bytes((word | (2 * ONES)) ^ (u64::from(b'>') * ONES));
    let spaces = zero_bytes(word ^ (0xC2 * ONES));
    (ampersands | brackets | spaces) != 0
}

/// Returns the offset of the first special byte, or `None` if there is none. Whole blocks are tested, because most
/// texts have no special byte; the last block may overlap the one before.
#[inline]
fn find_special_in<const ATTRIBUTE: bool>(bytes: &[u8]) -> Option<usize> {
    let is_plain = |block: &[u8; 16]| {
        !block.iter().fold(false, |any, &byte| any | is_special::<ATTRIBUTE>(byte))
    };
    let find_from = |from: usize| {
        let found = bytes[from..].iter().position(|&byte| is_special::<ATTRIBUTE>(byte))?;
        Some(from + found)
    };
    if let Some(last) = bytes.last_chunk::<16>() {
        let (blocks, _) = bytes.as_chunks::<16>();
        let plain_block_count = blocks.iter().take_while(|block| is_plain(block)).count();
        if plain_block_count == blocks.len() && is_plain(last) {
            None
        } else {
            find_from(plain_block_count * 16)
        }
    } else if let Some((first, last)) = bytes.first_chunk().zip(bytes.last_chunk()) {
        let contains_special = has_special::<ATTRIBUTE>(*first) || has_special::<ATTRIBUTE>(*last);
        if contains_special { find_from(0) } else { None }
    } else {
        find_from(0)
    }
}
