//! Lines and columns of errors that are sorted by place, in one walk over the text, so that many errors on one long line
//! cost no more than the text. Invariant: the result equals that of `tabulex::Lines`.

use crate::recorder::Report;
use std::cell::RefCell;
use tabulex::Position;

/// An error and its place as people count it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Positioned {
    /// The error.
    pub(crate) report: Report,
    /// Where it begins.
    pub(crate) position: Position,
}

/// Lines and columns in a text that comes in pieces, asked for from its beginning to its end. Of the text no more is kept
/// than what comes after the last place that was asked for.
#[derive(Debug)]
pub(crate) struct Places {
    state: RefCell<State>,
}

#[derive(Debug)]
struct State {
    text: String,
    /// Where in the text the part begins that has not been passed.
    passed: usize,
    /// Where in the whole text `text` begins.
    offset: usize,
    /// The position of what has not been passed.
    position: Position,
}

impl Default for Places {
    fn default() -> Self {
        let position = Position { line: 1, column: 1 };
        Self { state: RefCell::new(State { text: String::new(), passed: 0, offset: 0, position }) }
    }
}

impl Places {
    /// The text goes on.
    pub(crate) fn read(&self, piece: &str) {
        let state = &mut *self.state.borrow_mut();
        state.text.drain(..state.passed);
        state.offset += std::mem::take(&mut state.passed);
        state.text.push_str(piece);
    }

    /// Line and column of a byte, which stands no earlier than the last one asked for.
    pub(crate) fn position(&self, offset: usize) -> Position {
        let state = &mut *self.state.borrow_mut();
        let target = state.text.floor_char_boundary(offset.saturating_sub(state.offset));
        let target = target.max(state.passed);
        advance(&mut state.position, state.text.as_bytes(), state.passed..target);
        state.passed = target;
        state.position
    }
}

/// Passes a range of bytes.
fn advance(position: &mut Position, bytes: &[u8], range: std::ops::Range<usize>) {
    for offset in range {
        match bytes[offset] {
            // CR LF is one end of a line, in one column.
            b'\r' if bytes.get(offset + 1) == Some(&b'\n') => {}
            b'\n' | b'\r' => *position = Position { line: position.line + 1, column: 1 },
            // A byte that continues a character.
            0x80..=0xBF => {}
            _ => position.column += 1,
        }
    }
}

/// Adds line and column to each error; they come sorted by their first byte.
pub(crate) fn positioned(
    text: &str,
    sorted: Vec<Report>,
) -> impl Iterator<Item = Positioned> + use<'_> {
    let bytes = text.as_bytes();
    let mut position = Position { line: 1, column: 1 };
    let mut offset = 0;
    sorted.into_iter().map(move |report| {
        let target = text.floor_char_boundary(report.span.start);
        if offset < target {
            advance(&mut position, bytes, offset..target);
            offset = target;
        }
        Positioned { report, position }
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use tabulex::{Lines, Span};

    #[test]
    fn pieces_have_the_places_of_the_whole() {
        let text = "a\n\u{E9}b\n\n\u{1F600}cd\ne\u{20AC}f";
        let (lines, places) = (Lines::new(text), Places::default());
        for (offset, character) in text.char_indices() {
            places.read(character.encode_utf8(&mut [0; 4]));
            if offset % 3 != 1 {
                assert_eq!(places.position(offset), lines.position(offset), "{offset}");
            }
        }
    }

    #[test]
    fn equals_the_lines_of_the_library() {
        for text in
            ["", "a\r\n\r\rb\n\n\u{E9}\u{20AC}\u{1F600}x\r\n", "\n", "\u{20AC}\r", "one line"]
        {
            let lines = Lines::new(text);
            let offsets = 0..=text.len() + 1;
            let reports = offsets.map(|at| Report { code: "code", span: Span::new(at, at) });
            for found in positioned(text, reports.collect()) {
                assert_eq!(found.position, lines.position(found.report.span.start), "{text:?}");
            }
        }
    }
}
