//! The stack of replacement texts that rows insert into the input, and the limits on them; `drive` reads them.

use crate::span::Span;
use std::sync::Arc;

/// Limits on the text that a document may insert by entity references and declared attributes together. Text beyond the
/// limits is dropped and reported as an error.
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
    /// Returns the default limits: a nesting depth of 16, and 1 MiB plus 5 bytes for each byte of input, a factor that
    /// libxml2 also allows.
    pub const fn new() -> Self {
        Self { nesting: 16, bytes: 0x10_0000, bytes_per_input_byte: 5 }
    }

    /// Sets the maximum nesting depth of replacement texts.
    #[must_use]
    pub const fn nesting(mut self, texts: usize) -> Self {
        self.nesting = texts;
        self
    }

    /// Sets the number of bytes allowed regardless of the size of the input.
    #[must_use]
    pub const fn bytes(mut self, bytes: u64) -> Self {
        self.bytes = bytes;
        self
    }

    /// Sets the number of further bytes allowed for each byte of input read.
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

/// A replacement text that is being read.
#[derive(Clone, Debug)]
pub(crate) struct Replacement {
    pub(crate) text: Arc<str>,
    /// The offset in the text up to which it has been read.
    pub(crate) consumed: usize,
    /// The machine's `scanned` range for this text, kept so that the text is not searched again after each nested
    /// reference.
    pub(crate) scanned: (usize, usize),
}

/// The stack of nested replacement texts that are being read, outermost first, and the limits on them.
#[derive(Clone, Debug)]
pub(crate) struct Replacements {
    pub(crate) texts: Vec<Replacement>,
    /// The text, if any, that a row has just inserted and that is to be read next.
    pub(crate) pending: Option<Arc<str>>,
    /// The input range of the outermost reference, current or last; everything in its replacement text has this range.
    pub(crate) origin: Span,
    /// The offset at which the reference that is being read begins.
    pub(crate) reference_start: usize,
    pub(crate) inserted_bytes: u64,
    /// The offset of the first text refused because of the limits, and the number of refused texts; `None` if none was
    /// refused.
    pub(crate) refused: Option<(usize, u64)>,
    /// The codes of errors already reported in the texts of the current reference.
    pub(crate) reported_codes: Vec<&'static str>,
    pub(crate) limits: ReplacementLimits,
}

impl Replacements {
    pub(crate) fn new(limits: ReplacementLimits) -> Self {
        Self {
            texts: Vec::new(),
            pending: None,
            origin: Span::default(),
            reference_start: 0,
            inserted_bytes: 0,
            refused: None,
            reported_codes: Vec::new(),
            limits,
        }
    }

    /// Whether a replacement text is being read.
    #[inline]
    pub(crate) fn is_active(&self) -> bool {
        !self.texts.is_empty()
    }

    /// Counts a text at `offset` that is refused because of the limits.
    #[cold]
    pub(crate) fn refuse(&mut self, offset: usize) {
        self.refused.get_or_insert((offset, 0)).1 += 1;
    }

    /// Records an error in the texts of the current reference; returns whether it is the first with its code. Later
    /// ones are not reported, as they would have the same range, that of the reference.
    pub(crate) fn record_error(&mut self, code: &'static str) -> bool {
        let is_first = !self.reported_codes.contains(&code);
        if is_first {
            self.reported_codes.push(code);
        }
        is_first
    }

    /// Whether the limits allow a replacement text nested in those that are being read.
    pub(crate) fn allows_nesting(&self) -> bool {
        self.texts.len() < self.limits.nesting
    }

    /// Whether the limits allow inserting `bytes` more bytes after `consumed` bytes of input.
    pub(crate) fn allows_bytes(&self, bytes: usize, consumed: usize) -> bool {
        let input_allowance = self.limits.bytes_per_input_byte.saturating_mul(consumed as u64);
        self.inserted_bytes.saturating_add(bytes as u64)
            <= self.limits.bytes.saturating_add(input_allowance)
    }
}

/// Returns the text with each of the `characters` written as a numeric character reference.
pub(crate) fn escape_as_references(text: &Arc<str>, characters: &str) -> Arc<str> {
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

/// The lowest offset in replacement texts; lower offsets are in the input.
pub(crate) const INSERTED: usize = usize::MAX / 2 + 1;

/// Maps a range to the input: offsets in a replacement text become those of the reference, `origin`.
#[inline]
pub(crate) fn original(span: Span, origin: Span) -> Span {
    let start = if span.start >= INSERTED { origin.start } else { span.start };
    let end = if span.end >= INSERTED { origin.end } else { span.end };
    Span { start, end }
}
