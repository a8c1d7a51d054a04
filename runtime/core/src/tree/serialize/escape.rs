//! Text as HTML writes it, apart from any tree: the standard's "escaping a string". Invariant: what is written so is read
//! as the text that it was, but for what reading itself changes: U+0000 and line ends.

use std::borrow::Cow;

/// Text as it stands between tags, or between the double quotation marks of an attribute's value.
pub fn escape(text: &str, is_in_attribute: bool) -> Cow<'_, str> {
    let is_plain = |byte: u8| match byte {
        b'&' | b'<' | b'>' => false,
        b'"' => !is_in_attribute,
        // The first byte of U+00A0, and of some others.
        0xC2 => false,
        _ => true,
    };
    if text.bytes().all(is_plain) {
        return text.into();
    }
    let mut written = String::with_capacity(text.len() + 16);
    // Writing into a string does not fail.
    let _ = super::html::write_escaped(&mut written, text, is_in_attribute);
    written.into()
}
