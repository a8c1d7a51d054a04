//! Literals in the text of a table, and in the debug output of a model.

/// Returns the length of the literal at the start of the text, including quotes; an unterminated one extends to the
/// end.
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
