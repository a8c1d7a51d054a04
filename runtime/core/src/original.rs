//! Maps offsets in inserted text to the input range of the reference.

use crate::span::Span;

/// The first offset of replacement text; lower offsets are in the input.
pub(crate) const INSERTED: usize = usize::MAX / 2 + 1;

/// Maps a range to the input: offsets in a replacement text become those of the reference, `origin`.
#[inline]
pub(crate) fn original(span: Span, origin: Span) -> Span {
    let start = if span.start >= INSERTED { origin.start } else { span.start };
    let end = if span.end >= INSERTED { origin.end } else { span.end };
    Span { start, end }
}
