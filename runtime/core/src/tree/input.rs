//! The input that a tree is made from, kept so that text found in it is not copied, and its line ends, so that no range
//! begins or ends inside one. Ranges do not depend on whether the input came whole or in chunks.

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
const SHORT_LINE_BLOCKS: usize = 2;

/// Appends the text before the next CR to `text`, and returns the rest. The first `block_count` blocks are searched one
/// by one.
#[inline(always)]
fn push_line<'a>(input: &'a str, block_count: usize, text: &mut String) -> &'a str {
    let mut rest = input;
    for _ in 0..block_count {
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

/// How a dialect treats CR LF and CR.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum LineEnds {
    /// As ordinary characters.
    Ordinary,
    /// As line ends, which the machine normalizes; those of two bytes are recorded.
    Recorded,
    /// As line ends, which are normalized before the machine reads them.
    Normalized,
}

#[derive(Clone, Copy, Debug)]
pub(crate) struct Chunk<'a> {
    pub(crate) text: &'a str,
    /// The input before the chunk that is still needed, unless it is kept.
    pub(crate) carry: Option<&'a str>,
    /// The offset of the needed input.
    pub(crate) start: usize,
    /// How its line ends are treated.
    pub(crate) line_ends: LineEnds,
    /// Whether no chunk follows.
    pub(crate) is_last: bool,
}

impl<'a> Chunk<'a> {
    #[cfg(test)]
    pub(super) fn whole(text: &'a str, line_ends: LineEnds) -> Self {
        Self { text, carry: Some(""), start: 0, line_ends, is_last: true }
    }
}

/// Minimum capacity of a segment in bytes: the length of the input before it, within these bounds.
const MIN_SEGMENT: usize = 256;
const MAX_SEGMENT: usize = 0x4000;

/// The kept input and its line ends. An input that comes in chunks is kept in segments, each of which holds the chunks
/// for which it has capacity.
#[derive(Clone, Debug, Default)]
pub(super) struct KeptInput {
    /// The latest segment, or the whole input.
    pub(super) text: Arc<String>,
    /// The offset of `text` in the input.
    base: usize,
    /// The other segments, each with its offset. What one has after the offset of the next one, that one has too.
    earlier: Vec<(usize, Arc<String>)>,
    /// The capacity of the other segments in bytes.
    earlier_bytes: usize,
    line_ends: LineEndLog,
}

/// The line ends of two bytes.
#[derive(Clone, Debug, Default)]
struct LineEndLog {
    /// Whether line ends of the kept input are normalized to LF.
    is_normalized: bool,
    /// The offset of each CR that is followed by LF; in a normalized text, that of the LF that replaces the two.
    pairs: Vec<u32>,
    /// Whether the last chunk ends with a CR.
    ends_with_return: bool,
}

impl KeptInput {
    /// Maximum length of the input that is kept, in bytes.
    pub(super) const MAX_LEN: usize = RawSpan::LAST / 2;

    /// Keeps a chunk together with the input before it that is still needed. Passes what it has kept of the chunk to
    /// `inspect`, piece by piece. Returns the segment and the offset in it of the needed input, or `None` if the input
    /// is too long to be kept.
    pub(super) fn keep_chunk(
        &mut self,
        chunk: &Chunk<'_>,
        inspect: impl FnMut(&[u8]),
    ) -> Option<(Arc<String>, usize)> {
        let before = chunk.carry.or_else(|| self.tail(chunk.start))?;
        let needed = before.len() + chunk.text.len();
        if chunk.start + needed > Self::MAX_LEN {
            return None;
        }
        let is_shared = Arc::strong_count(&self.text) > 1;
        let free = self.text.capacity() - self.text.len();
        let continues = chunk.carry.is_none_or(|carry| carry.is_empty() && self.text.is_empty());
        if !continues || is_shared || free < chunk.text.len() {
            // Doubled, so that input that stays needed is copied a constant number of times per byte.
            let spare = chunk.start.clamp(MIN_SEGMENT, MAX_SEGMENT).max(2 * before.len());
            let capacity = if chunk.is_last { needed } else { needed.max(spare) };
            let mut text = String::with_capacity(capacity);
            text.push_str(before);
            match Arc::get_mut(&mut self.text) {
                Some(last) if last.is_empty() => *last = text,
                _ => {
                    let last = std::mem::replace(&mut self.text, Arc::new(text));
                    if !last.is_empty() {
                        self.earlier_bytes += last.capacity();
                        self.earlier.push((self.base, last));
                    }
                }
            }
            self.base = chunk.start;
        }
        self.line_ends.push_chunk(chunk, self.base, Arc::make_mut(&mut self.text), inspect);
        Some((Arc::clone(&self.text), chunk.start - self.base))
    }

    /// Returns a chunk that begins at `offset` as it would be kept, and records its line ends.
    pub(super) fn normalize_chunk(&mut self, chunk: &Chunk<'_>, offset: usize) -> String {
        let mut text = String::with_capacity(chunk.text.len());
        self.line_ends.push_chunk(chunk, offset, &mut text, |_| ());
        text
    }

    pub(super) fn record_line_ends(&mut self, chunk: &Chunk<'_>, offset: usize) {
        self.line_ends.record(chunk, offset);
    }

    /// Returns the segment that has the text at this offset, and the offset in the segment.
    pub(super) fn segment(&self, start: usize) -> (Arc<String>, usize) {
        if let Some(start) = start.checked_sub(self.base) {
            return (Arc::clone(&self.text), start);
        }
        let index = self.earlier.partition_point(|&(base, _)| base <= start);
        // Without an earlier segment, the text is empty.
        let (base, text) = self.earlier[..index].last().cloned().unwrap_or_default();
        (text, start - base)
    }

    /// Returns the latest segment and the offset in it of this offset of the input.
    pub(super) fn latest(&self, start: usize) -> (Arc<String>, usize) {
        (Arc::clone(&self.text), (start - self.base).min(self.text.len()))
    }

    /// Whether nothing is kept.
    pub(super) fn is_empty(&self) -> bool {
        self.text.is_empty()
    }

    /// Returns what is kept from an offset on, if the input up to there is kept.
    fn tail(&self, start: usize) -> Option<&str> {
        self.text.get(start.checked_sub(self.base)?..)
    }

    #[inline(always)]
    pub(super) fn bytes(&self, start: usize, length: usize) -> &[u8] {
        // Texts in the latest segment, or in an input that came whole, are found without a search.
        match start.checked_sub(self.base) {
            Some(start) => &self.text.as_bytes()[start..start + length],
            None => self.get_earlier(start, length).as_bytes(),
        }
    }

    #[inline(always)]
    pub(super) fn get(&self, start: usize, length: usize) -> &str {
        match start.checked_sub(self.base) {
            Some(start) => &self.text[start..start + length],
            None => self.get_earlier(start, length),
        }
    }

    #[inline(never)]
    fn get_earlier(&self, start: usize, length: usize) -> &str {
        let index = self.earlier.partition_point(|&(base, _)| base <= start);
        // Without an earlier segment, the text is empty.
        let Some((base, text)) = self.earlier[..index].last() else { return "" };
        &text[start - base..start - base + length]
    }

    /// Forgets the input, and keeps its capacity unless it is shared.
    pub(super) fn clear(&mut self) {
        match Arc::get_mut(&mut self.text) {
            Some(text) => text.clear(),
            None => self.text = Arc::default(),
        }
        self.earlier.clear();
        (self.base, self.earlier_bytes) = (0, 0);
        let mut pairs = std::mem::take(&mut self.line_ends.pairs);
        pairs.clear();
        self.line_ends = LineEndLog { pairs, ..LineEndLog::default() };
    }

    /// Returns the offset of `text` in the kept input, by address, if it is part of it.
    #[inline(always)]
    pub(super) fn offset_of(&self, text: &str) -> Option<u32> {
        // A borrowed string that begins in the memory of the borrowed input must be part of it.
        let offset = text.as_ptr().addr().wrapping_sub(self.text.as_ptr().addr());
        (offset < self.text.len()).then_some(self.base.wrapping_add(offset) as u32)
    }

    /// Returns the offset of a text that was read at offset `read_at`. Equal text there is interchangeable with it,
    /// even if `text` is stored elsewhere, such as in a table.
    #[inline(always)]
    pub(super) fn offset_of_read(&self, text: &str, read_at: usize) -> Option<u32> {
        self.offset_of(text).or_else(|| {
            let is_same = !text.is_empty() && self.tail(read_at)?.starts_with(text);
            is_same.then_some(read_at as u32)
        })
    }

    /// Maps a range of the kept text to the original input.
    pub(super) fn original(&self, span: Span) -> Span {
        let original = |offset| self.line_ends.original_offset(offset);
        Span::new(original(span.start), original(span.end))
    }

    /// Whether a text that begins at this offset is in the latest segment and can be extended there.
    #[inline(always)]
    pub(super) fn is_latest(&self, start: u32) -> bool {
        start as usize >= self.base
    }

    /// Releases spare capacity of what is not shared.
    pub(super) fn shrink(&mut self) {
        if let Some(text) = Arc::get_mut(&mut self.text) {
            text.shrink_to_fit();
        }
        self.earlier.shrink_to_fit();
        self.line_ends.pairs.shrink_to_fit();
    }

    pub(super) fn heap_size(&self) -> usize {
        self.text.capacity()
            + self.earlier_bytes
            + self.earlier.capacity() * size_of::<(usize, Arc<String>)>()
            + self.earlier.len() * size_of::<[usize; 5]>()
            + self.line_ends.pairs.capacity() * size_of::<u32>()
    }
}

impl LineEndLog {
    /// Appends a chunk to a text that begins at offset `base`, with its newlines normalized where they are, and records
    /// its line ends. Passes what it has appended to `inspect`, piece by piece.
    fn push_chunk(
        &mut self,
        chunk: &Chunk<'_>,
        base: usize,
        text: &mut String,
        mut inspect: impl FnMut(&[u8]),
    ) {
        let pairs = self.pairs.len();
        for piece in pieces(self.record(chunk, base + text.len())) {
            let start = text.len();
            match chunk.line_ends {
                LineEnds::Normalized => self.push_normalized(piece, base, text),
                LineEnds::Recorded | LineEnds::Ordinary => text.push_str(piece),
            }
            inspect(&text.as_bytes()[start..]);
        }
        if base + text.len() > RawSpan::LAST {
            // Offsets beyond 32 bits are not recorded, so that ranges there are not exact.
            self.pairs.truncate(pairs);
        }
    }

    /// Records the line ends of a chunk at `offset` that are not normalized there, and returns what must be kept.
    fn record<'a>(&mut self, chunk: &Chunk<'a>, offset: usize) -> &'a str {
        let mut rest = chunk.text;
        self.is_normalized = chunk.line_ends == LineEnds::Normalized;
        if self.ends_with_return
            && let Some(after) = rest.strip_prefix('\n')
        {
            self.pairs.extend(u32::try_from(offset.saturating_sub(1)));
            // The LF that replaced the CR is already there.
            rest = if self.is_normalized { after } else { rest };
        }
        if chunk.line_ends == LineEnds::Recorded {
            let bytes = rest.as_bytes();
            let is_pair = |cr: &usize| bytes.get(cr + 1) == Some(&b'\n');
            let pairs = memchr::memchr_iter(b'\r', bytes).filter(is_pair);
            self.pairs.extend(pairs.filter_map(|cr| u32::try_from(offset + cr).ok()));
        }
        if !chunk.text.is_empty() {
            self.ends_with_return =
                chunk.text.ends_with('\r') && chunk.line_ends != LineEnds::Ordinary;
        }
        rest
    }

    /// Appends the input, with CR LF and lone CRs replaced with LF, to a text that begins at offset `base`.
    fn push_normalized(&mut self, input: &str, base: usize, text: &mut String) {
        // Until there is a CR, lines are not assumed to be short.
        let mut rest = push_line(input, 0, text);
        while let Some(next) = rest.strip_prefix('\r') {
            if next.starts_with('\n') {
                self.pairs.push((base + text.len()) as u32);
            } else {
                text.push('\n');
            }
            rest = push_line(next, SHORT_LINE_BLOCKS, text);
        }
    }

    /// Maps an offset of the kept text to the original input; an offset between CR and LF becomes that of the CR.
    fn original_offset(&self, offset: usize) -> usize {
        if self.is_normalized {
            return offset + self.pairs.partition_point(|&pair| (pair as usize) < offset);
        }
        let before = offset.checked_sub(1).and_then(|before| u32::try_from(before).ok());
        let is_inside_pair = before.is_some_and(|before| self.pairs.binary_search(&before).is_ok());
        offset - usize::from(is_inside_pair)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const INPUT: &str = "\r\na\r\r\nb\nc\r\n\r\n\rd\r";

    /// Keeps a whole input, and returns the pieces of it that were shown.
    fn keep(input: &mut KeptInput, text: &str, line_ends: LineEnds) -> Vec<u8> {
        let mut shown = Vec::new();
        let kept = input
            .keep_chunk(&Chunk::whole(text, line_ends), |piece| shown.extend_from_slice(piece));
        assert!(kept.is_some_and(|(_, start)| start == 0));
        shown
    }

    #[test]
    fn a_normalized_text_has_one_line_feed_for_each_line_end() {
        let mut input = KeptInput::default();
        keep(&mut input, INPUT, LineEnds::Normalized);
        assert_eq!(*input.text, "\na\n\nb\nc\n\n\nd\n");
        input.clear();
        keep(&mut input, INPUT, LineEnds::Ordinary);
        assert_eq!(*input.text, INPUT);
        // Line ends of the previous text are gone.
        let offsets: Vec<usize> = (0..=INPUT.len()).collect();
        let originals: Vec<usize> =
            offsets.iter().map(|&offset| input.line_ends.original_offset(offset)).collect();
        assert_eq!(originals, offsets);
    }

    #[test]
    fn pieces_are_the_input_and_shown_as_they_are_kept() {
        for before in PIECE - 3..PIECE + 3 {
            let line =
                ["b".repeat(before % 64), "\u{10FFFF}".repeat(before % 32), "\r\n".into()].concat();
            let text = "a".repeat(before) + "\r\n\u{10FFFF}\r\r\n" + &line.repeat(PIECE / 8);
            assert_eq!(pieces(&text).collect::<String>(), text);
            let mut input = KeptInput::default();
            let shown = keep(&mut input, &text, LineEnds::Normalized);
            let normalized = text.replace("\r\n", "\n").replace('\r', "\n");
            assert!(*input.text == normalized && shown == normalized.as_bytes(), "{before}");
        }
    }

    #[test]
    fn line_ends_do_not_depend_on_chunks() {
        // The offset in the input at which each character of the normalized text begins.
        let begins = [0, 2, 3, 4, 6, 7, 8, 9, 11, 13, 14, 15, 16];
        for cut in 0..=INPUT.len() {
            for line_ends in [LineEnds::Normalized, LineEnds::Recorded] {
                let (mut input, mut start) = (KeptInput::default(), 0);
                for (text, is_last) in [(&INPUT[..cut], false), (&INPUT[cut..], true)] {
                    let carry = (start == 0).then_some("");
                    let chunk = Chunk { text, carry, start, line_ends, is_last };
                    let (segment, from) = input.keep_chunk(&chunk, |_| ()).expect("a short input");
                    start += segment.len() - from;
                }
                if line_ends == LineEnds::Normalized {
                    for (offset, expected) in begins.into_iter().enumerate() {
                        assert_eq!(
                            input.line_ends.original_offset(offset),
                            expected,
                            "{cut} {offset}"
                        );
                    }
                    continue;
                }
                for offset in 0..=INPUT.len() {
                    let is_inside_pair = offset > 0 && INPUT[offset - 1..].starts_with("\r\n");
                    let expected = offset - usize::from(is_inside_pair);
                    assert_eq!(input.line_ends.original_offset(offset), expected, "{cut} {offset}");
                }
            }
        }
    }

    #[test]
    fn input_that_stays_needed_is_seldom_copied() {
        let mut input = KeptInput::default();
        for number in 0..10_000 {
            let (carry, line_ends) = ((number == 0).then_some(""), LineEnds::Ordinary);
            let chunk = Chunk { text: "0123456789", carry, start: 0, line_ends, is_last: false };
            input.keep_chunk(&chunk, |_| ()).expect("a short input");
        }
        assert_eq!(input.text.len(), 100_000);
        assert!(input.earlier.len() < 12, "{} copies", input.earlier.len());
    }

    #[test]
    fn texts_in_all_segments_are_found() {
        let (mut input, mut fed, mut start) = (KeptInput::default(), String::new(), 0);
        let mut texts = Vec::new();
        for number in 0..2_000 {
            let text = format!("{number} ");
            let carry = (number == 0).then_some("");
            let chunk =
                Chunk { text: &text, carry, start, line_ends: LineEnds::Ordinary, is_last: false };
            let (segment, from) = input.keep_chunk(&chunk, |_| ()).expect("a short input");
            fed.push_str(&text);
            assert_eq!(segment[from..], fed[start..]);
            texts.push((start, segment[from..].to_owned()));
            // Every third chunk is still needed when the next one is kept.
            if number % 3 != 0 {
                start = fed.len();
            }
        }
        assert!(input.earlier.len() > 1);
        for (start, text) in texts {
            assert_eq!(input.get(start, text.len()), text);
            assert_eq!(input.bytes(start, text.len()), text.as_bytes());
        }
    }

    #[test]
    fn parts_are_found_and_nothing_else() {
        let mut input = KeptInput::default();
        keep(&mut input, "text", LineEnds::Ordinary);
        let text = Arc::clone(&input.text);
        assert_eq!(input.offset_of(&text[1..3]), Some(1));
        assert_eq!(input.offset_of(&text[..0]), Some(0));
        assert_eq!(input.offset_of(&text[4..]), None);
        assert_eq!(input.offset_of(&String::from("text")), None);
        let read = |text: &str, read_at| input.offset_of_read(&String::from(text), read_at);
        assert_eq!((read("ex", 1), read("ex", 2), read("ext!", 1)), (Some(1), None, None));
        assert_eq!((read("", 1), read("t", 4), read("t", usize::MAX)), (None, None, None));
        assert_eq!(input.offset_of_read(&text[1..3], 0), Some(1));
        assert_eq!(KeptInput::default().offset_of(""), None);
    }
}
