//! The input that a tree is made from: kept if it came whole, so that text found in it is not copied, and its line
//! ends, so that no range begins or ends inside one. Ranges do not depend on whether the input came whole or in chunks.

use super::raw_span::RawSpan;
use crate::scan::{Line, next_in_line};
use crate::span::Span;
use std::sync::Arc;

/// Length of a piece in bytes, small enough for all passes over a piece to find it in the L1 cache.
const PIECE: usize = 8 * 1024;

/// Splits the input into pieces. None ends inside a CR LF.
fn pieces(input: &str) -> impl Iterator<Item = &str> {
    let mut rest = input;
    std::iter::from_fn(move || {
        let mut end = rest.floor_char_boundary(PIECE);
        if rest[..end].ends_with('\r') && rest[end..].starts_with('\n') {
            end += 1;
        }
        let (piece, after) = rest.split_at(end);
        rest = after;
        (!piece.is_empty()).then_some(piece)
    })
}

/// Number of blocks that are appended whole and then cut at the line's end: most lines are too short for a search and a
/// copy of variable length to pay off.
const NEAR: usize = 2;

/// Appends the text before the next CR to `text`, and returns the rest. The first `near` blocks are searched one by
/// one.
#[inline(always)]
fn push_line<'a>(input: &'a str, near: usize, text: &mut String) -> &'a str {
    let mut rest = input;
    for _ in 0..near {
        let Some((block, after)) = rest.split_at_checked(size_of::<Line>()) else { break };
        let Some(line) = block.as_bytes().first_chunk() else { break };
        let start = text.len();
        text.push_str(block);
        if let Some(found) = next_in_line::<b'\r'>(line) {
            text.truncate(start + found);
            return &rest[found..];
        }
        rest = after;
    }
    let (line, end) = rest.split_at(memchr::memchr(b'\r', rest.as_bytes()).unwrap_or(rest.len()));
    text.push_str(line);
    end
}

/// The input and its line ends.
#[derive(Clone, Debug, Default)]
pub(super) struct Input {
    /// The whole input, unless it came in chunks.
    pub(super) text: Arc<String>,
    /// Whether line ends in `text` are normalized to LF.
    is_normalized: bool,
    /// The offset of each CR that is followed by LF; in a normalized text, that of the LF that replaces the two.
    pairs: Vec<u32>,
    /// The length of the chunks so far in bytes, and whether the last one ends with a CR.
    length: usize,
    ends_with_return: bool,
}

impl Input {
    /// Maximum length of an input that is kept, in bytes.
    pub(super) const LONGEST: usize = RawSpan::LAST / 2;

    /// Keeps a whole input, with its newlines normalized if `normalizes`, and passes each piece to `look`.
    pub(super) fn keep(&mut self, input: &str, normalizes: bool, mut look: impl FnMut(&[u8])) {
        let mut text = std::mem::take(&mut self.text);
        let room = Arc::make_mut(&mut text);
        room.clear();
        if room.capacity() < input.len() {
            // The buffer is replaced, because reserving would move its old contents.
            *room = String::new();
            room.reserve_exact(input.len());
        }
        self.pairs.clear();
        for piece in pieces(input) {
            let seen = room.len();
            if normalizes {
                self.push_normalized(piece, room);
            } else {
                room.push_str(piece);
            }
            look(&room.as_bytes()[seen..]);
        }
        self.is_normalized = normalizes;
        self.text = text;
    }

    /// Appends the input with CR LF and lone CRs replaced with LF.
    fn push_normalized(&mut self, input: &str, text: &mut String) {
        // Until there is a CR, lines are not assumed to be short.
        let mut rest = push_line(input, 0, text);
        while let Some(next) = rest.strip_prefix('\r') {
            if next.starts_with('\n') {
                self.pairs.push(text.len() as u32);
            } else {
                text.push('\n');
            }
            rest = push_line(next, NEAR, text);
        }
    }

    /// Records the line ends of the next or only chunk.
    pub(super) fn note_line_ends(&mut self, chunk: &str) {
        let bytes = chunk.as_bytes();
        if self.ends_with_return && bytes.first() == Some(&b'\n') {
            self.note_pair(self.length - 1);
        }
        for at in memchr::memchr_iter(b'\r', bytes) {
            if bytes.get(at + 1) == Some(&b'\n') {
                self.note_pair(self.length + at);
            }
        }
        if let Some(&last) = bytes.last() {
            self.ends_with_return = last == b'\r';
        }
        self.length += bytes.len();
    }

    /// Records a CR LF. Offsets beyond 32 bits are dropped, so ranges there are not exact.
    fn note_pair(&mut self, offset: usize) {
        self.pairs.extend(u32::try_from(offset));
    }

    /// Returns an empty input that reuses the capacity of this one unless it is shared.
    pub(super) fn emptied(self) -> Self {
        let Self { mut text, mut pairs, .. } = self;
        pairs.clear();
        match Arc::get_mut(&mut text) {
            Some(text) => text.clear(),
            None => text = Arc::default(),
        }
        Self { text, pairs, ..Self::default() }
    }

    /// Returns the offset of `text` in the kept input, by address, if it is part of it.
    #[inline(always)]
    pub(super) fn offset_of(&self, text: &str) -> Option<u32> {
        // A borrowed string that begins in the memory of the borrowed input must be part of it.
        let offset = text.as_ptr().addr().wrapping_sub(self.text.as_ptr().addr());
        (offset < self.text.len()).then_some(offset as u32)
    }

    /// Returns the offset of a text that was read at offset `here`. Equal text there is interchangeable with it, even
    /// if `text` is stored elsewhere, such as in a table.
    #[inline(always)]
    pub(super) fn offset_of_read(&self, text: &str, here: usize) -> Option<u32> {
        self.offset_of(text).or_else(|| {
            let is_same = !text.is_empty() && self.text.get(here..)?.starts_with(text);
            is_same.then_some(here as u32)
        })
    }

    /// Maps a range of the kept text to the original input.
    pub(super) fn original(&self, span: Span) -> Span {
        Span::new(self.original_offset(span.start), self.original_offset(span.end))
    }

    /// Maps an offset of the kept text to the original input; an offset between CR and LF becomes that of the CR.
    pub(super) fn original_offset(&self, offset: usize) -> usize {
        if self.is_normalized {
            return offset + self.pairs.partition_point(|&pair| (pair as usize) < offset);
        }
        let before = offset.checked_sub(1).and_then(|before| u32::try_from(before).ok());
        let is_within = before.is_some_and(|before| self.pairs.binary_search(&before).is_ok());
        offset - usize::from(is_within)
    }

    /// Returns the heap memory of line ends in bytes.
    pub(super) fn line_ends_size(&self) -> usize {
        self.pairs.capacity() * size_of::<u32>()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const INPUT: &str = "\r\na\r\r\nb\nc\r\n\r\n\rd\r";

    #[test]
    fn a_normalized_text_has_one_line_feed_for_each_line_end() {
        let mut input = Input::default();
        input.keep(INPUT, true, |_| ());
        assert_eq!(*input.text, "\na\n\nb\nc\n\n\nd\n");
        input.keep(INPUT, false, |_| ());
        assert_eq!(*input.text, INPUT);
        // Line ends of the previous input are cleared.
        let offsets: Vec<usize> = (0..=INPUT.len()).collect();
        let originals: Vec<usize> =
            offsets.iter().map(|&offset| input.original_offset(offset)).collect();
        assert_eq!(originals, offsets);
    }

    #[test]
    fn pieces_are_the_input_and_shown_as_they_are_kept() {
        for before in PIECE - 3..PIECE + 3 {
            let line =
                ["b".repeat(before % 64), "\u{10FFFF}".repeat(before % 32), "\r\n".into()].concat();
            let text = "a".repeat(before) + "\r\n\u{10FFFF}\r\r\n" + &line.repeat(PIECE / 8);
            assert_eq!(pieces(&text).collect::<String>(), text);
            let (mut input, mut shown) = (Input::default(), Vec::new());
            input.keep(&text, true, |piece| shown.extend_from_slice(piece));
            let normalized = text.replace("\r\n", "\n").replace('\r', "\n");
            assert!(*input.text == normalized && shown == normalized.as_bytes(), "{before}");
        }
    }

    #[test]
    fn ranges_are_the_same_whole_and_in_chunks() {
        let mut whole = Input::default();
        whole.keep(INPUT, true, |_| ());
        // The offset in the input at which each character of the normalized text begins.
        let begins = [0, 2, 3, 4, 6, 7, 8, 9, 11, 13, 14, 15, 16];
        for (offset, wanted) in begins.into_iter().enumerate() {
            assert_eq!(whole.original_offset(offset), wanted, "{offset}");
        }
        for cut in 0..=INPUT.len() {
            let mut cut_once = Input::default();
            cut_once.note_line_ends(&INPUT[..cut]);
            cut_once.note_line_ends(&INPUT[cut..]);
            for offset in 0..=INPUT.len() {
                let is_within = offset > 0 && INPUT[offset - 1..].starts_with("\r\n");
                let wanted = offset - usize::from(is_within);
                assert_eq!(cut_once.original_offset(offset), wanted, "{cut} {offset}");
            }
        }
    }

    #[test]
    fn parts_are_found_and_nothing_else() {
        let mut input = Input::default();
        input.keep("text", false, |_| ());
        let text = Arc::clone(&input.text);
        assert_eq!(input.offset_of(&text[1..3]), Some(1));
        assert_eq!(input.offset_of(&text[..0]), Some(0));
        assert_eq!(input.offset_of(&text[4..]), None);
        assert_eq!(input.offset_of(&String::from("text")), None);
        let read = |text: &str, here| input.offset_of_read(&String::from(text), here);
        assert_eq!((read("ex", 1), read("ex", 2), read("ext!", 1)), (Some(1), None, None));
        assert_eq!((read("", 1), read("t", 4), read("t", usize::MAX)), (None, None, None));
        assert_eq!(input.offset_of_read(&text[1..3], 0), Some(1));
        assert_eq!(Input::default().offset_of(""), None);
    }
}
