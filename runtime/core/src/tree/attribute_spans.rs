//! Source ranges of attributes. If the value is in the input, two lengths in the attribute's record give both ranges;
//! other ranges are in a side table, most of them packed.

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
        let (packed_spans, bits) = Self::pack_truncated(name, value);
        (bits <= Self::MAX_NUMBER).then_some(packed_spans)
    }

    /// Maximum of the second result of [`pack_truncated`](Self::pack_truncated) for ranges that fit, and of the bitwise
    /// OR of several such results.
    pub(super) const MAX_NUMBER: usize = u8::MAX as usize;

    /// Packs the ranges of a name and a value, truncating each number to 8 bits. Also returns the bitwise OR of the
    /// untruncated numbers: the ranges fit if that is at most [`MAX_NUMBER`](Self::MAX_NUMBER).
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

/// The source ranges of an attribute in 8 bytes: start and length of the name, distance from the name to the value, and
/// length of the value, in 32, 8, 8 and 16 bits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct PackedAttributeSpans {
    start: u32,
    packed_spans: PackedSpans,
    value_len: u16,
}

impl PackedAttributeSpans {
    /// Stands for ranges that do not fit.
    const DOES_NOT_FIT: Self =
        Self { start: u32::MAX, packed_spans: PackedSpans::UNKNOWN, value_len: 0 };
    /// Maximum offset of a name, so that the end of the value is an offset that can be stored.
    const MAX_NAME_START: usize = RawSpan::LAST - (1 << 17);

    /// Packs the ranges if they fit.
    fn of(name: Span, value: Span) -> Option<Self> {
        let packed_spans = PackedSpans::of(name, value)?;
        let value_len = u16::try_from(value.end.wrapping_sub(value.start)).ok()?;
        (name.start <= Self::MAX_NAME_START).then_some(Self {
            start: name.start as u32,
            packed_spans,
            value_len,
        })
    }

    /// Unpacks the ranges, unless they did not fit.
    fn get(self) -> Option<AttributeSpans> {
        let [length, gap] = self.packed_spans.lengths();
        let value =
            TextSlot { start: self.start + length + gap, length: u32::from(self.value_len) };
        (self != Self::DOES_NOT_FIT).then(|| self.packed_spans.spans(value))
    }
}

/// The side table: source ranges that do not fit into the records of the attributes, by the index of the attribute.
#[derive(Clone, Debug, Default)]
pub(super) struct SpanList {
    packed: Vec<PackedAttributeSpans>,
    /// The indices of the attributes in `packed`; empty while `packed` has all attributes from index 0 on, as it does
    /// if the input is not kept.
    indices: Vec<u32>,
    /// The ranges that do not fit into `packed`, each with the index of its attribute, in ascending order.
    oversized: Vec<(u32, AttributeSpans)>,
}

impl SpanList {
    /// Adds the ranges, as far as known, of the attribute at `index`. Indices must be added in ascending order.
    #[inline(never)]
    pub(super) fn push(
        &mut self,
        index: usize,
        name: Option<Span>,
        value: Option<Span>,
        growth: &Growth,
    ) {
        let index = index as u32;
        let packed = match (name, value) {
            (Some(name), Some(value)) => PackedAttributeSpans::of(name, value),
            _ => None,
        };
        if packed.is_none() {
            self.oversized.push((index, AttributeSpans::of(name, value)));
        }
        let count = self.packed.len() as u32;
        if index != count && self.indices.is_empty() {
            self.indices.extend(0..count);
        }
        if index != count || !self.indices.is_empty() {
            growth.push(&mut self.indices, index);
        }
        growth.push(&mut self.packed, packed.unwrap_or(PackedAttributeSpans::DOES_NOT_FIT));
    }

    /// Returns the number of entries for attributes before this index.
    fn count_before(&self, index: u32) -> usize {
        match self.indices.is_empty() {
            true => self.packed.len().min(index as usize),
            false => self.indices.partition_point(|&other| other < index),
        }
    }

    /// Returns the ranges of the attribute at `index`: from this table or, if the attribute has no entry here, from its
    /// `packed_spans` and the slot of its value.
    pub(super) fn get(
        &self,
        index: usize,
        packed_spans: PackedSpans,
        value: TextSlot,
    ) -> AttributeSpans {
        let index = index as u32;
        let count_before = self.count_before(index);
        let is_in_side_table = packed_spans == PackedSpans::UNKNOWN
            && count_before < self.packed.len()
            && self.indices.get(count_before).is_none_or(|&found| found == index);
        if !is_in_side_table {
            return packed_spans.spans(value);
        }
        self.packed[count_before].get().unwrap_or_else(|| {
            let found = self.oversized.binary_search_by_key(&index, |&(index, _)| index);
            found.map_or(AttributeSpans::UNKNOWN, |index| self.oversized[index].1)
        })
    }

    /// Whether the table is empty.
    pub(super) fn is_empty(&self) -> bool {
        self.packed.is_empty()
    }

    /// Removes the entries of the attributes whose index is `length` or higher.
    pub(super) fn truncate(&mut self, length: usize) {
        let entry_count = self.count_before(length as u32);
        self.packed.truncate(entry_count);
        self.indices.truncate(entry_count);
        self.oversized
            .truncate(self.oversized.partition_point(|&(index, _)| (index as usize) < length));
    }

    /// Returns an empty table that reuses the capacity of this one.
    pub(super) fn into_empty(mut self) -> Self {
        self.packed.clear();
        self.indices.clear();
        self.oversized.clear();
        self
    }

    pub(super) fn shrink(&mut self) {
        self.packed.shrink_to_fit();
        self.indices.shrink_to_fit();
        self.oversized.shrink_to_fit();
    }

    pub(super) fn heap_size(&self) -> usize {
        self.packed.capacity() * size_of::<PackedAttributeSpans>()
            + self.indices.capacity() * size_of::<u32>()
            + self.oversized.capacity() * size_of::<(u32, AttributeSpans)>()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn side_table_returns_the_stored_spans() {
        let last = RawSpan::LAST;
        let spans = |name: (usize, usize), value: (usize, usize)| {
            (Some(Span::new(name.0, name.1)), Some(Span::new(value.0, value.1)))
        };
        let fitting = [
            spans((3, 7), (9, 12)),
            spans((5, 5), (5, 5)),
            spans((0, 255), (510, 510 + 65_535)),
            spans(
                (PackedAttributeSpans::MAX_NAME_START, PackedAttributeSpans::MAX_NAME_START + 255),
                (
                    PackedAttributeSpans::MAX_NAME_START + 510,
                    PackedAttributeSpans::MAX_NAME_START + 66_045,
                ),
            ),
        ];
        let oversized = [
            spans((0, 256), (258, 260)),
            spans((0, 2), (258, 260)),
            spans((0, 2), (4, 4 + 65_536)),
            // The value is before the name, as in an attribute that was not parsed from the input.
            spans((90, 95), (10, 20)),
            spans((last - 9, last - 3), (last - 1, last)),
            spans((last + 3, last + 5), (last + 7, last + 9)),
            spans((usize::MAX >> 1, usize::MAX >> 1), (usize::MAX >> 1, usize::MAX >> 1)),
            (None, None),
            (Some(Span::new(3, 7)), None),
        ];
        let all = || fitting.iter().chain(&oversized).enumerate();
        // Attributes at skipped indices have their ranges in their records.
        for (step, first_index) in [(1, 0), (1, 1), (2, 0), (2, 1)] {
            let index_of = |number: usize| number * step + first_index;
            let mut list = SpanList::default();
            for (number, &(name, value)) in all() {
                list.push(index_of(number), name, value, &Growth::default());
            }
            let packed_spans = PackedSpans::of(Span::new(2, 5), Span::new(6, 9)).unwrap();
            let value = TextSlot { start: 6, length: 3 };
            for (number, &(name, value)) in all() {
                let spans = list.get(index_of(number), PackedSpans::UNKNOWN, TextSlot::default());
                assert_eq!(spans, AttributeSpans::of(name, value), "wrong ranges of case {number}");
            }
            for index in 0..index_of(all().count()) + 2 {
                assert_eq!(list.get(index, packed_spans, value).name, RawSpan { start: 2, end: 5 });
            }
            assert_eq!(list.oversized.len(), oversized.len());
            assert_eq!(list.indices.is_empty(), (step, first_index) == (1, 0));
            list.truncate(index_of(fitting.len() + 1));
            assert_eq!((list.packed.len(), list.oversized.len()), (fitting.len() + 1, 1));
            let truncated_spans =
                list.get(index_of(fitting.len() + 1), PackedSpans::UNKNOWN, value);
            assert_eq!(truncated_spans.name, RawSpan { start: 6, end: 6 });
        }
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
