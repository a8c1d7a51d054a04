//! Mapping of offsets in decoded text to offsets in the bytes that it was decoded from. The whole input is decoded once
//! for this. The mapping is monotonic, and maps the end of the text to the end of the input.

use super::{Decoder, Encoding};
use crate::span::Span;

/// Maps ranges of decoded text to the bytes that they come from.
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
    /// The points at which the difference of the two offsets changes: an offset in the text, and the one in the bytes.
    steps: Vec<(usize, usize)>,
    /// The lengths of the text and of the input in bytes.
    ends: (usize, usize),
}

impl Offsets {
    /// Creates the mapping by decoding the input once, as [`decode`](super::decode) does.
    pub fn new(bytes: &[u8], encoding: Encoding) -> Self {
        let mut offsets = Self { steps: vec![(0, 0)], ends: (0, bytes.len()) };
        if encoding == Encoding::UTF_8 {
            offsets.utf_8(bytes);
        } else {
            offsets.other(bytes, encoding);
        }
        offsets
    }

    fn utf_8(&mut self, bytes: &[u8]) {
        let (mut text, mut at) = (0, 0);
        for chunk in bytes.utf8_chunks() {
            self.step(text, at);
            (text, at) = (text + chunk.valid().len(), at + chunk.valid().len());
            if !chunk.invalid().is_empty() {
                self.step(text, at);
                text += char::REPLACEMENT_CHARACTER.len_utf8();
                at += chunk.invalid().len();
            }
        }
        self.ends.0 = text;
    }

    /// Maps an input byte by byte: a character comes from the bytes since the previous character.
    fn other(&mut self, bytes: &[u8], encoding: Encoding) {
        let mut decoder = Decoder::new(encoding);
        let mut text = 0;
        let mut begins = 0;
        for (at, byte) in bytes.iter().enumerate() {
            let mut written = 0;
            decoder.decode(std::slice::from_ref(byte), |piece| written += piece.len());
            if written > 0 {
                self.step(text, begins);
                text += written;
                begins = at + 1;
            }
        }
        self.step(text, begins);
        decoder.finish(|piece| text += piece.len());
        self.step(text, bytes.len());
        self.ends.0 = text;
    }

    /// Records that the text from offset `text` on was decoded from the bytes from offset `byte` on.
    fn step(&mut self, text: usize, byte: usize) {
        let (last_text, last_byte) = self.steps[self.steps.len() - 1];
        if byte - last_byte == text - last_text {
            return;
        }
        match self.steps.last_mut() {
            Some(last) if last.0 == text => last.1 = byte,
            _ => self.steps.push((text, byte)),
        }
    }

    /// Returns the range of bytes that the range of text comes from.
    pub fn original(&self, span: Span) -> Span {
        Span::new(self.offset(span.start), self.offset(span.end))
    }

    /// Returns the offset in the bytes. For an offset inside a character, the result is at most the end of its bytes.
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
