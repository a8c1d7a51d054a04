//! Incremental decoding of bytes in a known encoding, in which a byte order mark is an ordinary character. The text
//! does not depend on how the bytes are split into chunks.

use super::Encoding;
use crate::decode::Utf8Decoder;
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
#[derive(Debug)]
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

impl std::fmt::Debug for DecoderKind {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            Self::Utf8(_) => "Utf8",
            #[cfg(feature = "encoding")]
            Self::Other(..) => "Other",
        })
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
        Self { encoding, inner: DecoderKind::Utf8(Utf8Decoder::without_mark()) }
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
