//! Literals in the text of a table, and in what Rust prints of a model. It reads no escape's meaning. Invariant: a quote after
//! a backslash ends nothing.

/// The length of a literal that begins the text, with its quotes; one that does not end is the whole text.
pub fn length(text: &str, quote: char) -> usize {
    let mut is_escaped = false;
    for (at, character) in text.char_indices().skip(1) {
        match character {
            _ if is_escaped => is_escaped = false,
            '\\' => is_escaped = true,
            _ if character == quote => return at + 1,
            _ => {}
        }
    }
    text.len()
}
