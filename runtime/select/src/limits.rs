//! How deep and how long a selector may be, so that neither reading nor matching it, both of which go down into it, uses
//! up a stack. Invariant: what passes is read and matched on a stack of half a megabyte.

/// How deep brackets may be nested.
const DEPTH: usize = 32;
/// How many bytes one selector of a list may have.
const LENGTH: usize = 2048;

/// Why the text is more than can be matched, if it is.
pub(crate) fn exceeded(text: &str) -> Option<&'static str> {
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
            (_, Some(open)) if byte == open => quote = None,
            (_, Some(_)) => {}
            (b'"' | b'\'', None) => quote = Some(byte),
            (b'(' | b'[' | b'{', None) => depth += 1,
            (b')' | b']' | b'}', None) => depth = depth.saturating_sub(1),
            (b',', None) if depth == 0 => length = 0,
            _ => {}
        }
        if depth > DEPTH {
            return Some("brackets more than 32 deep");
        }
        if length > LENGTH {
            return Some("more than 2048 bytes");
        }
    }
    None
}
