//! Replacement text: the texts that rows put into the input, one within the other, and how much of it there may be. It
//! runs no machine (`drive` does). Invariant: a text is read to its end before what follows the reference.

use crate::span::Span;
use std::sync::Arc;

/// How much text a document may put into itself by references to entities and by declared attributes, both together.
/// What is more is left out and reported as an error.
///
/// ```
/// use tabulex::ReplacementLimits;
///
/// let strict = ReplacementLimits::new().nesting(4).bytes(1000).bytes_per_input_byte(0);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ReplacementLimits {
    nesting: usize,
    pub(crate) bytes: u64,
    bytes_per_input_byte: u64,
}

impl ReplacementLimits {
    /// 16 texts one within the other; 1 MiB, and 5 bytes more for each byte of the input, which libxml2 allows as well.
    pub const fn new() -> Self {
        Self { nesting: 16, bytes: 0x10_0000, bytes_per_input_byte: 5 }
    }

    /// Allows this number of texts one within the other.
    #[must_use]
    pub const fn nesting(mut self, texts: usize) -> Self {
        self.nesting = texts;
        self
    }

    /// Allows this number of bytes, whatever the input.
    #[must_use]
    pub const fn bytes(mut self, bytes: u64) -> Self {
        self.bytes = bytes;
        self
    }

    /// Allows this number of bytes more for each byte of the input that has been read.
    #[must_use]
    pub const fn bytes_per_input_byte(mut self, bytes: u64) -> Self {
        self.bytes_per_input_byte = bytes;
        self
    }
}

impl Default for ReplacementLimits {
    fn default() -> Self {
        Self::new()
    }
}

/// A text that is being read.
#[derive(Clone, Debug)]
pub(crate) struct Replacement {
    pub(crate) text: Arc<str>,
    /// Up to where it has been read.
    pub(crate) at: usize,
    /// What of it has been searched, as the machine has it of its chunk: so it is not searched after each reference.
    pub(crate) scanned: (usize, usize),
}

/// The texts that are being read, one within the other.
#[derive(Clone, Debug)]
pub(crate) struct Replacements {
    pub(crate) texts: Vec<Replacement>,
    /// A text that is to be read next.
    pub(crate) pending: Option<Arc<str>>,
    /// The range of the reference in the input that all of them stand for.
    pub(crate) origin: Span,
    /// Where the reference began that is being read.
    pub(crate) reference_start: usize,
    /// The bytes that have been used.
    pub(crate) used: u64,
    /// Where the first text was refused because of the limits, and how many were.
    pub(crate) refused: Option<(usize, u64)>,
    /// The codes of errors that were reported in what stands for the present reference.
    pub(crate) reported: Vec<&'static str>,
    pub(crate) limits: ReplacementLimits,
}

impl Replacements {
    pub(crate) fn new(limits: ReplacementLimits) -> Self {
        Self {
            texts: Vec::new(),
            pending: None,
            origin: Span::default(),
            reference_start: 0,
            used: 0,
            refused: None,
            reported: Vec::new(),
            limits,
        }
    }

    /// Whether a replacement text is being read.
    #[inline]
    pub(crate) fn is_active(&self) -> bool {
        !self.texts.is_empty()
    }

    /// Counts a text that the limits do not allow.
    #[cold]
    pub(crate) fn refuse(&mut self, at: usize) {
        self.refused.get_or_insert((at, 0)).1 += 1;
    }

    /// Whether no error of the code was reported yet in what stands for the present reference: all of them would have
    /// its range.
    pub(crate) fn is_first_error(&mut self, code: &'static str) -> bool {
        let is_first = !self.reported.contains(&code);
        if is_first {
            self.reported.push(code);
        }
        is_first
    }

    /// Whether the limits allow one more text within those that are being read.
    pub(crate) fn allows_nesting(&self) -> bool {
        self.texts.len() < self.limits.nesting
    }

    /// Whether the limits allow that many more bytes, once `consumed` bytes of the input are.
    pub(crate) fn allows(&self, bytes: usize, consumed: usize) -> bool {
        let more = self.limits.bytes_per_input_byte.saturating_mul(consumed as u64);
        self.used.saturating_add(bytes as u64) <= self.limits.bytes.saturating_add(more)
    }
}

/// The text, with the characters written as numeric character references.
pub(crate) fn escaped(text: &Arc<str>, characters: &str) -> Arc<str> {
    if !text.contains(|character| characters.contains(character)) {
        return Arc::clone(text);
    }
    let mut escaped = String::with_capacity(text.len() + 16);
    for character in text.chars() {
        if characters.contains(character) {
            escaped += &format!("&#{};", u32::from(character));
        } else {
            escaped.push(character);
        }
    }
    escaped.into()
}
