//! The output: unchanged parts of the input, and new text between them in the encoding of the input. Unchanged parts are
//! copied byte by byte, even where they could not be decoded.

use crate::error::RewriteError;
use std::collections::VecDeque;
use std::io;
use tabulex_core::encoding::Encoding;

/// Length in bytes at which buffered output is passed to the writer. Source text at least this long bypasses the
/// buffer.
pub(crate) const BUFFER_LEN: usize = 8192;

/// A part of the text that does not encode back to its source bytes.
#[derive(Debug)]
struct RawPart {
    /// Byte range of the part in the text: `start..end`.
    start: usize,
    end: usize,
    /// The source bytes; empty once written.
    bytes: Vec<u8>,
}

/// The encoded output buffer, and the source bytes that cannot be reproduced from the text.
#[derive(Debug)]
pub(crate) struct Output {
    pub(crate) bytes: Vec<u8>,
    encoding: Encoding,
    /// Parts with their source bytes, in text order.
    raw_parts: VecDeque<RawPart>,
    /// Total length of the source bytes in `raw_parts`.
    raw_bytes_len: usize,
}

impl Output {
    /// Creates the output of a page, in UTF-8 unless another encoding is set.
    pub(crate) fn new() -> Self {
        Self {
            // Most source text is buffered in parts that are shorter than `BUFFER_LEN`.
            bytes: Vec::with_capacity(2 * BUFFER_LEN),
            encoding: Encoding::UTF_8,
            raw_parts: VecDeque::new(),
            raw_bytes_len: 0,
        }
    }

    /// Sets the encoding of subsequent output.
    pub(crate) fn set_encoding(&mut self, encoding: Encoding) {
        self.encoding = encoding;
    }

    /// Records the source bytes of a part of the text that does not encode back to them.
    pub(crate) fn record_raw(&mut self, start: usize, end: usize, bytes: &[u8]) {
        self.raw_bytes_len += bytes.len();
        match self.raw_parts.back_mut() {
            Some(last) if last.end == start && !last.bytes.is_empty() => {
                last.end = end;
                last.bytes.extend_from_slice(bytes);
            }
            _ => self.raw_parts.push_back(RawPart { start, end, bytes: bytes.to_owned() }),
        }
    }

    /// Whether input can be written as the UTF-8 bytes of its text.
    pub(crate) fn writes_text_bytes(&self) -> bool {
        self.raw_parts.is_empty()
    }

    /// Writes a part of the input that begins at `offset` of the text.
    #[inline]
    pub(crate) fn write_source(&mut self, text: &str, offset: usize) {
        if self.raw_parts.is_empty() {
            self.bytes.extend_from_slice(text.as_bytes());
        } else {
            self.write_around_raw_parts(text, offset)
        }
    }

    fn write_around_raw_parts(&mut self, mut text: &str, mut offset: usize) {
        while let Some(raw) = self.raw_parts.front() {
            let (start, end, is_written) = (raw.start, raw.end, raw.bytes.is_empty());
            if end <= offset {
                // The raw part lies before the text, so it has been written or skipped.
                self.take_raw_bytes();
                self.raw_parts.pop_front();
                continue;
            }
            if start >= offset + text.len() {
                break;
            }
            let (before, remaining) = text.split_at(start.saturating_sub(offset));
            self.bytes.extend_from_slice(before.as_bytes());
            let (inside, after) = remaining.split_at(remaining.len().min(end - start.max(offset)));
            if start >= offset {
                // The bytes are written all at once, as a fragment of the part has no source bytes of its own.
                let bytes = self.take_raw_bytes();
                self.bytes.extend_from_slice(&bytes);
            } else if !is_written {
                self.write_new(inside);
            }
            offset += text.len() - after.len();
            text = after;
            if text.is_empty() {
                return;
            }
        }
        self.bytes.extend_from_slice(text.as_bytes());
    }

    /// Takes the source bytes of the first raw part.
    fn take_raw_bytes(&mut self) -> Vec<u8> {
        let raw = self.raw_parts.front_mut();
        let bytes = raw.map_or_else(Vec::new, |raw| std::mem::take(&mut raw.bytes));
        self.raw_bytes_len -= bytes.len();
        bytes
    }

    /// Encodes and writes new text; characters that the encoding lacks become character references.
    pub(crate) fn write_new(&mut self, text: &str) {
        let reference = |character| format!("&#{};", u32::from(character));
        self.bytes.extend_from_slice(&self.encoding.encode(text, reference));
    }

    /// Passes the buffered output to a writer.
    pub(crate) fn flush_to(&mut self, writer: &mut dyn io::Write) -> io::Result<()> {
        let outcome = writer.write_all(&self.bytes);
        self.bytes.clear();
        outcome
    }

    /// Returns an error if the encoding lacks a character of a text, so that a character reference would be needed.
    pub(crate) fn check_encodable(&self, text: &str) -> Result<(), RewriteError> {
        let mut lacks_characters = false;
        self.encoding.encode(text, |_| {
            lacks_characters = true;
            String::new()
        });
        if lacks_characters { Err(RewriteError::NotInEncoding(text.to_owned())) } else { Ok(()) }
    }

    /// Returns the approximate heap memory of the raw parts in bytes; the output buffer is not counted.
    pub(crate) fn memory_usage(&self) -> usize {
        self.raw_bytes_len + self.raw_parts.len() * size_of::<RawPart>()
    }
}
