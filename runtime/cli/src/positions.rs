//! Lines and columns of errors that are sorted by place, in one walk over the text, so that many errors on one long line
//! cost no more than the text. Invariant: the result equals that of `tabulex::Lines`.

use crate::recorder::Report;
use tabulex::Position;

/// An error and its place as people count it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Positioned {
    /// The error.
    pub(crate) report: Report,
    /// Where it begins.
    pub(crate) position: Position,
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
        while offset < target {
            match bytes[offset] {
                // CR LF is one end of a line, in one column.
                b'\r' if bytes.get(offset + 1) == Some(&b'\n') => {}
                b'\n' | b'\r' => position = Position { line: position.line + 1, column: 1 },
                // A byte that continues a character.
                0x80..=0xBF => {}
                _ => position.column += 1,
            }
            offset += 1;
        }
        Positioned { report, position }
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use tabulex::{Lines, Span};

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
