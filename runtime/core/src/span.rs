//! Places in the input. It does not count lines while a machine runs: [`Lines`] does that when asked.
//! Invariant: offsets count bytes of the UTF-8 input from its beginning, however it was cut into chunks.

use std::ops::Range;
use std::sync::OnceLock;

/// A range of bytes of the input.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Span {
    /// Offset of the first byte.
    pub start: usize,
    /// Offset after the last byte.
    pub end: usize,
}

impl Span {
    /// The range from `start` to `end`, in bytes.
    pub const fn new(start: usize, end: usize) -> Self {
        Self { start, end }
    }

    /// The number of bytes; 0 where the end comes before the start.
    pub const fn len(self) -> usize {
        self.end.saturating_sub(self.start)
    }

    /// Whether the range holds no byte.
    pub const fn is_empty(self) -> bool {
        self.start >= self.end
    }

    /// The range as the standard library has it.
    pub const fn range(self) -> Range<usize> {
        self.start..self.end
    }

    /// What stands there in the input; none if this is a range of another text.
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

/// A place as people count it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Position {
    /// The line, from 1.
    pub line: usize,
    /// The column in characters (code points), from 1.
    pub column: usize,
}

/// Finds line and column of byte offsets of one text. CR LF, LF and a lone CR each end a line, and are one column of it.
#[derive(Clone, Debug)]
pub struct Lines<'a> {
    text: &'a str,
    /// Offsets of the first bytes of the lines.
    starts: Vec<usize>,
    /// How many characters begin before each block of [`BLOCK`] bytes, once that is asked for on a long line: what a column
    /// costs does not grow with its line.
    before: OnceLock<Vec<usize>>,
}

/// Bytes of which characters are counted for a column, at most twice.
const BLOCK: usize = 1024;

/// How many characters begin in these bytes of a text.
fn characters(bytes: &[u8]) -> usize {
    bytes.iter().filter(|byte| **byte & 0xC0 != 0x80).count()
}

impl<'a> Lines<'a> {
    /// Reads the text once for its line ends.
    pub fn new(text: &'a str) -> Self {
        let bytes = text.as_bytes();
        let mut starts = vec![0];
        for end in memchr::memchr2_iter(b'\n', b'\r', bytes) {
            if bytes[end] == b'\n' || bytes.get(end + 1) != Some(&b'\n') {
                starts.push(end + 1);
            }
        }
        Self { text, starts, before: OnceLock::new() }
    }

    /// How many characters begin between the start of a line and a byte offset in it.
    fn characters_between(&self, start: usize, offset: usize) -> usize {
        if offset - start <= BLOCK {
            return characters(&self.text.as_bytes()[start..offset]);
        }
        self.characters_before(offset) - self.characters_before(start)
    }

    /// How many characters begin before a byte offset.
    fn characters_before(&self, offset: usize) -> usize {
        let bytes = self.text.as_bytes();
        let before = self.before.get_or_init(|| {
            let blocks = bytes.chunks(BLOCK).scan(0, |count, block| {
                let before = *count;
                *count += characters(block);
                Some(before)
            });
            blocks.collect()
        });
        let block = (offset / BLOCK).min(before.len().saturating_sub(1));
        let counted = before.get(block).copied().unwrap_or_default();
        counted + characters(&bytes[block * BLOCK..offset])
    }

    /// Line and column of a byte offset. An offset after the end counts as the end; one inside a character as the
    /// character's.
    pub fn position(&self, offset: usize) -> Position {
        let offset = self.text.floor_char_boundary(offset);
        let is_second =
            self.text[..offset].ends_with('\r') && self.text[offset..].starts_with('\n');
        let offset = offset - usize::from(is_second);
        let line = self.starts.partition_point(|&start| start <= offset);
        let start = self.starts[line - 1];
        let column = self.characters_between(start, offset) + 1;
        Position { line, column }
    }
}
