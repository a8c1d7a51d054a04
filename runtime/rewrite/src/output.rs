//! The output: unchanged parts of the input, and new text between them in the encoding of the input. Unchanged parts are
//! copied byte by byte, even where they could not be decoded.

use std::collections::VecDeque;
use tabulex_core::encoding::Encoding;

/// A part of the text that is no copy of its bytes.
#[derive(Debug)]
struct Other {
    /// Its range in the text.
    start: usize,
    end: usize,
    bytes: Vec<u8>,
}

/// How text is written.
#[derive(Clone, Copy, Debug)]
enum Form {
    Utf8,
    #[cfg(feature = "encoding")]
    Utf16 {
        is_big: bool,
    },
    #[cfg(feature = "encoding")]
    Ascii(&'static encoding_rs::Encoding),
}

/// The output, and the bytes of the input that its text cannot reproduce.
#[derive(Debug)]
pub(crate) struct Output {
    pub(crate) bytes: Vec<u8>,
    form: Form,
    /// In the order of the text.
    others: VecDeque<Other>,
    /// The number of bytes in `others`.
    other_bytes: usize,
}

impl Output {
    pub(crate) fn new(encoding: Encoding) -> Self {
        Self { bytes: Vec::new(), form: form(encoding), others: VecDeque::new(), other_bytes: 0 }
    }

    /// Sets the encoding of what is written from here on.
    pub(crate) fn set_encoding(&mut self, encoding: Encoding) {
        self.form = form(encoding);
    }

    /// Notes that a part of the text comes of these bytes.
    pub(crate) fn note(&mut self, start: usize, end: usize, bytes: &[u8]) {
        self.other_bytes += bytes.len();
        match self.others.back_mut() {
            Some(last) if last.end == start => {
                last.end = end;
                last.bytes.extend_from_slice(bytes);
            }
            _ => self.others.push_back(Other { start, end, bytes: bytes.to_owned() }),
        }
    }

    /// Whether parts of the input are written as the bytes of their text.
    pub(crate) fn is_as_read(&self) -> bool {
        #[cfg(feature = "encoding")]
        if matches!(self.form, Form::Utf16 { .. }) {
            return false;
        }
        self.others.is_empty()
    }

    /// Writes a part of the input, which stands at this offset of the text.
    #[inline]
    pub(crate) fn source(&mut self, text: &str, at: usize) {
        if self.others.is_empty() { self.same(text) } else { self.mixed(text, at) }
    }

    fn mixed(&mut self, mut text: &str, mut at: usize) {
        while let Some(other) = self.others.front() {
            let (start, end) = (other.start, other.end);
            if end <= at {
                // It was left out.
                self.pop();
                continue;
            }
            if start >= at + text.len() {
                break;
            }
            let (before, rest) = text.split_at(start.saturating_sub(at));
            self.same(before);
            let (inside, after) = rest.split_at(rest.len().min(end - start.max(at)));
            if start >= at && inside.len() == end - start {
                let bytes = self.pop();
                self.bytes.extend_from_slice(&bytes);
            } else {
                // A part of it that has no bytes of its own.
                self.new_text(inside);
            }
            at += text.len() - after.len();
            text = after;
            if text.is_empty() {
                return;
            }
        }
        self.same(text);
    }

    /// Takes the first of the parts that are no copy, and returns its bytes.
    fn pop(&mut self) -> Vec<u8> {
        let bytes = self.others.pop_front().map_or_else(Vec::new, |other| other.bytes);
        self.other_bytes -= bytes.len();
        bytes
    }

    /// Writes text whose bytes follow from it.
    #[inline]
    fn same(&mut self, text: &str) {
        match self.form {
            #[cfg(feature = "encoding")]
            Form::Utf16 { .. } => self.new_text(text),
            _ => self.bytes.extend_from_slice(text.as_bytes()),
        }
    }

    /// Writes a new text; a character that the encoding does not have as a character reference.
    pub(crate) fn new_text(&mut self, text: &str) {
        match self.form {
            Form::Utf8 => self.bytes.extend_from_slice(text.as_bytes()),
            #[cfg(feature = "encoding")]
            Form::Utf16 { is_big } => self.bytes.extend(
                text.encode_utf16()
                    .flat_map(|unit| if is_big { unit.to_be_bytes() } else { unit.to_le_bytes() }),
            ),
            #[cfg(feature = "encoding")]
            Form::Ascii(encoding) => self.bytes.extend_from_slice(&encoding.encode(text).0),
        }
    }

    /// Whether the encoding has all characters of a text, so that none becomes a character reference.
    pub(crate) fn has(&self, text: &str) -> bool {
        match self.form {
            Form::Utf8 => {
                let _ = text;
                true
            }
            #[cfg(feature = "encoding")]
            Form::Utf16 { .. } => true,
            #[cfg(feature = "encoding")]
            Form::Ascii(encoding) => !encoding.encode(text).2,
        }
    }

    /// Heap memory in bytes.
    pub(crate) fn memory_usage(&self) -> usize {
        self.other_bytes + self.others.len() * size_of::<Other>()
    }
}

#[cfg(not(feature = "encoding"))]
fn form(_encoding: Encoding) -> Form {
    Form::Utf8
}

#[cfg(feature = "encoding")]
fn form(encoding: Encoding) -> Form {
    if encoding == Encoding::UTF_8 {
        return Form::Utf8;
    }
    let found = encoding_rs::Encoding::for_label(encoding.name().as_bytes());
    match found {
        Some(found) if !encoding.is_utf_16() => Form::Ascii(found),
        found => Form::Utf16 { is_big: found == Some(encoding_rs::UTF_16BE) },
    }
}
