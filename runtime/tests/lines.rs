//! Test of lines and columns at every offset of long texts, including offsets inside characters and after the end,
//! against a count from the start of the text.

use tabulex::{Lines, Position};

/// Returns the position of each offset up to one after the end, counted character by character.
fn count_positions(text: &str) -> Vec<Position> {
    let mut positions = Vec::new();
    let (mut line, mut column) = (1, 1);
    let mut characters = text.chars().peekable();
    while let Some(character) = characters.next() {
        positions.extend(vec![Position { line, column }; character.len_utf8()]);
        match (character, characters.peek()) {
            // CR LF is a single line end, so its CR advances neither line nor column.
            ('\r', Some('\n')) => {}
            ('\r' | '\n', _) => (line, column) = (line + 1, 1),
            _ => column += 1,
        }
    }
    positions.extend([Position { line, column }; 2]);
    positions
}

#[test]
fn counts_columns_of_long_lines_from_their_start() {
    let piece = "a\u{E9}\u{20AC}\u{1F600}";
    let line = piece.repeat(600);
    for text in [
        line.clone(),
        format!("{line}\r\n{line}\n\r{line}"),
        "x".repeat(1023) + "\r\n" + &line,
        "x".repeat(1024) + "\n" + &"y".repeat(1023),
        "\n".repeat(2048),
        "a\r\r\nb\n\r".repeat(300) + "\r",
        String::new(),
    ] {
        let lines = Lines::new(&text);
        for (offset, expected) in count_positions(&text).into_iter().enumerate() {
            assert_eq!(lines.position(offset), expected, "offset {offset}");
        }
    }
}
