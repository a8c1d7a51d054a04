//! Characters as a terminal may show them. A page or a file name must not move the cursor, set colours or end a line there.

use std::path::Path;

/// Shown in place of a character that has no picture.
const UNSHOWN: char = '\u{FFFD}';

/// The character itself, or the picture of one that a terminal obeys or that turns text around.
pub(crate) fn picture(character: char) -> char {
    match character {
        // The pictures of control characters are in their order.
        '\0'..='\x1F' => char::from_u32(0x2400 + u32::from(character)).unwrap_or(UNSHOWN),
        '\x7F' => '\u{2421}',
        '\u{80}'..='\u{9F}' | '\u{FEFF}' => UNSHOWN,
        // Separators of lines, and marks that set the direction of what follows.
        '\u{200B}'..='\u{200F}' | '\u{2028}'..='\u{202E}' | '\u{2060}'..='\u{206F}' => UNSHOWN,
        other => other,
    }
}

/// A file name on one line.
pub(crate) fn name(path: &Path) -> String {
    path.to_string_lossy().chars().map(picture).collect()
}

/// A text with pictures of its control characters but line feeds and tabs.
pub(crate) fn text(text: &str) -> String {
    let show =
        |it: char| if it.is_control() && !matches!(it, '\n' | '\t') { picture(it) } else { it };
    text.chars().map(show).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_one_line_and_texts_keep_theirs() {
        let hostile = "a\x1B[31m\x07\nb\t\r\u{9B}é";
        assert_eq!(name(Path::new(hostile)), "a␛[31m␇␊b␉␍\u{FFFD}é");
        assert_eq!(text(hostile), "a␛[31m␇\nb\t␍\u{FFFD}é");
    }
}
