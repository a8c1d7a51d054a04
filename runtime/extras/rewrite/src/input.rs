//! Decoding of the input, which records the bytes of every text part that does not encode back to them, so that
//! unchanged input can be written byte for byte.

use crate::output::Output;
use tabulex_core::encoding::{Encoding, valid_utf_8};

/// An incremental decoder of the input.
pub(crate) enum InputDecoder {
    /// UTF-8: the bytes of an incomplete character, and the number of text bytes decoded so far.
    Utf8 { tail: Vec<u8>, offset: usize },
    #[cfg(feature = "encoding")]
    Utf16 { tail: Vec<u8>, offset: usize, is_big_endian: bool },
    #[cfg(feature = "encoding")]
    Legacy {
        decoder: Box<encoding_rs::Decoder>,
        is_single_byte: bool,
        is_neutral: bool,
        tail: Vec<u8>,
        offset: usize,
    },
}

impl InputDecoder {
    /// Creates a decoder, or returns `None` if text cannot be inserted into pages of the encoding.
    #[cfg_attr(not(feature = "encoding"), expect(clippy::unnecessary_wraps))]
    pub(crate) fn new(encoding: Encoding) -> Option<Self> {
        #[cfg(feature = "encoding")]
        if encoding != Encoding::UTF_8 {
            let codec = encoding_rs::Encoding::for_label(encoding.name().as_bytes())?;
            let (tail, offset) = (Vec::new(), 0);
            if encoding.is_utf_16() {
                let is_big_endian = codec == encoding_rs::UTF_16BE;
                return Some(Self::Utf16 { tail, offset, is_big_endian });
            }
            let decoder = Box::new(codec.new_decoder_without_bom_handling());
            let is_single_byte = codec.is_single_byte();
            let legacy = Self::Legacy { decoder, is_single_byte, is_neutral: true, tail, offset };
            return codec.is_ascii_compatible().then_some(legacy);
        }
        let _ = encoding;
        Some(Self::Utf8 { tail: Vec::new(), offset: 0 })
    }

    /// Switches to another encoding that decodes the input so far equally; like [`new`](Self::new), returns `None` if
    /// text cannot be inserted.
    pub(crate) fn switch_encoding(&mut self, encoding: Encoding) -> Option<()> {
        let offset = *self.offset();
        *self = Self::new(encoding)?;
        *self.offset() = offset;
        Some(())
    }

    /// Returns the number of text bytes decoded so far, for modification.
    fn offset(&mut self) -> &mut usize {
        match self {
            Self::Utf8 { offset, .. } => offset,
            #[cfg(feature = "encoding")]
            Self::Utf16 { offset, .. } | Self::Legacy { offset, .. } => offset,
        }
    }

    /// Returns the chunk itself as text if the encoding is UTF-8, the chunk is valid and it continues no incomplete
    /// character; `None` otherwise.
    pub(crate) fn borrow_utf_8<'c>(&mut self, chunk: &'c [u8]) -> Option<&'c str> {
        match self {
            Self::Utf8 { tail, offset } if tail.is_empty() => {
                let text = valid_utf_8(chunk)?;
                *offset += text.len();
                Some(text)
            }
            _ => None,
        }
    }

    /// Decodes a chunk and records the parts whose bytes cannot be reproduced from the text.
    pub(crate) fn decode(&mut self, chunk: &[u8], is_last: bool, output: &mut Output) -> String {
        let mut text = String::with_capacity(chunk.len());
        match self {
            Self::Utf8 { tail, offset } => {
                decode_utf_8(tail, offset, chunk, is_last, output, &mut text)
            }
            #[cfg(feature = "encoding")]
            Self::Utf16 { tail, offset, is_big_endian } => {
                tail.extend_from_slice(chunk);
                let consumed =
                    decode_utf_16(tail, *offset, *is_big_endian, is_last, output, &mut text);
                tail.drain(..consumed);
                *offset += text.len();
            }
            #[cfg(feature = "encoding")]
            Self::Legacy { decoder, is_single_byte, is_neutral, tail, offset } => {
                let is_single_byte = *is_single_byte;
                let mut legacy =
                    LegacyDecoder { decoder, is_single_byte, tail, is_neutral, output };
                legacy.decode(chunk, is_last, *offset, &mut text);
                *offset += text.len();
            }
        }
        text
    }
}

fn decode_utf_8(
    tail: &mut Vec<u8>,
    offset: &mut usize,
    chunk: &[u8],
    is_last: bool,
    output: &mut Output,
    text: &mut String,
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
        let start = *offset + text.len();
        text.push(char::REPLACEMENT_CHARACTER);
        output.record_raw(start, *offset + text.len(), invalid);
    }
    *offset += text.len();
}

/// Whether the bytes are a proper prefix of a character in UTF-8.
fn is_incomplete_prefix(bytes: &[u8]) -> bool {
    std::str::from_utf8(bytes).is_err_and(|error| error.error_len().is_none())
}

/// Decodes the complete characters of `bytes` and returns the number of bytes consumed.
#[cfg(feature = "encoding")]
fn decode_utf_16(
    bytes: &[u8],
    offset: usize,
    is_big_endian: bool,
    is_last: bool,
    output: &mut Output,
    text: &mut String,
) -> usize {
    let unit = |pair: &[u8; 2]| {
        if is_big_endian { u16::from_be_bytes(*pair) } else { u16::from_le_bytes(*pair) }
    };
    let (pairs, odd) = bytes.as_chunks();
    let mut consumed = 0;
    for decoded in char::decode_utf16(pairs.iter().map(unit)) {
        match decoded {
            Ok(character) => {
                text.push(character);
                consumed += character.len_utf16() * 2;
            }
            Err(lone) => {
                let is_high_surrogate = (0xD800..0xDC00).contains(&lone.unpaired_surrogate());
                if is_high_surrogate && consumed + 2 == pairs.len() * 2 && !is_last {
                    return consumed;
                }
                let start = offset + text.len();
                text.push(char::REPLACEMENT_CHARACTER);
                output.record_raw(start, offset + text.len(), &bytes[consumed..consumed + 2]);
                consumed += 2;
            }
        }
    }
    if is_last && !odd.is_empty() {
        let start = offset + text.len();
        text.push(char::REPLACEMENT_CHARACTER);
        output.record_raw(start, offset + text.len(), odd);
        consumed += odd.len();
    }
    consumed
}

/// A decoder for legacy encodings in which ASCII bytes are ASCII characters unless they are trail bytes.
#[cfg(feature = "encoding")]
struct LegacyDecoder<'a> {
    decoder: &'a mut encoding_rs::Decoder,
    /// Whether the encoding is a single-byte one.
    is_single_byte: bool,
    /// The bytes of a character that is still incomplete; empty if there is none.
    tail: &'a mut Vec<u8>,
    /// Whether the decoder is in its neutral state, between characters.
    is_neutral: &'a mut bool,
    output: &'a mut Output,
}

#[cfg(feature = "encoding")]
impl LegacyDecoder<'_> {
    fn decode(&mut self, chunk: &[u8], is_last: bool, offset: usize, text: &mut String) {
        let mut index = 0;
        while index < chunk.len() {
            let remaining = &chunk[index..];
            if *self.is_neutral {
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
            self.decode_non_ascii(&remaining[..length], false, offset, text);
            index += length;
        }
        if is_last {
            self.decode_non_ascii(&[], true, offset, text);
        }
    }

    /// Decodes bytes of which at least one belongs to a non-ASCII character.
    fn decode_non_ascii(&mut self, bytes: &[u8], is_last: bool, offset: usize, text: &mut String) {
        self.tail.extend_from_slice(bytes);
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
        let is_neutral = is_last || self.decoder.latin1_byte_compatible_up_to(&[]).is_some();
        *self.is_neutral = is_neutral;
        if text.len() == start {
            return;
        }
        // A final ASCII byte is decoded as itself even after an undecodable sequence, so it is not recorded.
        let last_ascii = self.tail.last().copied().filter(u8::is_ascii);
        let trailing_ascii_len =
            usize::from(is_neutral && text.as_bytes().last() == last_ascii.as_ref());
        let end = text.len() - trailing_ascii_len;
        let bytes = &self.tail[..self.tail.len() - trailing_ascii_len];
        if end > start {
            self.output.record_raw(offset + start, offset + end, bytes);
        }
        self.tail.clear();
    }
}
