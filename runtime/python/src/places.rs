//! From places as parsers count them, in bytes of text, to places as Python counts them, and to lines and columns. It is made for
//! one input, when it is first asked. Invariant: places rise together, what a range holds stays what it holds, and asking for a
//! place takes no longer on a long page than on a short one.

use tabulex::Span;
use tabulex::encoding::{Encoding, Offsets};

/// Places of one input.
pub(crate) enum Places {
    /// Both count the same: the text is ASCII.
    Same,
    /// Code points: how many there are before each block of bytes.
    CodePoints(Vec<u32>),
    /// Bytes of the encoded input.
    Bytes(Offsets),
}

/// Bytes after which code points are noted down. Between two notes they are counted.
const BLOCK: usize = 256;

impl Places {
    /// Of a text, counted in code points.
    pub(crate) fn of_text(text: &str) -> Self {
        if text.is_ascii() {
            return Self::Same;
        }
        let mut before = 0;
        let notes = text.as_bytes().chunks(BLOCK).map(|block| {
            let note = before;
            before += count(block) as u32;
            note
        });
        Self::CodePoints(notes.collect())
    }

    /// Of bytes.
    pub(crate) fn of_bytes(bytes: &[u8], encoding: Encoding) -> Self {
        if encoding == Encoding::UTF_8 && bytes.is_ascii() {
            return Self::Same;
        }
        Self::Bytes(Offsets::new(bytes, encoding))
    }

    /// A range of the text, which is the one that these places were made of.
    pub(crate) fn range(&self, text: &str, span: Span) -> (usize, usize) {
        match self {
            Self::Same => (span.start, span.end),
            Self::CodePoints(notes) => {
                let at = |offset: usize| {
                    let offset = offset.min(text.len());
                    // At the very end there may be no block any more.
                    let block = (offset / BLOCK).min(notes.len().saturating_sub(1));
                    let bytes = &text.as_bytes()[block * BLOCK..offset];
                    notes.get(block).map_or(0, |&note| note as usize) + count(bytes)
                };
                (at(span.start), at(span.end))
            }
            Self::Bytes(offsets) => {
                let span = offsets.original(span);
                (span.start, span.end)
            }
        }
    }
}

/// Where the lines of one text begin. Places in it are those that `tabulex::Lines` finds, which reads the text each time it is made.
pub(crate) struct LineStarts {
    starts: Vec<usize>,
    points: Places,
}

impl LineStarts {
    pub(crate) fn new(text: &str) -> Self {
        let bytes = text.as_bytes();
        let is_end = |&(at, byte): &(usize, &u8)| match byte {
            b'\n' => true,
            b'\r' => bytes.get(at + 1) != Some(&b'\n'),
            _ => false,
        };
        let after = bytes.iter().enumerate().filter(is_end).map(|(at, _)| at + 1);
        Self { starts: std::iter::once(0).chain(after).collect(), points: Places::of_text(text) }
    }

    /// Line and column, from 1, of a byte of the text, which is the one that this was made of.
    pub(crate) fn position(&self, text: &str, offset: usize) -> (usize, usize) {
        let offset = text.floor_char_boundary(offset);
        // The second half of a line end is at the place of the first.
        let is_second = text[..offset].ends_with('\r') && text[offset..].starts_with('\n');
        let offset = offset - usize::from(is_second);
        let line = self.starts.partition_point(|&start| start <= offset);
        let (start, end) = self.points.range(text, Span::new(self.starts[line - 1], offset));
        (line, end - start + 1)
    }
}

/// How many characters of UTF-8 begin here.
fn count(bytes: &[u8]) -> usize {
    bytes.iter().filter(|&&byte| byte & 0xC0 != 0x80).count()
}
