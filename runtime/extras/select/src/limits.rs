//! Limits on the nesting depth and length of a selector. Parsing and matching recurse into it, and within the limits
//! they need at most half a megabyte of stack.

/// Maximum nesting depth of brackets.
const MAX_DEPTH: usize = 32;
/// Maximum length in bytes of one selector of a list.
const MAX_LENGTH: usize = 2048;

/// Returns the error message for the limit that a text exceeds, if any.
pub(crate) fn find_exceeded(text: &str) -> Option<&'static str> {
    let (mut depth, mut length) = (0usize, 0usize);
    let mut quote = None;
    let mut bytes = text.bytes();
    while let Some(byte) = bytes.next() {
        length += 1;
        match (byte, quote) {
            (b'\\', _) => {
                bytes.next();
                length += 1;
            }
            (b'\n', Some(_)) => quote = None,
            (_, Some(opening_quote)) if byte == opening_quote => quote = None,
            (_, Some(_)) => {}
            (b'"' | b'\'', None) => quote = Some(byte),
            (b'(' | b'[' | b'{', None) => depth += 1,
            (b')' | b']' | b'}', None) => depth = depth.saturating_sub(1),
            (b',', None) if depth == 0 => length = 0,
            _ => {}
        }
        if depth > MAX_DEPTH {
            return Some("brackets nested deeper than 32 levels");
        }
        if length > MAX_LENGTH {
            return Some("selector longer than 2048 bytes");
        }
    }
    None
}
