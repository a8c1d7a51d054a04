//! Decoding of the input, which records the bytes of every text part that does not encode back to them, so that
//! unchanged input can be written byte for byte.

use crate::output::Output;
use std::borrow::Cow;
use std::ops::Range;
use tabulex_core::encoding::{Encoding, valid_utf_8};

/// An incremental decoder of the input.
pub(crate) struct InputDecoder {
    codec: Codec,
    /// The bytes of a character that is still incomplete; empty if there is none.
    tail: Vec<u8>,
}

/// The decoder of an encoding.
enum Codec {
    Utf8,
    #[cfg(feature = "encoding")]
    Legacy(LegacyDecoder),
}

impl InputDecoder {
    /// Creates a decoder, or returns `None` if ASCII bytes of the encoding are not always ASCII characters.
    #[cfg_attr(not(feature = "encoding"), expect(clippy::unnecessary_wraps))]
    pub(crate) fn new(encoding: Encoding) -> Option<Self> {
        #[cfg(feature = "encoding")]
        if encoding != Encoding::UTF_8 {
            let codec = Codec::Legacy(LegacyDecoder::new(encoding)?);
            return Some(Self { codec, tail: Vec::new() });
        }
        let _ = encoding;
        Some(Self { codec: Codec::Utf8, tail: Vec::new() })
    }

    /// Decodes a chunk, whose text begins at `offset`, and records the parts whose bytes cannot be reproduced from the text.
    pub(crate) fn decode<'c>(
        &mut self,
        chunk: &'c [u8],
        is_last: bool,
        offset: usize,
        output: &mut Output,
    ) -> Cow<'c, str> {
        let tail = &mut self.tail;
        if matches!(self.codec, Codec::Utf8)
            && tail.is_empty()
            && let Some(text) = valid_utf_8(chunk)
        {
            return text.into();
        }
        let mut text = String::with_capacity(chunk.len());
        let record = |part: Range<usize>, bytes: &[u8]| {
            output.record_raw(offset + part.start, offset + part.end, bytes);
        };
        match &mut self.codec {
            Codec::Utf8 => decode_utf_8(tail, chunk, is_last, &mut text, record),
            #[cfg(feature = "encoding")]
            Codec::Legacy(decoder) => decoder.decode(tail, chunk, is_last, &mut text, record),
        }
        text.into()
    }
}

/// Decodes a chunk after the bytes in `tail`, which keeps those of an incomplete character. `record` receives the parts of
/// the text that do not encode back to their bytes.
fn decode_utf_8(
    tail: &mut Vec<u8>,
    chunk: &[u8],
    is_last: bool,
    text: &mut String,
    mut record: impl FnMut(Range<usize>, &[u8]),
) {
    let mut bytes = std::mem::take(tail);
    bytes.extend_from_slice(chunk);
    let mut chunks = bytes.utf8_chunks().peekable();
    while let Some(part) = chunks.next() {
        text.push_str(part.valid());
        let invalid = part.invalid();
        if invalid.is_empty() {
            continue;
        }
        let is_cut = chunks.peek().is_none() && !is_last && is_incomplete_prefix(invalid);
        if is_cut {
            *tail = invalid.to_owned();
            break;
        }
        let start = text.len();
        text.push(char::REPLACEMENT_CHARACTER);
        record(start..text.len(), invalid);
    }
}

/// Whether the bytes are a proper prefix of a character in UTF-8.
fn is_incomplete_prefix(bytes: &[u8]) -> bool {
    std::str::from_utf8(bytes).is_err_and(|error| error.error_len().is_none())
}

/// A decoder for encodings in which ASCII bytes are ASCII characters unless they are trail bytes.
#[cfg(feature = "encoding")]
struct LegacyDecoder {
    decoder: Box<encoding_rs::Decoder>,
    is_single_byte: bool,
    /// Whether the decoder is in its neutral state, between characters.
    is_neutral: bool,
}

#[cfg(feature = "encoding")]
impl LegacyDecoder {
    /// Creates a decoder, or returns `None` for an encoding without such bytes.
    fn new(encoding: Encoding) -> Option<Self> {
        let codec = encoding_rs::Encoding::for_label(encoding.name().as_bytes())?;
        codec.is_ascii_compatible().then(|| Self {
            decoder: Box::new(codec.new_decoder_without_bom_handling()),
            is_single_byte: codec.is_single_byte(),
            is_neutral: true,
        })
    }

    /// Decodes a chunk like [`decode_utf_8`].
    fn decode(
        &mut self,
        tail: &mut Vec<u8>,
        chunk: &[u8],
        is_last: bool,
        text: &mut String,
        mut record: impl FnMut(Range<usize>, &[u8]),
    ) {
        let mut index = 0;
        while index < chunk.len() {
            let remaining = &chunk[index..];
            if self.is_neutral {
                let (plain, after) =
                    remaining.split_at(encoding_rs::Encoding::ascii_valid_up_to(remaining));
                text.push_str(std::str::from_utf8(plain).unwrap_or_default());
                index += plain.len();
                if after.is_empty() {
                    break;
                }
            }
            let remaining = &chunk[index..];
            let length = match remaining.iter().position(u8::is_ascii) {
                Some(ascii) if self.is_single_byte => ascii.max(1),
                None if self.is_single_byte => remaining.len(),
                _ => 1,
            };
            self.decode_non_ascii(tail, &remaining[..length], false, text, &mut record);
            index += length;
        }
        if is_last {
            self.decode_non_ascii(tail, &[], true, text, &mut record);
        }
    }

    /// Decodes bytes of which at least one belongs to a non-ASCII character.
    fn decode_non_ascii(
        &mut self,
        tail: &mut Vec<u8>,
        bytes: &[u8],
        is_last: bool,
        text: &mut String,
        record: &mut impl FnMut(Range<usize>, &[u8]),
    ) {
        tail.extend_from_slice(bytes);
        let start = text.len();
        let mut remaining = bytes;
        loop {
            text.reserve(remaining.len() * 3 + 16);
            let (result, read, _) = self.decoder.decode_to_string(remaining, text, is_last);
            remaining = &remaining[read..];
            if result == encoding_rs::CoderResult::InputEmpty {
                break;
            }
        }
        self.is_neutral = is_last || self.decoder.latin1_byte_compatible_up_to(&[]).is_some();
        if text.len() == start {
            return;
        }
        // A final ASCII byte is decoded as itself even after an undecodable sequence, so it is not recorded.
        let last_ascii = tail.last().copied().filter(u8::is_ascii);
        let trailing_ascii_len =
            usize::from(self.is_neutral && text.as_bytes().last() == last_ascii.as_ref());
        let end = text.len() - trailing_ascii_len;
        if end > start {
            record(start..end, &tail[..tail.len() - trailing_ascii_len]);
        }
        tail.clear();
    }
}
