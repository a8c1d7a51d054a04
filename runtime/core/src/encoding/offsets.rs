//! From places in decoded text to places in the bytes it was decoded from. It is no decoder: it runs one over the whole
//! input when asked. Invariant: offsets rise together, and the end of the text is the end of the input.

use super::{Decoder, Encoding};
use crate::span::Span;

/// Finds the bytes of an input that stretches of its decoded text come from.
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
    /// Where the distance between the two changes: the offset in the text, and in the bytes.
    steps: Vec<(usize, usize)>,
    /// The lengths of the text and of the bytes.
    ends: (usize, usize),
}

impl Offsets {
    /// Decodes the input once, as [`decode`](super::decode) does.
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

    /// One byte after the other: a character comes from the bytes since the one before it.
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

    /// The text from here on comes from the bytes from there on.
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

    /// The range of bytes that the range of text comes from.
    pub fn original(&self, span: Span) -> Span {
        Span::new(self.offset(span.start), self.offset(span.end))
    }

    /// The offset in the bytes; one inside a character counts as its beginning, if its bytes are fewer.
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
