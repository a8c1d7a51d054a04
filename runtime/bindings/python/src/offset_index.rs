//! Conversion of parser offsets, in bytes of UTF-8, to Python's indices, lines and columns. The index of an input is
//! built on first use and makes each conversion independent of the input's length.

use tabulex::Span;
use tabulex::encoding::{Encoding, Offsets};

/// An index that converts byte offsets of one input to Python's indices.
pub(crate) enum OffsetIndex {
    /// ASCII input, in which byte offsets and Python's indices agree.
    Same,
    /// Any other text: the number of code points before each block of bytes.
    CodePoints(Vec<u32>),
    /// Any other bytes: the map from offsets in the decoded text to offsets in the bytes.
    Bytes(Offsets),
}

/// Block size in bytes. Within a block, code points are counted on each query.
const BLOCK_LEN: usize = 256;

impl OffsetIndex {
    /// Creates an index from a text's byte offsets to code points.
    pub(crate) fn of_text(text: &str) -> Self {
        if text.is_ascii() {
            return Self::Same;
        }
        let mut total = 0;
        let counts = text.as_bytes().chunks(BLOCK_LEN).map(|block| {
            let count_before = total;
            total += count_code_points(block) as u32;
            count_before
        });
        Self::CodePoints(counts.collect())
    }

    /// Creates an index from the decoded text to the encoded bytes.
    pub(crate) fn of_bytes(bytes: &[u8], encoding: Encoding) -> Self {
        if encoding == Encoding::UTF_8 && bytes.is_ascii() {
            return Self::Same;
        }
        Self::Bytes(Offsets::new(bytes, encoding))
    }

    /// Converts a byte range to Python's indices. `text` must be the text of the index; an index of bytes ignores it.
    pub(crate) fn range(&self, text: &str, span: Span) -> (usize, usize) {
        match self {
            Self::Same => (span.start, span.end),
            Self::CodePoints(counts) => {
                let index_of = |offset: usize| {
                    let offset = offset.min(text.len());
                    // If the length is a multiple of `BLOCK_LEN`, no block begins at the end of the text, so an offset
                    // there is counted from the last block.
                    let block = (offset / BLOCK_LEN).min(counts.len().saturating_sub(1));
                    let bytes = &text.as_bytes()[block * BLOCK_LEN..offset];
                    counts.get(block).map_or(0, |&count| count as usize) + count_code_points(bytes)
                };
                (index_of(span.start), index_of(span.end))
            }
            Self::Bytes(offsets) => {
                let span = offsets.original(span);
                (span.start, span.end)
            }
        }
    }
}

/// Start offsets of the lines of a text. Kept because `tabulex::Lines` scans the text each time it is created.
pub(crate) struct LineStarts {
    starts: Vec<usize>,
    offset_index: OffsetIndex,
}

impl LineStarts {
    pub(crate) fn new(text: &str) -> Self {
        let bytes = text.as_bytes();
        let is_line_end = |&(index, byte): &(usize, &u8)| match byte {
            b'\n' => true,
            b'\r' => bytes.get(index + 1) != Some(&b'\n'),
            _ => false,
        };
        let later_starts = bytes.iter().enumerate().filter(is_line_end).map(|(index, _)| index + 1);
        Self {
            starts: std::iter::once(0).chain(later_starts).collect(),
            offset_index: OffsetIndex::of_text(text),
        }
    }

    /// Returns the line and column, from 1, of a byte offset in `text`, which must be the text of the index.
    pub(crate) fn position(&self, text: &str, offset: usize) -> (usize, usize) {
        let offset = text.floor_char_boundary(offset);
        // The LF of a CRLF has the position of its CR.
        let is_in_crlf = text[..offset].ends_with('\r') && text[offset..].starts_with('\n');
        let offset = offset - usize::from(is_in_crlf);
        let line = self.starts.partition_point(|&start| start <= offset);
        let (start, end) = self.offset_index.range(text, Span::new(self.starts[line - 1], offset));
        (line, end - start + 1)
    }
}

/// Counts the code points that begin in `bytes`.
fn count_code_points(bytes: &[u8]) -> usize {
    bytes.iter().filter(|&&byte| byte & 0xC0 != 0x80).count()
}
