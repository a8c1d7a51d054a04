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
    /// The lengths of the text and of the input in bytes.
    ends: (usize, usize),
}

impl Offsets {
    /// Creates the mapping by decoding the input once, as [`decode`](super::decode) does.
    pub fn new(bytes: &[u8], encoding: Encoding) -> Self {
        let mut offsets = Self { steps: vec![(0, 0)], ends: (0, bytes.len()) };
        if encoding == Encoding::UTF_8 {
            offsets.map_utf_8(bytes);
        } else {
            offsets.map_other_encoding(bytes, encoding);
        }
        offsets
    }

    fn map_utf_8(&mut self, bytes: &[u8]) {
        let (mut text, mut at) = (0, 0);
        for chunk in bytes.utf8_chunks() {
            self.add_step(text, at);
            (text, at) = (text + chunk.valid().len(), at + chunk.valid().len());
            if !chunk.invalid().is_empty() {
                self.add_step(text, at);
                text += char::REPLACEMENT_CHARACTER.len_utf8();
                at += chunk.invalid().len();
            }
        }
        self.ends.0 = text;
    }

    /// Maps an input that is decoded byte by byte: a character comes from the bytes since the previous character.
    fn map_other_encoding(&mut self, bytes: &[u8], encoding: Encoding) {
        let mut decoder = Decoder::new(encoding);
        let mut text = 0;
        let mut character_start = 0;
        for (at, byte) in bytes.iter().enumerate() {
            let mut written = 0;
            decoder.decode(std::slice::from_ref(byte), |piece| written += piece.len());
            if written > 0 {
                self.add_step(text, character_start);
                text += written;
                character_start = at + 1;
            }
        }
        self.add_step(text, character_start);
        decoder.finish(|piece| text += piece.len());
        self.add_step(text, bytes.len());
        self.ends.0 = text;
    }

    /// Records that the text from offset `text` on was decoded from the bytes from offset `byte` on.
    fn add_step(&mut self, text: usize, byte: usize) {
        let (last_text, last_byte) = self.steps[self.steps.len() - 1];
        if byte - last_byte == text - last_text {
            return;
        }
        match self.steps.last_mut() {
            Some(last) if last.0 == text => last.1 = byte,
            _ => self.steps.push((text, byte)),
        }
    }

    /// Returns the range of bytes from which a range of the text was decoded.
    pub fn original(&self, span: Span) -> Span {
        Span::new(self.offset(span.start), self.offset(span.end))
    }

    /// Returns the byte offset for an offset in the text. For an offset inside a character, the result is at most the
    /// end of the character's bytes.
    pub fn offset(&self, text: usize) -> usize {
        if text >= self.ends.0 {
            return self.ends.1;
        }
        let index = self.steps.partition_point(|(start, _)| *start <= text) - 1;
        let (start, byte) = self.steps[index];
        let limit = self.steps.get(index + 1).map_or(self.ends.1, |next| next.1);
        (byte + (text - start)).min(limit)
    }
}
