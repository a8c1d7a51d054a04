//! Source ranges of attributes. If the value is in the input, two lengths in the attribute's record give both ranges;
//! other ranges are in a side table.

use super::growth::Growth;
use super::raw_span::RawSpan;
use super::texts::TextSlot;
use crate::span::Span;

/// The source ranges of an attribute.
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

/// The length of an attribute's name and the distance from the end of the name to the value, in 8 bits each. Together
/// with the range of the value they give both source ranges.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct PackedSpans(u16);

impl PackedSpans {
    /// The value for ranges that are unknown or in the side table. An empty name directly before the value packs to the
    /// same number.
    pub(super) const UNKNOWN: Self = Self(0);

    /// Packs the ranges of a name and a value if they fit, as nearly all do.
    #[inline(always)]
    pub(super) fn of(name: Span, value: Span) -> Option<Self> {
        let (packed_spans, excess) = Self::pack_truncated(name, value);
        (excess <= Self::MAX_EXCESS).then_some(packed_spans)
    }

    /// Maximum of the second result of [`pack_truncated`](Self::pack_truncated) for ranges that fit, and of the bitwise
    /// OR of several such results.
    pub(super) const MAX_EXCESS: usize = u8::MAX as usize;

    /// Packs the ranges of a name and a value, truncating each number to 8 bits. Also returns the bitwise OR of the
    /// untruncated numbers: the ranges fit if that is at most [`MAX_EXCESS`](Self::MAX_EXCESS).
    #[inline(always)]
    pub(super) fn pack_truncated(name: Span, value: Span) -> (Self, usize) {
        let length = name.end.wrapping_sub(name.start);
        let gap = value.start.wrapping_sub(name.end);
        (Self(length as u16 | (gap as u16) << 8), length | gap)
    }

    /// Returns the length of the name, and the distance from the end of the name to the value.
    fn lengths(self) -> [u32; 2] {
        self.0.to_le_bytes().map(u32::from)
    }

    /// Returns the ranges of an attribute whose value is in this slot of the input.
    fn spans(self, value: TextSlot) -> AttributeSpans {
        let [length, gap] = self.lengths();
        let end = value.start.saturating_sub(gap);
        AttributeSpans {
            name: RawSpan { start: end.saturating_sub(length), end },
            value: RawSpan { start: value.start, end: value.start.saturating_add(value.length) },
        }
    }
}

/// The side table: source ranges that do not fit into the records of the attributes, by the index of the attribute, in
/// ascending order.
#[derive(Clone, Debug, Default)]
pub(super) struct SpanList(Vec<(u32, AttributeSpans)>);

impl SpanList {
    /// Adds the ranges, as far as known, of the attribute at `index`, which must be higher than those added before.
    #[inline(never)]
    pub(super) fn push(
        &mut self,
        index: usize,
        name: Option<Span>,
        value: Option<Span>,
        growth: &Growth,
    ) {
        growth.push(&mut self.0, (index as u32, AttributeSpans::of(name, value)));
    }

    /// Returns the number of entries for attributes before this index.
    fn count_before(&self, index: usize) -> usize {
        self.0.partition_point(|&(other, _)| (other as usize) < index)
    }

    /// Returns the ranges of the attribute at `index`, from its `packed_spans` and the slot of its value if they are
    /// not in this table.
    pub(super) fn get(
        &self,
        index: usize,
        packed_spans: PackedSpans,
        value: TextSlot,
    ) -> AttributeSpans {
        match self.0.get(self.count_before(index)) {
            Some(&(entry_index, spans))
                if entry_index as usize == index && packed_spans == PackedSpans::UNKNOWN =>
            {
                spans
            }
            _ => packed_spans.spans(value),
        }
    }

    pub(super) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Removes the entries for attributes from the index `length` on.
    pub(super) fn truncate(&mut self, length: usize) {
        self.0.truncate(self.count_before(length));
    }

    pub(super) fn clear(&mut self) {
        self.0.clear();
    }

    pub(super) fn shrink(&mut self) {
        self.0.shrink_to_fit();
    }

    pub(super) fn heap_size(&self) -> usize {
        self.0.capacity() * size_of::<(u32, AttributeSpans)>()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn side_table_returns_the_stored_spans() {
        let last = RawSpan::LAST;
        let stored_spans = [
            (Some(Span::new(0, 256)), Some(Span::new(258, 260))),
            // The value is before the name, as in an attribute that was not parsed from the input.
            (Some(Span::new(90, 95)), Some(Span::new(10, 20))),
            (Some(Span::new(last + 3, last + 5)), Some(Span::new(last + 7, last + 9))),
            (None, None),
            (Some(Span::new(3, 7)), None),
        ];
        // Attributes at skipped indices have their ranges in their records.
        let (mut list, index_of) = (SpanList::default(), |number: usize| 2 * number + 1);
        for (number, &(name, value)) in stored_spans.iter().enumerate() {
            list.push(index_of(number), name, value, &Growth::default());
        }
        let packed_spans = PackedSpans::of(Span::new(2, 5), Span::new(6, 9)).unwrap();
        let slot = TextSlot { start: 6, length: 3 };
        for (number, &(name, value)) in stored_spans.iter().enumerate() {
            let spans = list.get(index_of(number), PackedSpans::UNKNOWN, slot);
            assert_eq!(spans, AttributeSpans::of(name, value), "wrong ranges of case {number}");
        }
        for index in 0..index_of(stored_spans.len()) + 2 {
            assert_eq!(list.get(index, packed_spans, slot).name, RawSpan { start: 2, end: 5 });
        }
        list.truncate(index_of(2));
        assert_eq!(list.0.len(), 2);
        let truncated_spans = list.get(index_of(2), PackedSpans::UNKNOWN, slot);
        assert_eq!(truncated_spans.name, RawSpan { start: 6, end: 6 });
    }

    #[test]
    fn packed_spans_give_both_ranges() {
        let span = Span::new;
        let cases = [
            (span(3, 7), span(9, 12), true),
            (span(5, 5), span(5, 5), true),
            (span(0, 255), span(510, 510 + 70_000), true),
            (span(0, 256), span(258, 260), false),
            (span(0, 2), span(258, 260), false),
            (span(90, 95), span(10, 20), false),
        ];
        for (name, value, fits) in cases {
            let slot =
                TextSlot { start: value.start as u32, length: (value.end - value.start) as u32 };
            let packed_spans = PackedSpans::of(name, value);
            assert_eq!(
                packed_spans.is_some(),
                fits,
                "whether {name:?} and {value:?} can be packed"
            );
            let unpacked =
                packed_spans.map(|packed_spans| SpanList::default().get(7, packed_spans, slot));
            let expected = AttributeSpans::of(Some(name), Some(value));
            assert!(
                unpacked.is_none_or(|unpacked| unpacked == expected),
                "wrong ranges for {name:?} and {value:?}"
            );
        }
    }
}
