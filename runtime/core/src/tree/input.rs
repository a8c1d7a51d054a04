//! The input that a tree is made from, and its line ends. The input is kept so that text found in it is not copied, and
//! line ends are recorded so that no range begins or ends inside one. Ranges do not depend on the chunks.

use super::node_spans::RawSpan;
use crate::scan::{Line, next_in_line};
use crate::span::Span;
use std::sync::Arc;

/// Maximum length of a piece in bytes, so that all passes over a piece find it in the L1 cache.
const PIECE_LEN: usize = 8 * 1024;

/// Splits the input into pieces, none of which ends inside a CR LF.
fn pieces(input: &str) -> impl Iterator<Item = &str> {
    let mut rest = input;
    std::iter::from_fn(move || {
        let mut end = rest.floor_char_boundary(PIECE_LEN);
        if rest[..end].ends_with('\r') && rest[end..].starts_with('\n') {
            end += 1;
        }
        let (piece, remaining) = rest.split_at(end);
        rest = remaining;
        (!piece.is_empty()).then_some(piece)
    })
}

/// Number of blocks at the start of a line that are appended whole and then cut at the line's end. Most lines are so
/// short that a search and a copy of variable length would take longer.
const SHORT_LINE_BLOCKS: usize = 2;

/// Appends the text before the next CR to `text`, and returns the input from the CR on. The first `block_count` blocks
/// are searched one by one.
#[inline(always)]
fn push_line<'a>(input: &'a str, block_count: usize, text: &mut String) -> &'a str {
    let mut rest = input;
    for _ in 0..block_count {
        let Some((block, remaining)) = rest.split_at_checked(size_of::<Line>()) else { break };
        let Some(line) = block.as_bytes().first_chunk() else { break };
        let start = text.len();
        text.push_str(block);
        if let Some(found) = next_in_line(b'\r', line) {
            text.truncate(start + found);
            return &rest[found..];
        }
        rest = remaining;
    }
    let line_end = memchr::memchr(b'\r', rest.as_bytes()).unwrap_or(rest.len());
    text.push_str(&rest[..line_end]);
    &rest[line_end..]
}

/// The treatment of CR LF and CR by a dialect.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum LineEnds {
    /// CR LF and CR are ordinary characters.
    Ordinary,
    /// CR LF and CR are line ends, which the machine normalizes; the offset of each CR LF is recorded.
    Recorded,
    /// CR LF and CR are line ends, which are normalized before the machine reads them.
    Normalized,
}

/// A chunk of the input, and the state of the input before the chunk.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Chunk<'a> {
    pub(crate) text: &'a str,
    /// The input before the chunk that the tokenizer still needs; `None` if the tree keeps that input.
    pub(crate) carry: Option<&'a str>,
    /// Offset of the first byte of the input that the tokenizer still needs.
    pub(crate) start: usize,
    /// The treatment of line ends in the chunk.
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

/// Lower bound, in bytes, on the minimum capacity of a segment. Between the bounds, the minimum is the length of the
/// input before the segment.
const MIN_SEGMENT: usize = 256;

/// Upper bound, in bytes, on the minimum capacity of a segment, unless the input that is still needed requires more.
const MAX_SEGMENT: usize = 0x4000;

/// The kept input and its line ends. Input that comes in chunks is kept in segments, each filled with chunks up to its
/// capacity.
#[derive(Clone, Debug, Default)]
pub(super) struct KeptInput {
    /// The latest segment, or the whole input.
    pub(super) text: Arc<String>,
    /// Offset of `text` in the input.
    text_offset: usize,
    /// The earlier segments, each with its offset in the input. The end of a segment may overlap the next segment,
    /// which repeats input that was still needed.
    earlier_segments: Vec<(usize, Arc<String>)>,
    /// Total capacity of the earlier segments in bytes.
    earlier_capacity: usize,
    line_ends: LineEndLog,
}

/// The offsets of CR LF pairs in the input.
#[derive(Clone, Debug, Default)]
struct LineEndLog {
    /// Whether line ends of the kept input are normalized to LF.
    is_normalized: bool,
    /// The offset of each CR that an LF follows; in normalized text, of the LF that replaces the two.
    pairs: Vec<u32>,
    /// Whether the last chunk ends with a CR.
    ends_with_return: bool,
}

impl KeptInput {
    /// Maximum length of the input that is kept, in bytes.
    pub(super) const MAX_LEN: usize = RawSpan::LAST / 2;

    /// Keeps a chunk together with the input before it that is still needed, and passes the kept text of the chunk to
    /// `inspect`, piece by piece. Returns the segment and the offset of the needed input in the segment, or `None` if
    /// the input is too long to be kept.
    pub(super) fn keep_chunk(
        &mut self,
        chunk: &Chunk<'_>,
        inspect: impl FnMut(&[u8]),
    ) -> Option<(Arc<String>, usize)> {
        let needed_before = chunk.carry.or_else(|| self.tail(chunk.start))?;
        let needed_len = needed_before.len() + chunk.text.len();
        if chunk.start + needed_len > Self::MAX_LEN {
            return None;
        }
        let is_shared = Arc::strong_count(&self.text) > 1;
        let free_capacity = self.text.capacity() - self.text.len();
        let continues_text =
            chunk.carry.is_none_or(|carry| carry.is_empty() && self.text.is_empty());
        if !continues_text || is_shared || free_capacity < chunk.text.len() {
            // Before the last chunk, the capacity is at least twice the length of the earlier input that is still
            // needed, so that the bytes of input that stays needed are copied a constant number of times on average.
            let min_capacity =
                chunk.start.clamp(MIN_SEGMENT, MAX_SEGMENT).max(2 * needed_before.len());
            let capacity = if chunk.is_last { needed_len } else { needed_len.max(min_capacity) };
            let mut text = String::with_capacity(capacity);
            text.push_str(needed_before);
            match Arc::get_mut(&mut self.text) {
                Some(last) if last.is_empty() => *last = text,
                _ => {
                    let last = std::mem::replace(&mut self.text, Arc::new(text));
                    if !last.is_empty() {
                        self.earlier_capacity += last.capacity();
                        self.earlier_segments.push((self.text_offset, last));
                    }
                }
            }
            self.text_offset = chunk.start;
        }
        self.line_ends.push_chunk(chunk, self.text_offset, Arc::make_mut(&mut self.text), inspect);
        Some((Arc::clone(&self.text), chunk.start - self.text_offset))
    }

    /// Records the line ends of the next chunk, which is not kept; returns the chunk's text if the line ends are
    /// normalized.
    pub(super) fn record_line_ends(&mut self, chunk: &Chunk<'_>) -> Option<String> {
        let offset = chunk.start + chunk.carry.map_or(0, str::len);
        if chunk.line_ends != LineEnds::Normalized {
            self.line_ends.record_pairs(chunk, offset);
            return None;
        }
        let mut text = String::with_capacity(chunk.text.len());
        self.line_ends.push_chunk(chunk, offset, &mut text, |_| ());
        Some(text)
    }

    /// Returns the segment with the input at offset `start`, and that offset in the segment.
    pub(super) fn segment(&self, start: usize) -> (Arc<String>, usize) {
        if let Some(start) = start.checked_sub(self.text_offset) {
            return (Arc::clone(&self.text), start);
        }
        let index = self.earlier_segments.partition_point(|&(base, _)| base <= start);
        // Every nonempty text is in a segment, so this text is empty if none is found.
        let (base, text) = self.earlier_segments[..index].last().cloned().unwrap_or_default();
        (text, start - base)
    }

    /// Returns the latest segment, and the input offset `start` as an offset in that segment.
    pub(super) fn latest(&self, start: usize) -> (Arc<String>, usize) {
        (Arc::clone(&self.text), (start - self.text_offset).min(self.text.len()))
    }

    /// Whether no input is kept.
    pub(super) fn is_empty(&self) -> bool {
        self.text.is_empty()
    }

    /// Returns the kept input from offset `start` on, or `None` if `start` is not in the latest segment.
    fn tail(&self, start: usize) -> Option<&str> {
        self.text.get(start.checked_sub(self.text_offset)?..)
    }

    /// Returns the `length` bytes of the kept input at offset `start`.
    #[inline(always)]
    pub(super) fn bytes(&self, start: usize, length: usize) -> &[u8] {
        // Texts in the latest segment, or in an input that came whole, are found without a search.
        match start.checked_sub(self.text_offset) {
            Some(start) => &self.text.as_bytes()[start..start + length],
            None => self.get_earlier(start, length).as_bytes(),
        }
    }

    /// Returns the `length` bytes of the kept input at offset `start` as text.
    #[inline(always)]
    pub(super) fn get(&self, start: usize, length: usize) -> &str {
        match start.checked_sub(self.text_offset) {
            Some(start) => &self.text[start..start + length],
            None => self.get_earlier(start, length),
        }
    }

    /// Returns the `length` bytes at input offset `start`, which are in an earlier segment, as text.
    #[inline(never)]
    fn get_earlier(&self, start: usize, length: usize) -> &str {
        let index = self.earlier_segments.partition_point(|&(base, _)| base <= start);
        // Every nonempty text is in a segment, so this text is empty if none is found.
        let Some((base, text)) = self.earlier_segments[..index].last() else { return "" };
        &text[start - base..start - base + length]
    }

    /// Removes the input, and keeps the capacity of the latest segment unless that is shared.
    pub(super) fn clear(&mut self) {
        match Arc::get_mut(&mut self.text) {
            Some(text) => text.clear(),
            None => self.text = Arc::default(),
        }
        self.earlier_segments.clear();
        (self.text_offset, self.earlier_capacity) = (0, 0);
        let mut pairs = std::mem::take(&mut self.line_ends.pairs);
        pairs.clear();
        self.line_ends = LineEndLog { pairs, ..LineEndLog::default() };
    }

    /// Returns the input offset of `text` if its memory is part of the latest segment; `None` otherwise.
    #[inline(always)]
    pub(super) fn offset_of(&self, text: &str) -> Option<u32> {
        // The segment is borrowed as long as `text` is, so a text that begins in the segment's memory also ends in it.
        let offset = text.as_ptr().addr().wrapping_sub(self.text.as_ptr().addr());
        (offset < self.text.len()).then_some(self.text_offset.wrapping_add(offset) as u32)
    }

    /// Returns the input offset of a text that was read at offset `read_at`. If `text` is stored elsewhere, such as in
    /// a table, but equals the input at `read_at`, that offset is returned; `None` otherwise.
    #[inline(always)]
    pub(super) fn offset_of_read(&self, text: &str, read_at: usize) -> Option<u32> {
        self.offset_of(text).or_else(|| {
            let is_equal = !text.is_empty() && self.tail(read_at)?.starts_with(text);
            is_equal.then_some(read_at as u32)
        })
    }

    /// Maps a range of the kept text to the original input.
    pub(super) fn original(&self, span: Span) -> Span {
        let original = |offset| self.line_ends.original_offset(offset);
        Span::new(original(span.start), original(span.end))
    }

    /// Whether a text at this offset is in the latest segment, where the next text can extend it.
    #[inline(always)]
    pub(super) fn is_latest(&self, start: u32) -> bool {
        start as usize >= self.text_offset
    }

    /// Releases unused capacity, except that of a shared segment.
    pub(super) fn shrink(&mut self) {
        if let Some(text) = Arc::get_mut(&mut self.text) {
            text.shrink_to_fit();
        }
        self.earlier_segments.shrink_to_fit();
        self.line_ends.pairs.shrink_to_fit();
    }

    pub(super) fn heap_size(&self) -> usize {
        self.text.capacity()
            + self.earlier_capacity
            + self.earlier_segments.capacity() * size_of::<(usize, Arc<String>)>()
            + self.earlier_segments.len() * size_of::<[usize; 5]>()
            + self.line_ends.pairs.capacity() * size_of::<u32>()
    }
}

impl LineEndLog {
    /// Appends a chunk to a text that begins at offset `base`, normalizing line ends if the chunk requires that, and
    /// records the line ends. Passes the appended text to `inspect`, piece by piece.
    fn push_chunk(
        &mut self,
        chunk: &Chunk<'_>,
        base: usize,
        text: &mut String,
        mut inspect: impl FnMut(&[u8]),
    ) {
        let old_count = self.pairs.len();
        for piece in pieces(self.record_pairs(chunk, base + text.len())) {
            let start = text.len();
            match chunk.line_ends {
                LineEnds::Normalized => self.push_normalized(piece, base, text),
                LineEnds::Recorded | LineEnds::Ordinary => text.push_str(piece),
            }
            inspect(&text.as_bytes()[start..]);
        }
        if base + text.len() > RawSpan::LAST {
            // Offsets beyond 32 bits cannot be recorded, so the line ends of such a chunk are dropped, and later ranges
            // are not exact.
            self.pairs.truncate(old_count);
        }
    }

    /// Records the CR LF pairs of a chunk at `offset`; if the chunk is to be normalized, only a pair that begins in the
    /// previous chunk. Returns the text to keep, which lacks the LF of such a pair if its CR was normalized.
    fn record_pairs<'a>(&mut self, chunk: &Chunk<'a>, offset: usize) -> &'a str {
        let mut kept_text = chunk.text;
        self.is_normalized = chunk.line_ends == LineEnds::Normalized;
        if self.ends_with_return
            && let Some(without_feed) = kept_text.strip_prefix('\n')
        {
            self.pairs.extend(u32::try_from(offset.saturating_sub(1)));
            // The kept text of the previous chunk already ends with the LF that replaced the CR.
            kept_text = if self.is_normalized { without_feed } else { kept_text };
        }
        if chunk.line_ends == LineEnds::Recorded {
            let bytes = kept_text.as_bytes();
            let is_pair = |cr: &usize| bytes.get(cr + 1) == Some(&b'\n');
            let pairs = memchr::memchr_iter(b'\r', bytes).filter(is_pair);
            self.pairs.extend(pairs.filter_map(|cr| u32::try_from(offset + cr).ok()));
        }
        if !chunk.text.is_empty() {
            self.ends_with_return =
                chunk.text.ends_with('\r') && chunk.line_ends != LineEnds::Ordinary;
        }
        kept_text
    }

    /// Appends the input, with CR LF and lone CRs replaced with LF, to a text that begins at offset `base`.
    fn push_normalized(&mut self, input: &str, base: usize, text: &mut String) {
        // Input without any CR is appended by one search and one copy.
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

    /// Maps an offset in the kept text to the original input; an offset between CR and LF becomes that of the CR.
    fn original_offset(&self, offset: usize) -> usize {
        if self.is_normalized {
            return offset + self.pairs.partition_point(|&pair| (pair as usize) < offset);
        }
        let preceding = offset.checked_sub(1).and_then(|preceding| u32::try_from(preceding).ok());
        let is_inside_pair =
            preceding.is_some_and(|preceding| self.pairs.binary_search(&preceding).is_ok());
        offset - usize::from(is_inside_pair)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const INPUT: &str = "\r\na\r\r\nb\nc\r\n\r\n\rd\r";

    /// Keeps a whole input, and returns the text that was passed to `inspect`.
    fn keep(input: &mut KeptInput, text: &str, line_ends: LineEnds) -> Vec<u8> {
        let mut inspected_text = Vec::new();
        let kept_chunk = input.keep_chunk(&Chunk::whole(text, line_ends), |piece| {
            inspected_text.extend_from_slice(piece);
        });
        assert!(kept_chunk.is_some_and(|(_, start)| start == 0));
        inspected_text
    }

    #[test]
    fn normalized_text_has_one_line_feed_per_line_end() {
        let mut input = KeptInput::default();
        keep(&mut input, INPUT, LineEnds::Normalized);
        assert_eq!(*input.text, "\na\n\nb\nc\n\n\nd\n");
        input.clear();
        keep(&mut input, INPUT, LineEnds::Ordinary);
        assert_eq!(*input.text, INPUT);
        // No recorded line end of the cleared text is left.
        let offsets: Vec<usize> = (0..=INPUT.len()).collect();
        let originals: Vec<usize> =
            offsets.iter().map(|&offset| input.line_ends.original_offset(offset)).collect();
        assert_eq!(originals, offsets);
    }

    #[test]
    fn kept_text_is_inspected_in_pieces() {
        for before in PIECE_LEN - 3..PIECE_LEN + 3 {
            let line =
                ["b".repeat(before % 64), "\u{10FFFF}".repeat(before % 32), "\r\n".into()].concat();
            let text = "a".repeat(before) + "\r\n\u{10FFFF}\r\r\n" + &line.repeat(PIECE_LEN / 8);
            assert_eq!(pieces(&text).collect::<String>(), text);
            let mut input = KeptInput::default();
            let inspected_text = keep(&mut input, &text, LineEnds::Normalized);
            let normalized = text.replace("\r\n", "\n").replace('\r', "\n");
            assert!(
                *input.text == normalized && inspected_text == normalized.as_bytes(),
                "wrong text with {before} bytes before the first CR"
            );
        }
    }

    #[test]
    fn line_ends_do_not_depend_on_chunks() {
        // The offset in the input at which each character of the normalized text begins.
        let original_offsets = [0, 2, 3, 4, 6, 7, 8, 9, 11, 13, 14, 15, 16];
        for cut in 0..=INPUT.len() {
            for line_ends in [LineEnds::Normalized, LineEnds::Recorded] {
                let (mut input, mut start) = (KeptInput::default(), 0);
                for (text, is_last) in [(&INPUT[..cut], false), (&INPUT[cut..], true)] {
                    let carry = (start == 0).then_some("");
                    let chunk = Chunk { text, carry, start, line_ends, is_last };
                    let (segment, from) =
                        input.keep_chunk(&chunk, |_| ()).expect("a short input can be kept");
                    start += segment.len() - from;
                }
                if line_ends == LineEnds::Normalized {
                    for (offset, expected) in original_offsets.into_iter().enumerate() {
                        assert_eq!(
                            input.line_ends.original_offset(offset),
                            expected,
                            "wrong original of offset {offset} with a cut at {cut}"
                        );
                    }
                    continue;
                }
                for offset in 0..=INPUT.len() {
                    let is_inside_pair = offset > 0 && INPUT[offset - 1..].starts_with("\r\n");
                    let expected = offset - usize::from(is_inside_pair);
                    assert_eq!(
                        input.line_ends.original_offset(offset),
                        expected,
                        "wrong original of offset {offset} with a cut at {cut}"
                    );
                }
            }
        }
    }

    #[test]
    fn growing_needed_input_is_seldom_copied() {
        let mut input = KeptInput::default();
        for number in 0..10_000 {
            let (carry, line_ends) = ((number == 0).then_some(""), LineEnds::Ordinary);
            let chunk = Chunk { text: "0123456789", carry, start: 0, line_ends, is_last: false };
            input.keep_chunk(&chunk, |_| ()).expect("a short input can be kept");
        }
        assert_eq!(input.text.len(), 100_000);
        assert!(
            input.earlier_segments.len() < 12,
            "the input was copied {} times",
            input.earlier_segments.len()
        );
    }

    #[test]
    fn texts_of_all_segments_are_returned() {
        let (mut input, mut fed_text, mut start) = (KeptInput::default(), String::new(), 0);
        let mut texts = Vec::new();
        for number in 0..2_000 {
            let text = format!("{number} ");
            let carry = (number == 0).then_some("");
            let chunk =
                Chunk { text: &text, carry, start, line_ends: LineEnds::Ordinary, is_last: false };
            let (segment, from) =
                input.keep_chunk(&chunk, |_| ()).expect("a short input can be kept");
            fed_text.push_str(&text);
            assert_eq!(segment[from..], fed_text[start..]);
            texts.push((start, segment[from..].to_owned()));
            // Every third chunk is still needed when the next one is kept.
            if number % 3 != 0 {
                start = fed_text.len();
            }
        }
        assert!(input.earlier_segments.len() > 1);
        for (start, text) in texts {
            assert_eq!(input.get(start, text.len()), text);
            assert_eq!(input.bytes(start, text.len()), text.as_bytes());
        }
    }

    #[test]
    fn offset_is_returned_only_for_parts_of_the_input() {
        let mut input = KeptInput::default();
        keep(&mut input, "text", LineEnds::Ordinary);
        let text = Arc::clone(&input.text);
        assert_eq!(input.offset_of(&text[1..3]), Some(1));
        assert_eq!(input.offset_of(&text[..0]), Some(0));
        assert_eq!(input.offset_of(&text[4..]), None);
        assert_eq!(input.offset_of(&String::from("text")), None);
        let offset_of_copy =
            |text: &str, read_at| input.offset_of_read(&String::from(text), read_at);
        assert_eq!(
            (offset_of_copy("ex", 1), offset_of_copy("ex", 2), offset_of_copy("ext!", 1)),
            (Some(1), None, None)
        );
        assert_eq!(
            (offset_of_copy("", 1), offset_of_copy("t", 4), offset_of_copy("t", usize::MAX)),
            (None, None, None)
        );
        assert_eq!(input.offset_of_read(&text[1..3], 0), Some(1));
        assert_eq!(KeptInput::default().offset_of(""), None);
    }
}
