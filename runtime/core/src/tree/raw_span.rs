//! Spans with 32-bit offsets. Offsets that do not fit are clamped.

use crate::span::Span;

/// A span with 32-bit offsets, or no span.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct RawSpan {
    pub(super) start: u32,
    pub(super) end: u32,
}

impl RawSpan {
    /// The value that stands for no span.
    pub(super) const NONE: Self = Self { start: u32::MAX, end: u32::MAX };
    /// The highest offset that can be stored.
    pub(super) const LAST: usize = u32::MAX as usize - 1;

    /// Converts a span, clamping offsets to [`LAST`](Self::LAST).
    #[inline]
    pub(super) fn of(span: Span) -> Self {
        if Self::fits(span) {
            return Self { start: span.start as u32, end: span.end as u32 };
        }
        Self { start: span.start.min(Self::LAST) as u32, end: span.end.min(Self::LAST) as u32 }
    }

    /// Whether both offsets can be stored. One comparison tests both, so the result is also `false` for some large
    /// offsets that could be stored.
    #[inline(always)]
    pub(super) fn fits(span: Span) -> bool {
        (span.start | span.end) < Self::LAST
    }

    #[inline]
    pub(super) fn of_optional(span: Option<Span>) -> Self {
        span.map_or(Self::NONE, Self::of)
    }

    pub(super) fn get(self) -> Option<Span> {
        (self != Self::NONE).then(|| Span::new(self.start as usize, self.end as usize))
    }
}
