//! Offsets in texts that rows put into the input, and the ranges of the input that stand for them. It holds no text.
//! Invariant: what was original is not changed.

use crate::span::Span;

/// Offsets from here on lie in a replacement text, not in the input.
pub(crate) const INSERTED: usize = usize::MAX / 2 + 1;

/// The range in the input of a range that may lie in a replacement text for the reference at `origin`.
#[inline]
pub(crate) fn original(span: Span, origin: Span) -> Span {
    let start = if span.start >= INSERTED { origin.start } else { span.start };
    let end = if span.end >= INSERTED { origin.end } else { span.end };
    Span { start, end }
}
