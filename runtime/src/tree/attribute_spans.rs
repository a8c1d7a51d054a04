//! Where attributes were written, in half the room that two spans take. It knows no attribute by name. Invariant: what
//! was put in comes out; what does not fit stands aside.

use super::growth::{Growth, make_room};
use super::node::RawSpan;
use crate::span::Span;

/// Where an attribute was written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct AttributeSpans {
    pub(super) name: RawSpan,
    pub(super) value: RawSpan,
}

impl AttributeSpans {
    pub(super) const UNKNOWN: Self = Self { name: RawSpan::NONE, value: RawSpan::NONE };

    pub(super) fn of(name: Option<Span>, value: Option<Span>) -> Self {
        Self { name: RawSpan::of_optional(name), value: RawSpan::of_optional(value) }
    }
}

/// The beginning of the name, its length, how far behind it the value begins, and the length of that: 32, 8, 8 and 16
/// bits, from the lowest ones on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Packed(u64);

impl Packed {
    /// Marks spans that stand aside.
    const ASIDE: Self = Self(u32::MAX as u64);
    /// Names that begin no later end their values at places that can be told.
    const LAST: usize = RawSpan::LAST - (1 << 17);

    /// The spans, if they fit, as nearly all do.
    #[inline(always)]
    fn of(name: Span, value: Span) -> Option<Self> {
        let (packed, excess) = Self::cut(name, value);
        (excess == 0 && name.start <= Self::LAST).then_some(packed)
    }

    /// The spans as far as they fit, and a number that is 0 if they do and the name begins early enough.
    #[inline(always)]
    fn cut(name: Span, value: Span) -> (Self, usize) {
        let length = name.end.wrapping_sub(name.start);
        let gap = value.start.wrapping_sub(name.end);
        let behind = value.end.wrapping_sub(value.start);
        let excess = (length | gap) >> 8 | behind >> 16;
        let (length, gap, behind) = (length as u64, gap as u64, behind as u64);
        (Self(name.start as u64 | length << 32 | gap << 40 | behind << 48), excess)
    }

    /// The spans, unless they stand aside.
    fn get(self) -> Option<AttributeSpans> {
        if self == Self::ASIDE {
            return None;
        }
        let start = self.0 as u32;
        let end = start + u32::from((self.0 >> 32) as u8);
        let value = end + u32::from((self.0 >> 40) as u8);
        Some(AttributeSpans {
            name: RawSpan { start, end },
            value: RawSpan { start: value, end: value + (self.0 >> 48) as u32 },
        })
    }
}

/// The places of a list of attributes.
#[derive(Clone, Debug, Default)]
pub(super) struct SpanList {
    packed: Vec<Packed>,
    /// What does not fit, each with its index.
    aside: Vec<(u32, AttributeSpans)>,
}

impl SpanList {
    /// Adds the places of an attribute, as far as they are known.
    #[inline(always)]
    pub(super) fn push(&mut self, name: Option<Span>, value: Option<Span>, growth: &Growth) {
        let packed = match (name, value) {
            (Some(name), Some(value)) => return self.push_known(name, value, growth),
            _ => self.keep_aside(name, value),
        };
        growth.push(&mut self.packed, packed);
    }

    /// The same of places that are known.
    #[inline(always)]
    pub(super) fn push_known(&mut self, name: Span, value: Span, growth: &Growth) {
        let packed = Packed::of(name, value)
            .unwrap_or_else(|| self.set_aside([name.start, name.end, value.start, value.end]));
        growth.push(&mut self.packed, packed);
    }

    /// The same of several attributes, if none has to stand aside. If one has, what was added is no good; so it is told.
    #[inline(always)]
    #[must_use]
    pub(super) fn extend_fitting(
        &mut self,
        spans: impl ExactSizeIterator<Item = (Span, Span)>,
        growth: &Growth,
    ) -> bool {
        let (mut all_excess, mut starts) = (0, 0);
        let packed = spans.map(|(name, value)| {
            let (packed, excess) = Packed::cut(name, value);
            // No start is later than what all of them make together.
            (all_excess, starts) = (all_excess | excess, starts | name.start);
            packed
        });
        growth.extend(&mut self.packed, packed);
        all_excess == 0 && starts <= Packed::LAST
    }

    /// Keeps spans that do not fit. They come as numbers, so that who might call this need not have them in memory.
    #[cold]
    #[inline(never)]
    fn set_aside(&mut self, [name, name_end, value, value_end]: [usize; 4]) -> Packed {
        self.keep_aside(Some(Span::new(name, name_end)), Some(Span::new(value, value_end)))
    }

    #[cold]
    #[inline(never)]
    fn keep_aside(&mut self, name: Option<Span>, value: Option<Span>) -> Packed {
        let spans = AttributeSpans::of(name, value);
        self.aside.push((self.packed.len() as u32, spans));
        Packed::ASIDE
    }

    /// The spans of the attribute at this index, if they are kept.
    pub(super) fn get(&self, index: usize) -> Option<AttributeSpans> {
        let packed = self.packed.get(index)?;
        packed.get().or_else(|| {
            let found =
                self.aside.binary_search_by_key(&(index as u32), |&(index, _)| index).ok()?;
            Some(self.aside[found].1)
        })
    }

    /// Forgets the spans from this index on.
    pub(super) fn truncate(&mut self, length: usize) {
        self.packed.truncate(length);
        let kept = self.aside.partition_point(|&(index, _)| (index as usize) < length);
        self.aside.truncate(kept);
    }

    /// Makes room for so many.
    pub(super) fn reserve(&mut self, count: usize) {
        make_room(&mut self.packed, count);
    }

    /// No spans, with the room of these.
    pub(super) fn emptied(mut self) -> Self {
        self.packed.clear();
        Self { packed: self.packed, aside: Vec::new() }
    }

    pub(super) fn shrink(&mut self) {
        self.packed.shrink_to_fit();
        self.aside.shrink_to_fit();
    }

    pub(super) fn heap_size(&self) -> usize {
        self.packed.capacity() * size_of::<Packed>()
            + self.aside.capacity() * size_of::<(u32, AttributeSpans)>()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_put_in_comes_out() {
        let last = RawSpan::LAST;
        let spans = |name: (usize, usize), value: (usize, usize)| {
            (Some(Span::new(name.0, name.1)), Some(Span::new(value.0, value.1)))
        };
        let fitting = [
            spans((3, 7), (9, 12)),
            spans((5, 5), (5, 5)),
            spans((0, 255), (510, 510 + 65_535)),
            spans((Packed::LAST, Packed::LAST + 255), (Packed::LAST + 510, Packed::LAST + 66_045)),
        ];
        let others = [
            spans((0, 256), (258, 260)),
            spans((0, 2), (258, 260)),
            spans((0, 2), (4, 4 + 65_536)),
            // The value stands before the name, as where it comes from elsewhere.
            spans((90, 95), (10, 20)),
            spans((last - 9, last - 3), (last - 1, last)),
            spans((last + 3, last + 5), (last + 7, last + 9)),
            spans((usize::MAX >> 1, usize::MAX >> 1), (usize::MAX >> 1, usize::MAX >> 1)),
            (None, None),
            (Some(Span::new(3, 7)), None),
        ];
        let mut list = SpanList::default();
        let all = fitting.iter().chain(&others);
        all.clone().for_each(|&(name, value)| list.push(name, value, &Growth::default()));
        for (index, &(name, value)) in all.enumerate() {
            assert_eq!(list.get(index), Some(AttributeSpans::of(name, value)), "{index}");
        }
        assert_eq!(list.get(fitting.len() + others.len()), None);
        assert_eq!(list.aside.len(), others.len());
    }

    #[test]
    fn several_are_put_in_as_one_by_one() {
        let span = |(a, b, c, d)| (Span::new(a, b), Span::new(c, d));
        let last = Packed::LAST;
        let spans = [(3, 7, 9, 12), (500, 505, 507, 507), (70_000, 70_002, 70_003, 70_009)];
        let spans = spans.map(span);
        let (mut one_by_one, mut together) = (SpanList::default(), SpanList::default());
        for count in [1, 3, 0] {
            let some = spans[..count].iter().copied();
            some.clone().for_each(|(name, value)| {
                one_by_one.push_known(name, value, &Growth::default());
            });
            assert!(together.extend_fitting(some, &Growth::default()));
        }
        assert_eq!(together.packed, one_by_one.packed);
        for odd in [(20, 400, 410, 415), (2, 3, 900, 901), (2, 3, 5, 70_000), (9, 8, 9, 9)] {
            let some = [spans[0], span(odd), spans[1]];
            assert!(!together.extend_fitting(some.into_iter(), &Growth::default()), "{odd:?}");
        }
        let late = span((last + 1, last + 2, last + 3, last + 9));
        assert!(!together.extend_fitting([late].into_iter(), &Growth::default()));
    }
}
