//! The standard's "escaping a string" for HTML. Parsing the result gives the original text, except for U+0000 and line
//! ends, which parsing itself changes.

use std::borrow::Cow;
use std::fmt;

/// Escapes text for HTML content, or for an attribute value in double quotes.
pub fn escape(text: &str, is_in_attribute: bool) -> Cow<'_, str> {
    if special(text.as_bytes(), is_in_attribute).is_none() {
        return text.into();
    }
    let mut written = String::with_capacity(text.len() + 16);
    // Writing to a string cannot fail.
    let _ = write_escaped(&mut written, text, is_in_attribute);
    written.into()
}

/// Writes a text escaped; see [`escape`].
#[inline]
pub(super) fn write_escaped<W: fmt::Write>(
    out: &mut W,
    text: &str,
    is_in_attribute: bool,
) -> fmt::Result {
    match special(text.as_bytes(), is_in_attribute) {
        None => out.write_str(text),
        Some(first) => write_replaced(out, text, first, is_in_attribute),
    }
}

/// Writes a text escaped, given the offset of the first byte that may need it.
fn write_replaced<W: fmt::Write>(
    out: &mut W,
    text: &str,
    first: usize,
    is_in_attribute: bool,
) -> fmt::Result {
    let bytes = text.as_bytes();
    let (mut written, mut found) = (0, Some(first));
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
            out.write_str(&text[written..start])?;
            out.write_str(replacement)?;
            written = start + length;
        }
        let next = start + length.max(1);
        found = special(&bytes[next..], is_in_attribute).map(|offset| next + offset);
    }
    out.write_str(&text[written..])
}

/// Returns the offset of the first byte that may begin a replaced character.
#[inline]
fn special(bytes: &[u8], is_in_attribute: bool) -> Option<usize> {
    if is_in_attribute { first_of::<true>(bytes) } else { first_of::<false>(bytes) }
}

/// Whether a replaced character may begin with this byte. `"` and `&` differ in one bit, as do `<` and `>`, so two
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
    // Nonzero if any byte of a word is 0. Bits above the first such byte are unreliable, which does not matter here.
    let zeros = |word: u64| word.wrapping_sub(ONES) & !word & (ONES << 7);
    let word = u64::from_ne_bytes(bytes);
    let mask = if ATTRIBUTE { u64::from(b'"' ^ b'&') * ONES } else { 0 };
    let ampersands = zeros((word | mask) ^ (u64::from(b'&') * ONES));
    let brackets = zeros((word | (2 * ONES)) ^ (u64::from(b'>') * ONES));
    let spaces = zeros(word ^ (0xC2 * ONES));
    (ampersands | brackets | spaces) != 0
}

/// Returns the offset of the first special byte. Most texts have none, so blocks are searched, of which the last may
/// overlap the one before.
#[inline]
fn first_of<const ATTRIBUTE: bool>(bytes: &[u8]) -> Option<usize> {
    let plain = |block: &[u8; 16]| {
        !block.iter().fold(false, |any, &byte| any | is_special::<ATTRIBUTE>(byte))
    };
    let in_rest = |from: usize| {
        let found = bytes[from..].iter().position(|&byte| is_special::<ATTRIBUTE>(byte))?;
        Some(from + found)
    };
    if let Some(last) = bytes.last_chunk::<16>() {
        let (blocks, _) = bytes.as_chunks::<16>();
        let passed = blocks.iter().take_while(|block| plain(block)).count();
        if passed == blocks.len() && plain(last) { None } else { in_rest(passed * 16) }
    } else if let Some((first, last)) = bytes.first_chunk().zip(bytes.last_chunk()) {
        let is_any = has_special::<ATTRIBUTE>(*first) || has_special::<ATTRIBUTE>(*last);
        if is_any { in_rest(0) } else { None }
    } else {
        in_rest(0)
    }
}
