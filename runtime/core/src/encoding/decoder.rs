//! Bytes of one encoding to text, chunk by chunk. It does not ask which encoding it is, and knows no byte order mark.
//! Invariant: what comes out is the same however the bytes are cut, and UTF-8 that is valid is passed on where it lies.

use super::Encoding;
use crate::decode::Utf8Decoder;
use std::borrow::Cow;

/// Decodes bytes that arrive in chunks of any size. What cannot be decoded becomes U+FFFD.
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
    inner: Inner,
}

enum Inner {
    Utf8(Utf8Decoder),
    /// The decoder, and a buffer for what it writes.
    #[cfg(feature = "encoding")]
    Other(Box<encoding_rs::Decoder>, String),
}

impl std::fmt::Debug for Inner {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            Self::Utf8(_) => "Utf8",
            #[cfg(feature = "encoding")]
            Self::Other(..) => "Other",
        })
    }
}

/// How many bytes of text are handed on at a time.
#[cfg(feature = "encoding")]
const BUFFER: usize = 16 * 1024;

impl Decoder {
    /// A decoder that takes a byte order mark for a character.
    pub fn new(encoding: Encoding) -> Self {
        #[cfg(feature = "encoding")]
        if encoding != Encoding::UTF_8 {
            let inner = Inner::Other(Box::new(encoding.decoder()), String::with_capacity(BUFFER));
            return Self { encoding, inner };
        }
        Self { encoding, inner: Inner::Utf8(Utf8Decoder::without_mark()) }
    }

    /// The encoding.
    pub fn encoding(&self) -> Encoding {
        self.encoding
    }

    /// Decodes the next chunk. `take` is given the text in pieces, none of them empty.
    pub fn decode(&mut self, chunk: &[u8], take: impl FnMut(&str)) {
        match &mut self.inner {
            Inner::Utf8(decoder) => decoder.decode(chunk, take),
            #[cfg(feature = "encoding")]
            Inner::Other(decoder, buffer) => run(decoder, buffer, chunk, false, take),
        }
    }

    /// Ends the input: what is incomplete becomes U+FFFD.
    pub fn finish(mut self, take: impl FnMut(&str)) {
        match &mut self.inner {
            Inner::Utf8(decoder) => decoder.finish(take),
            #[cfg(feature = "encoding")]
            Inner::Other(decoder, buffer) => run(decoder, buffer, &[], true, take),
        }
    }
}

#[cfg(feature = "encoding")]
fn run(
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

/// The text of the whole input, which is what ranges index; UTF-8 that is valid is borrowed. A byte order mark is its first
/// character, U+FEFF: parsers leave it out of the document and count it.
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

/// The text of bytes that are all UTF-8.
#[cfg(not(feature = "encoding"))]
pub fn valid_utf_8(bytes: &[u8]) -> Option<&str> {
    std::str::from_utf8(bytes).ok()
}

/// The text of bytes that are all UTF-8, validated many at a time.
#[cfg(feature = "encoding")]
pub fn valid_utf_8(bytes: &[u8]) -> Option<&str> {
    match encoding_rs::UTF_8.decode_without_bom_handling_and_without_replacement(bytes)? {
        Cow::Borrowed(text) => Some(text),
        Cow::Owned(_) => None,
    }
}
