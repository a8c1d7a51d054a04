//! Mapping of offsets in decoded text to offsets in the bytes from which the text was decoded. The mapping is
//! monotonic, and maps the end of the text to the end of the input.

use super::{Decoder, Encoding};
use crate::span::Span;

/// A map from ranges of decoded text to the ranges of bytes that they come from.
///
/// ```
/// use tabulex::Span;
/// use tabulex::encoding::{Encoding, Offsets};
///
/// let bytes = b"a\xFFb";
/// let offsets = Offsets::new(bytes, Encoding::UTF_8);
/// // The text is "a\u{FFFD}b".
/// assert_eq!(offsets.original(Span::new(1, 4)), Span::new(1, 2));
/// ```
#[derive(Clone, Debug)]
pub struct Offsets {
    /// The points at which the difference between text offset and byte offset changes, as pairs of these offsets.
    steps: Vec<(usize, usize)>,
    /// The length of the text and the length of the input, both in bytes.
    lengths: (usize, usize),
}

impl Offsets {
    /// Creates the map by decoding the input once, as [`decode`](super::decode) does.
    pub fn new(bytes: &[u8], encoding: Encoding) -> Self {
        let mut offsets = Self { steps: vec![(0, 0)], lengths: (0, bytes.len()) };
        if encoding == Encoding::UTF_8 {
            offsets.map_utf_8(bytes);
        } else {
            offsets.map_other_encoding(bytes, encoding);
        }
        offsets
    }

    fn map_utf_8(&mut self, bytes: &[u8]) {
        let (mut text_offset, mut byte_offset) = (0, 0);
        for chunk in bytes.utf8_chunks() {
            self.add_step(text_offset, byte_offset);
            (text_offset, byte_offset) =
                (text_offset + chunk.valid().len(), byte_offset + chunk.valid().len());
            if !chunk.invalid().is_empty() {
                self.add_step(text_offset, byte_offset);
                text_offset += char::REPLACEMENT_CHARACTER.len_utf8();
                byte_offset += chunk.invalid().len();
            }
        }
        self.lengths.0 = text_offset;
    }

    /// Maps an input by decoding it byte by byte: a character comes from the bytes after those of the previous
    /// character.
    fn map_other_encoding(&mut self, bytes: &[u8], encoding: Encoding) {
        let mut decoder = Decoder::new(encoding);
        let mut text_offset = 0;
        let mut character_start = 0;
        for (at, byte) in bytes.iter().enumerate() {
            let mut written_len = 0;
            decoder.decode(std::slice::from_ref(byte), |piece| written_len += piece.len());
            if written_len > 0 {
                self.add_step(text_offset, character_start);
                text_offset += written_len;
                character_start = at + 1;
            }
        }
        self.add_step(text_offset, character_start);
        decoder.finish(|piece| text_offset += piece.len());
        self.add_step(text_offset, bytes.len());
        self.lengths.0 = text_offset;
    }

    /// Records that the text beginning at `text_offset` was decoded from the bytes beginning at `byte_offset`.
    fn add_step(&mut self, text_offset: usize, byte_offset: usize) {
        let (last_text, last_byte) = self.steps[self.steps.len() - 1];
        if byte_offset - last_byte == text_offset - last_text {
            return;
        }
        match self.steps.last_mut() {
            Some(last) if last.0 == text_offset => last.1 = byte_offset,
            _ => self.steps.push((text_offset, byte_offset)),
        }
    }

    /// Returns the range of bytes from which a range of the text was decoded.
    pub fn original(&self, span: Span) -> Span {
        Span::new(self.offset(span.start), self.offset(span.end))
    }

    /// Returns the byte offset for an offset in the text. For an offset inside a character, the result is at most the
    /// end of the character's bytes.
    pub fn offset(&self, text_offset: usize) -> usize {
        if text_offset >= self.lengths.0 {
            return self.lengths.1;
        }
        let index = self.steps.partition_point(|(start, _)| *start <= text_offset) - 1;
        let (start, byte) = self.steps[index];
        let limit = self.steps.get(index + 1).map_or(self.lengths.1, |next| next.1);
        (byte + (text_offset - start)).min(limit)
    }
}
