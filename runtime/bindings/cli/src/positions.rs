//! Lines and columns of ascending offsets in a text that arrives in pieces. The results are those of `tabulex::Lines`.

use tabulex::Position;

/// A converter of ascending byte offsets to positions in a text that arrives in pieces. Only the text after the last
/// query is kept.
#[derive(Debug)]
pub(crate) struct PositionTracker {
    text: String,
    /// The offset in `text` of the last query.
    last_query: usize,
    /// The offset of `text` in the whole text.
    offset: usize,
    /// The position at `last_query`.
    position: Position,
}

impl Default for PositionTracker {
    fn default() -> Self {
        let position = Position { line: 1, column: 1 };
        Self { text: String::new(), last_query: 0, offset: 0, position }
    }
}

impl PositionTracker {
    /// Appends a piece of the text.
    pub(crate) fn read(&mut self, piece: &str) {
        self.text.drain(..self.last_query);
        self.offset += std::mem::take(&mut self.last_query);
        self.text.push_str(piece);
    }

    /// Returns the position of a byte offset, which must not be less than that of the last query.
    pub(crate) fn position(&mut self, offset: usize) -> Position {
        let target = self.text.floor_char_boundary(offset.saturating_sub(self.offset));
        let target = target.max(self.last_query);
        let (bytes, position) = (self.text.as_bytes(), &mut self.position);
        for offset in self.last_query..target {
            match bytes[offset] {
                // In CR LF, only the LF ends the line, and the CR takes no column.
                b'\r' if bytes.get(offset + 1) == Some(&b'\n') => {}
                b'\n' | b'\r' => *position = Position { line: position.line + 1, column: 1 },
                // UTF-8 continuation bytes do not begin a character, so they take no column.
                0x80..=0xBF => {}
                _ => position.column += 1,
            }
        }
        self.last_query = target;
        self.position
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tabulex::Lines;

    #[test]
    fn positions_do_not_depend_on_pieces() {
        let text = "a\n\u{E9}b\r\n\n\u{1F600}c\rd\r\r\n\ne\u{20AC}f\r";
        let (lines, mut tracker) = (Lines::new(text), PositionTracker::default());
        for (offset, character) in text.char_indices() {
            tracker.read(character.encode_utf8(&mut [0; 4]));
            if offset % 3 != 1 {
                assert_eq!(tracker.position(offset), lines.position(offset), "{offset}");
            }
        }
    }
}
