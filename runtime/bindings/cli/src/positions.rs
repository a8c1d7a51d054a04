//! Lines and columns of errors sorted by position, computed in one pass over the text, so that many errors on one long
//! line take linear time. The results equal those of `tabulex::Lines`.

use tabulex::{ParseError, Position};

/// An error with its line and column.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Positioned {
    pub(crate) error: ParseError,
    /// The position at which the error starts.
    pub(crate) position: Position,
}

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
        advance(&mut self.position, self.text.as_bytes(), self.last_query..target);
        self.last_query = target;
        self.position
    }
}

/// Advances a position over a range of bytes.
fn advance(position: &mut Position, bytes: &[u8], range: std::ops::Range<usize>) {
    for offset in range {
        match bytes[offset] {
            // In CR LF, only the LF ends the line, and the CR takes no column.
            b'\r' if bytes.get(offset + 1) == Some(&b'\n') => {}
            b'\n' | b'\r' => *position = Position { line: position.line + 1, column: 1 },
            // UTF-8 continuation bytes do not begin a character, so they take no column.
            0x80..=0xBF => {}
            _ => position.column += 1,
        }
    }
}

/// Returns the errors with their positions. The errors must be sorted by start.
pub(crate) fn positioned(
    text: &str,
    errors: Vec<ParseError>,
) -> impl Iterator<Item = Positioned> + use<'_> {
    let bytes = text.as_bytes();
    let mut position = Position { line: 1, column: 1 };
    let mut offset = 0;
    errors.into_iter().map(move |error| {
        let target = text.floor_char_boundary(error.span.start);
        if offset < target {
            advance(&mut position, bytes, offset..target);
            offset = target;
        }
        Positioned { error, position }
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use tabulex::{Lines, Span};

    #[test]
    fn positions_do_not_depend_on_pieces() {
        let text = "a\n\u{E9}b\n\n\u{1F600}cd\ne\u{20AC}f";
        let (lines, mut tracker) = (Lines::new(text), PositionTracker::default());
        for (offset, character) in text.char_indices() {
            tracker.read(character.encode_utf8(&mut [0; 4]));
            if offset % 3 != 1 {
                assert_eq!(tracker.position(offset), lines.position(offset), "{offset}");
            }
        }
    }

    #[test]
    fn agrees_with_the_library() {
        for text in
            ["", "a\r\n\r\rb\n\n\u{E9}\u{20AC}\u{1F600}x\r\n", "\n", "\u{20AC}\r", "one line"]
        {
            let lines = Lines::new(text);
            let offsets = 0..=text.len() + 1;
            let errors = offsets.map(|offset| ParseError::new("code", Span::new(offset, offset)));
            for error in positioned(text, errors.collect()) {
                assert_eq!(error.position, lines.position(error.error.span.start), "{text:?}");
            }
        }
    }
}
