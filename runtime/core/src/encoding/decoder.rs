//! Incremental decoding of bytes in a known encoding, in which a byte order mark is an ordinary character. The text
//! does not depend on how the bytes are split into chunks.

use super::Encoding;
use super::utf8::Utf8Decoder;
use crate::span::Span;
use std::borrow::Cow;

/// A decoder of bytes in chunks of any size. Malformed sequences become U+FFFD.
///
/// ```
/// use tabulex::encoding::{Decoder, Encoding};
///
/// let mut decoder = Decoder::new(Encoding::for_label("utf8").unwrap());
/// let mut text = String::new();
/// decoder.decode(b"na\xC3", |piece| text.push_str(piece));
/// decoder.decode(b"\xAFve", |piece| text.push_str(piece));
/// decoder.finish(|piece| text.push_str(piece));
/// assert_eq!(text, "naïve");
/// ```
pub struct Decoder {
    encoding: Encoding,
    inner: DecoderKind,
}

enum DecoderKind {
    Utf8(Utf8Decoder),
    /// A decoder of `encoding_rs`, and its output buffer.
    #[cfg(feature = "encoding")]
    Other(Box<encoding_rs::Decoder>, String),
}

impl std::fmt::Debug for Decoder {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Decoder").field("encoding", &self.encoding).finish_non_exhaustive()
    }
}

/// The capacity of the output buffer in bytes.
#[cfg(feature = "encoding")]
const BUFFER_CAPACITY: usize = 16 * 1024;

impl Decoder {
    /// Creates a decoder that keeps a byte order mark as a character.
    pub fn new(encoding: Encoding) -> Self {
        #[cfg(feature = "encoding")]
        if encoding != Encoding::UTF_8 {
            let inner = DecoderKind::Other(
                Box::new(encoding.decoder()),
                String::with_capacity(BUFFER_CAPACITY),
            );
            return Self { encoding, inner };
        }
        Self { encoding, inner: DecoderKind::Utf8(Utf8Decoder::default()) }
    }

    /// Returns the encoding of the bytes to be decoded.
    pub fn encoding(&self) -> Encoding {
        self.encoding
    }

    /// Decodes the next chunk. `take` receives the text in nonempty pieces.
    pub fn decode(&mut self, chunk: &[u8], take: impl FnMut(&str)) {
        match &mut self.inner {
            DecoderKind::Utf8(decoder) => decoder.decode(chunk, take),
            #[cfg(feature = "encoding")]
            DecoderKind::Other(decoder, buffer) => {
                decode_chunk(decoder, buffer, chunk, false, take)
            }
        }
    }

    /// Ends the input: `take` receives the text not passed on yet, in which an incomplete sequence becomes U+FFFD.
    pub fn finish(mut self, take: impl FnMut(&str)) {
        match &mut self.inner {
            DecoderKind::Utf8(decoder) => decoder.finish(take),
            #[cfg(feature = "encoding")]
            DecoderKind::Other(decoder, buffer) => decode_chunk(decoder, buffer, &[], true, take),
        }
    }
}

#[cfg(feature = "encoding")]
fn decode_chunk(
    decoder: &mut encoding_rs::Decoder,
    buffer: &mut String,
    mut chunk: &[u8],
    is_last: bool,
    mut take: impl FnMut(&str),
) {
    loop {
        let (result, read, _) = decoder.decode_to_string(chunk, buffer, is_last);
        chunk = &chunk[read..];
        if !buffer.is_empty() {
            take(buffer);
            buffer.clear();
        }
        if result == encoding_rs::CoderResult::InputEmpty {
            return;
        }
    }
}

/// Decodes a whole input; valid UTF-8 is borrowed. The ranges of tokens and nodes refer to the returned text. A byte
/// order mark becomes its first character, U+FEFF, which parsers drop from the document but count in ranges.
pub fn decode(bytes: &[u8], encoding: Encoding) -> Cow<'_, str> {
    if encoding == Encoding::UTF_8 {
        return valid_utf_8(bytes).map_or_else(|| String::from_utf8_lossy(bytes), Cow::Borrowed);
    }
    let mut text = String::with_capacity(bytes.len());
    let mut decoder = Decoder::new(encoding);
    decoder.decode(bytes, |piece| text.push_str(piece));
    decoder.finish(|piece| text.push_str(piece));
    Cow::Owned(text)
}

/// Returns the bytes as text, or `None` if they are not valid UTF-8.
#[cfg(not(feature = "encoding"))]
pub fn valid_utf_8(bytes: &[u8]) -> Option<&str> {
    std::str::from_utf8(bytes).ok()
}

/// Returns the bytes as text, or `None` if they are not valid UTF-8; validates many bytes at a time.
#[cfg(feature = "encoding")]
pub fn valid_utf_8(bytes: &[u8]) -> Option<&str> {
    match encoding_rs::UTF_8.decode_without_bom_handling_and_without_replacement(bytes)? {
        Cow::Borrowed(text) => Some(text),
        Cow::Owned(_) => None,
    }
}

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
