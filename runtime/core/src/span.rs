//! Byte ranges of the input, and their conversion to lines and columns. Offsets count the bytes of the UTF-8 input from
//! its start, regardless of chunks.

use std::ops::Range;
use std::sync::OnceLock;

/// A half-open range of bytes of the input.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Span {
    /// The offset of the first byte.
    pub start: usize,
    /// The offset after the last byte.
    pub end: usize,
}

impl Span {
    /// Creates the range from `start` to `end`, in bytes.
    pub const fn new(start: usize, end: usize) -> Self {
        Self { start, end }
    }

    /// Returns the length in bytes; 0 if the end is before the start.
    pub const fn len(self) -> usize {
        self.end.saturating_sub(self.start)
    }

    /// Whether the range is empty.
    pub const fn is_empty(self) -> bool {
        self.start >= self.end
    }

    /// Converts the span to a range of the standard library.
    pub const fn range(self) -> Range<usize> {
        self.start..self.end
    }

    /// Returns the text of the range; `None` if it is out of bounds or not on character boundaries.
    ///
    /// ```
    /// use tabulex::{Options, html};
    ///
    /// let page = "<p>See <a href=/x>this</a>";
    /// let tree = html::parse(page, Options::new()).tree;
    /// let link = tree.root().descendants().find(|node| node.is_html("a")).unwrap();
    /// let href = link.attribute_ref("href").unwrap();
    /// assert_eq!(href.value_span().unwrap().get(page), Some("/x"));
    /// assert_eq!(&page[link.span().unwrap().range()], "<a href=/x>");
    /// ```
    pub fn get(self, input: &str) -> Option<&str> {
        input.get(self.range())
    }
}

impl From<Span> for Range<usize> {
    fn from(span: Span) -> Self {
        span.range()
    }
}

impl From<Range<usize>> for Span {
    fn from(range: Range<usize>) -> Self {
        Self::new(range.start, range.end)
    }
}

/// A line and a column, as editors count them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Position {
    /// The line, from 1.
    pub line: usize,
    /// The column in characters (code points), from 1.
    pub column: usize,
}

/// An index of a text's lines that converts byte offsets to positions. CR LF, LF and a lone CR each end a line and
/// count as one column of it.
#[derive(Clone, Debug)]
pub struct Lines<'a> {
    text: &'a str,
    index: LineIndex,
}

impl<'a> Lines<'a> {
    /// Indexes the line ends of a text.
    pub fn new(text: &'a str) -> Self {
        Self { text, index: LineIndex::new(text) }
    }

    /// Returns the position of a byte offset. An offset after the end counts as the end; one inside a character, or
    /// between CR and LF, as the start of that character or line end.
    pub fn position(&self, offset: usize) -> Position {
        self.index.position(self.text, offset)
    }
}

/// The index of [`Lines`] without the text, which is passed to each query.
#[derive(Clone, Debug)]
pub struct LineIndex {
    /// The offsets of the lines' first bytes.
    starts: Vec<usize>,
    /// The number of characters before each block of [`BLOCK_LEN`] bytes, computed on the first query in a long line,
    /// so that the cost of finding a column does not grow with the length of the line.
    characters_before_blocks: OnceLock<Vec<usize>>,
}

/// The length of a block in bytes; a query counts the characters of at most two blocks.
const BLOCK_LEN: usize = 1024;

/// Returns the number of characters that begin in these bytes of a text.
fn count_characters(bytes: &[u8]) -> usize {
    bytes.iter().filter(|byte| **byte & 0xC0 != 0x80).count()
}

impl LineIndex {
    /// Indexes the line ends of a text.
    pub fn new(text: &str) -> Self {
        let bytes = text.as_bytes();
        let mut starts = vec![0];
        for end in memchr::memchr2_iter(b'\n', b'\r', bytes) {
            if bytes[end] == b'\n' || bytes.get(end + 1) != Some(&b'\n') {
                starts.push(end + 1);
            }
        }
        Self { starts, characters_before_blocks: OnceLock::new() }
    }

    fn characters_between(&self, text: &str, start: usize, offset: usize) -> usize {
        if offset - start <= BLOCK_LEN {
            return count_characters(&text.as_bytes()[start..offset]);
        }
        self.characters_before(text, offset) - self.characters_before(text, start)
    }

    /// Returns the number of characters that begin before a byte offset. An offset after the end counts as the end.
    pub fn characters_before(&self, text: &str, offset: usize) -> usize {
        let (bytes, offset) = (text.as_bytes(), offset.min(text.len()));
        let counts = self.characters_before_blocks.get_or_init(|| {
            let counts = bytes.chunks(BLOCK_LEN).scan(0, |count, block| {
                let before = *count;
                *count += count_characters(block);
                Some(before)
            });
            counts.collect()
        });
        let block = (offset / BLOCK_LEN).min(counts.len().saturating_sub(1));
        let count_before_block = counts.get(block).copied().unwrap_or_default();
        count_before_block + count_characters(&bytes[block * BLOCK_LEN..offset])
    }

    /// Returns the position of a byte offset, as [`Lines::position`] does.
    pub fn position(&self, text: &str, offset: usize) -> Position {
        let offset = text.floor_char_boundary(offset);
        let is_inside_crlf = text[..offset].ends_with('\r') && text[offset..].starts_with('\n');
        let offset = offset - usize::from(is_inside_crlf);
        let line = self.starts.partition_point(|&start| start <= offset);
        let start = self.starts[line - 1];
        let column = self.characters_between(text, start, offset) + 1;
        Position { line, column }
    }
}
