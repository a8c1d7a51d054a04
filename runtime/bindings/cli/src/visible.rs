//! Safe output of characters to a terminal: a page or file name must not move the cursor, set colours or end a line.

use std::path::Path;

/// The replacement for a character without a visible form.
const REPLACEMENT: char = '\u{FFFD}';

/// Returns the character, or a visible symbol for one that controls the terminal or the direction of text.
pub(crate) fn picture(character: char) -> char {
    match character {
        // The control pictures begin at U+2400, in the order of the control characters.
        '\0'..='\x1F' => char::from_u32(0x2400 + u32::from(character)).unwrap_or(REPLACEMENT),
        '\x7F' => '\u{2421}',
        '\u{80}'..='\u{9F}' | '\u{FEFF}' => REPLACEMENT,
        // Line separators, zero-width characters and direction marks have no symbols of their own.
        '\u{200B}'..='\u{200F}' | '\u{2028}'..='\u{202E}' | '\u{2060}'..='\u{206F}' => REPLACEMENT,
        other => other,
    }
}

/// Returns a file name with control characters replaced, so that it takes one line.
pub(crate) fn name(path: &Path) -> String {
    path.to_string_lossy().chars().map(picture).collect()
}

/// Returns a text with control characters other than line feeds and tabs replaced.
pub(crate) fn text(text: &str) -> String {
    let replace = |character: char| {
        if character.is_control() && !matches!(character, '\n' | '\t') {
            picture(character)
        } else {
            character
        }
    };
    text.chars().map(replace).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_take_one_line_and_texts_keep_lines() {
        let hostile = "a\x1B[31m\x07\nb\t\r\u{9B}é";
        assert_eq!(name(Path::new(hostile)), "a␛[31m␇␊b␉␍\u{FFFD}é");
        assert_eq!(text(hostile), "a␛[31m␇\nb\t␍\u{FFFD}é");
    }
}
