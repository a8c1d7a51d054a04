//! Positions of nodes and attributes. That of a node is packed into 8 bytes: a range, or the start tag and end tag of
//! an element; those that do not fit are in a side table. The caller knows which nodes are elements.

use super::options::{Growth, reserve_compact};
use super::texts::TextSlot;
use crate::span::Span;

/// Width of the lowest bit field in an element's `lengths_or_end`: the length of the start tag.
const START_TAG_BITS: u32 = 10;
/// Width of the middle bit field in an element's `lengths_or_end`: the distance from the start tag to the end tag.
const GAP_BITS: u32 = 16;
/// Width of the highest bit field in an element's `lengths_or_end`: the length of the end tag, 0 if there is none.
const END_TAG_BITS: u32 = 6;
const _: () = assert!(START_TAG_BITS + GAP_BITS + END_TAG_BITS == u32::BITS);

/// The `lengths_or_end` of an element whose positions are in the side table.
const IN_SIDE_TABLE: u32 = u32::MAX;

/// The position of a node. For an element in the side table, `start` is the index there, or `u32::MAX` if the element
/// has no position. For a node that is not an element, `lengths_or_end` is the end of the range.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct PackedNodeSpans {
    start: u32,
    lengths_or_end: u32,
}

impl PackedNodeSpans {
    const UNKNOWN: Self = Self { start: u32::MAX, lengths_or_end: u32::MAX };

    /// Packs the range of a node that is not an element.
    #[inline]
    fn of(span: Span) -> Self {
        let RawSpan { start, end } = RawSpan::of(span);
        Self { start, lengths_or_end: end }
    }

    /// Returns the range of a node that is not an element.
    #[inline]
    fn get(self) -> RawSpan {
        RawSpan { start: self.start, end: self.lengths_or_end }
    }

    /// Packs the range of an element's start tag if it fits.
    #[inline(always)]
    fn start_tag(span: Span) -> Option<Self> {
        let (start, length) = (span.start as u64, span.end.wrapping_sub(span.start) as u64);
        let fits = start >> 32 | length >> START_TAG_BITS == 0;
        fits.then_some(Self { start: start as u32, lengths_or_end: length as u32 })
    }

    /// Returns the end offset of an element's start tag.
    #[inline]
    fn start_tag_end(self) -> u64 {
        u64::from(self.start) + u64::from(self.lengths_or_end & ((1 << START_TAG_BITS) - 1))
    }

    /// Returns the position with an end tag added, if that fits and the element has no end tag yet.
    #[inline(always)]
    fn with_end_tag(self, span: Span) -> Option<Self> {
        let gap = (span.start as u64).wrapping_sub(self.start_tag_end());
        let length = span.end.wrapping_sub(span.start) as u64;
        let fits = u64::from(self.lengths_or_end >> START_TAG_BITS) | gap >> GAP_BITS == 0;
        let end_tag_bits =
            (gap as u32) << START_TAG_BITS | (length as u32) << (START_TAG_BITS + GAP_BITS);
        // The maximum length is excluded, so that `lengths_or_end` never equals `IN_SIDE_TABLE`.
        let can_pack = fits && (1..(1 << END_TAG_BITS) - 1).contains(&length);
        can_pack.then_some(Self {
            start: self.start,
            lengths_or_end: self.lengths_or_end | end_tag_bits,
        })
    }

    /// Unpacks the tags of an element that is not in the side table.
    fn tags(self) -> TagSpans {
        let span = |start: u64, end: u64| {
            let [start, end] = [start, end].map(|at| at.min(RawSpan::LAST as u64) as u32);
            RawSpan { start, end }
        };
        let (end, end_tag_bits) = (self.start_tag_end(), self.lengths_or_end >> START_TAG_BITS);
        let (gap, length) = (end_tag_bits & ((1 << GAP_BITS) - 1), end_tag_bits >> GAP_BITS);
        let end_tag_start = end + u64::from(gap);
        let end_tag = match length {
            0 => RawSpan::NONE,
            length => span(end_tag_start, end_tag_start + u64::from(length)),
        };
        TagSpans { start_tag: span(u64::from(self.start), end), end_tag }
    }
}

/// The positions of an element's tags.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct TagSpans {
    start_tag: RawSpan,
    end_tag: RawSpan,
}

impl TagSpans {
    const UNKNOWN: Self = Self { start_tag: RawSpan::NONE, end_tag: RawSpan::NONE };
}

/// The positions of a tree's nodes, by the index of the node; empty if positions are not kept.
#[derive(Clone, Debug, Default)]
pub(super) struct NodeSpanList {
    packed: Vec<PackedNodeSpans>,
    side_table: Vec<TagSpans>,
}

impl NodeSpanList {
    /// Whether pushing a position would reallocate the list.
    #[inline(always)]
    pub(super) fn is_full(&self) -> bool {
        self.packed.len() == self.packed.capacity()
    }

    /// Pushes the position of a node that is not an element.
    #[inline(always)]
    pub(super) fn push(&mut self, span: Option<Span>, growth: &Growth) {
        growth.push(&mut self.packed, span.map_or(PackedNodeSpans::UNKNOWN, PackedNodeSpans::of));
    }

    /// Pushes the position of an element's start tag.
    #[inline(always)]
    pub(super) fn push_element(&mut self, span: Option<Span>, growth: &Growth) {
        let packed = match span {
            Some(span) => PackedNodeSpans::start_tag(span)
                .unwrap_or_else(|| self.push_start_tag_to_side_table(span.start, span.end)),
            None => PackedNodeSpans::UNKNOWN,
        };
        growth.push(&mut self.packed, packed);
    }

    /// Stores the position of a start tag in the side table. The position is passed as two numbers, which stay in
    /// registers.
    #[cold]
    #[inline(never)]
    fn push_start_tag_to_side_table(&mut self, start: usize, end: usize) -> PackedNodeSpans {
        let start_tag = RawSpan::of(Span::new(start, end));
        self.push_to_side_table(TagSpans { start_tag, ..TagSpans::UNKNOWN })
    }

    fn push_to_side_table(&mut self, tags: TagSpans) -> PackedNodeSpans {
        self.side_table.push(tags);
        PackedNodeSpans { start: self.side_table.len() as u32 - 1, lengths_or_end: IN_SIDE_TABLE }
    }

    /// Sets the position of an element's end tag.
    #[inline(always)]
    pub(super) fn set_end_tag(&mut self, element: usize, span: Span) {
        let Some(packed) = self.packed.get_mut(element) else { return };
        match packed.with_end_tag(span) {
            Some(tags) => *packed = tags,
            None => self.store_end_tag_in_side_table(element, span.start, span.end),
        }
    }

    /// Slow path of `set_end_tag`: stores the position of an end tag in the side table.
    #[cold]
    #[inline(never)]
    fn store_end_tag_in_side_table(&mut self, element: usize, start: usize, end: usize) {
        let packed = self.packed[element];
        if packed.lengths_or_end != IN_SIDE_TABLE || packed.start == u32::MAX {
            self.packed[element] = self.push_to_side_table(self.tags(packed));
        }
        let index = self.packed[element].start as usize;
        self.side_table[index].end_tag = RawSpan::of(Span::new(start, end));
    }

    /// Returns the positions of an element's tags, from the side table if they are there.
    fn tags(&self, packed: PackedNodeSpans) -> TagSpans {
        match packed {
            PackedNodeSpans::UNKNOWN => TagSpans::UNKNOWN,
            PackedNodeSpans { start, lengths_or_end: IN_SIDE_TABLE } => {
                self.side_table[start as usize]
            }
            packed => packed.tags(),
        }
    }

    /// Extends the position of a text node to include the range of appended text.
    #[inline(always)]
    pub(super) fn extend(&mut self, text: usize, span: Span) {
        if let Some(packed) = self.packed.get_mut(text) {
            let (old, appended) = (packed.get(), RawSpan::of(span));
            // An unknown range has the maximum end, which must not replace the end of the appended range.
            let end = if old.end == u32::MAX { appended.end } else { old.end.max(appended.end) };
            let start = old.start.min(appended.start);
            *packed = PackedNodeSpans { start, lengths_or_end: end };
        }
    }

    /// Returns the position, if known, of a node that is not an element.
    pub(super) fn get(&self, node: usize) -> Option<Span> {
        self.packed.get(node)?.get().get()
    }

    /// Returns the position of an element's start tag, if known.
    pub(super) fn start_tag(&self, element: usize) -> Option<Span> {
        self.tags(*self.packed.get(element)?).start_tag.get()
    }

    /// Returns the position of an element's end tag, if it has one and the position is known.
    pub(super) fn end_tag(&self, element: usize) -> Option<Span> {
        self.tags(*self.packed.get(element)?).end_tag.get()
    }

    /// Reserves capacity for `count` more nodes.
    pub(super) fn reserve(&mut self, count: usize) {
        reserve_compact(&mut self.packed, count);
    }

    /// Returns an empty list that reuses the capacity of this one.
    pub(super) fn into_empty(mut self) -> Self {
        self.packed.clear();
        Self { packed: self.packed, side_table: Vec::new() }
    }

    pub(super) fn shrink(&mut self) {
        self.packed.shrink_to_fit();
        self.side_table.shrink_to_fit();
    }

    pub(super) fn heap_size(&self) -> usize {
        self.packed.capacity() * size_of::<PackedNodeSpans>()
            + self.side_table.capacity() * size_of::<TagSpans>()
    }
}

// Spans with 32-bit offsets. Offsets that do not fit are clamped.

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
    fn of_optional(span: Option<Span>) -> Self {
        span.map_or(Self::NONE, Self::of)
    }

    pub(super) fn get(self) -> Option<Span> {
        (self != Self::NONE).then(|| Span::new(self.start as usize, self.end as usize))
    }
}

// Source ranges of attributes. If the value is in the input, two lengths in the attribute's record give both ranges;
// other ranges are in a side table.

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

/// The side table: source ranges that do not fit into the records of the attributes, each with the index of its
/// attribute, in ascending order.
#[derive(Clone, Debug, Default)]
pub(super) struct AttributeSpanList(Vec<(u32, AttributeSpans)>);

impl AttributeSpanList {
    /// Adds the ranges, as far as known, of the attribute at `index`. Indices must be added in ascending order.
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

    /// Returns the ranges of the attribute at `index`: from this table or, if the attribute has no entry here, from its
    /// `packed_spans` and the slot of its value.
    pub(super) fn get(
        &self,
        index: usize,
        packed_spans: PackedSpans,
        value: TextSlot,
    ) -> AttributeSpans {
        let find = || self.0.binary_search_by_key(&(index as u32), |&(index, _)| index).ok();
        let entry = (packed_spans == PackedSpans::UNKNOWN).then(find).flatten();
        entry.map_or_else(|| packed_spans.spans(value), |at| self.0[at].1)
    }

    /// Removes the entries of the attributes whose index is `length` or higher.
    pub(super) fn truncate(&mut self, length: usize) {
        self.0.truncate(self.0.partition_point(|&(index, _)| (index as usize) < length));
    }

    /// Returns an empty table that reuses the capacity of this one.
    pub(super) fn into_empty(mut self) -> Self {
        self.0.clear();
        self
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

    /// Asserts that the tags of elements are returned as stored, and that the side table has `expected_len` entries.
    fn check(cases: &[(Option<Span>, &[Span])], expected_len: usize) {
        let mut list = NodeSpanList::default();
        for &(start_tag, _) in cases {
            list.push_element(start_tag, &Growth::default());
        }
        // As in a parser, end tags come after start tags, inner ones first.
        for (index, (_, end_tags)) in cases.iter().enumerate().rev() {
            assert_eq!(list.end_tag(index), None);
            end_tags.iter().for_each(|&span| list.set_end_tag(index, span));
        }
        let clamped = |span: Option<Span>| RawSpan::of_optional(span).get();
        for (index, &(start_tag, end_tags)) in cases.iter().enumerate() {
            assert_eq!(
                list.start_tag(index),
                clamped(start_tag),
                "wrong start tag of case {index}"
            );
            assert_eq!(
                list.end_tag(index),
                clamped(end_tags.last().copied()),
                "wrong end tag of case {index}"
            );
        }
        assert_eq!(list.side_table.len(), expected_len);
        assert_eq!((list.start_tag(cases.len()), list.end_tag(cases.len())), (None, None));
    }

    #[test]
    fn tags_are_returned_as_stored() {
        let (last, span) = (RawSpan::LAST, Span::new);
        let fitting_cases = [
            (Some(span(3, 7)), &[span(9, 12)][..]),
            (Some(span(5, 5)), &[span(5, 6)]),
            (Some(span(0, 1023)), &[span(1023 + 65_535, 1023 + 65_535 + 62)]),
            (Some(span(0, 1023)), &[]),
            (Some(span(last - 5, last)), &[span(last, last + 4)]),
            (Some(span(last + 1, last + 9)), &[]),
            (None, &[]),
        ];
        check(&fitting_cases, 0);
        let oversized_cases = [
            (Some(span(0, 1024)), &[span(1024, 1028)][..]),
            (Some(span(0, 1024)), &[]),
            (Some(span(0, 9)), &[span(9 + 65_536, 9 + 65_540)]),
            (Some(span(0, 9)), &[span(9, 9 + 63)]),
            (Some(span(0, 9)), &[span(12, 12)]),
            // The end tag is before the start tag, as in a node that was not parsed from the input.
            (Some(span(90, 95)), &[span(10, 20)]),
            (Some(span(0, 9)), &[span(9, 12), span(15, 18), span(20, 23)]),
            (Some(span(last + 3, last + 5)), &[span(last + 7, last + 9)]),
            (Some(span(usize::MAX >> 1, usize::MAX >> 1)), &[]),
            (None, &[span(3, 7)]),
        ];
        check(&oversized_cases[..7], 7);
        check(&oversized_cases[8..], 2);
        let all_cases = [&fitting_cases[..], &oversized_cases[..]].concat();
        check(&all_cases, if usize::BITS > 32 { oversized_cases.len() } else { 0 });
    }

    #[test]
    fn extends_the_span_of_a_text() {
        let (mut list, span) = (NodeSpanList::default(), Span::new);
        list.push(None, &Growth::default());
        list.push(Some(span(5, 9)), &Growth::default());
        let cases = [(0, span(12, 15)), (0, span(20, 30)), (1, span(1, 3)), (1, span(7, 70_000))];
        cases.iter().for_each(|&(text, span)| list.extend(text, span));
        assert_eq!((list.get(0), list.get(1)), (Some(span(12, 30)), Some(span(1, 70_000))));
        assert_eq!(list.get(2), None);
    }

    #[test]
    fn side_table_returns_the_stored_spans() {
        let last = RawSpan::LAST;
        let spans = |name: (usize, usize), value: (usize, usize)| {
            (Some(Span::new(name.0, name.1)), Some(Span::new(value.0, value.1)))
        };
        let cases = [
            spans((3, 7), (9, 12)),
            spans((5, 5), (5, 5)),
            spans((0, 256), (258, 260)),
            // The value is before the name, as in an attribute that was not parsed from the input.
            spans((90, 95), (10, 20)),
            spans((last - 9, last - 3), (last - 1, last)),
            spans((last + 3, last + 5), (last + 7, last + 9)),
            spans((usize::MAX >> 1, usize::MAX >> 1), (usize::MAX >> 1, usize::MAX >> 1)),
            (None, None),
            (Some(Span::new(3, 7)), None),
        ];
        // Attributes at skipped indices have their ranges in their records.
        for (step, first_index) in [(1, 0), (1, 1), (2, 0), (2, 1)] {
            let index_of = |number: usize| number * step + first_index;
            let mut list = AttributeSpanList::default();
            for (number, &(name, value)) in cases.iter().enumerate() {
                list.push(index_of(number), name, value, &Growth::default());
            }
            let packed_spans = PackedSpans::of(Span::new(2, 5), Span::new(6, 9)).unwrap();
            let value = TextSlot { start: 6, length: 3 };
            for (number, &(name, value)) in cases.iter().enumerate() {
                let spans = list.get(index_of(number), PackedSpans::UNKNOWN, TextSlot::default());
                assert_eq!(spans, AttributeSpans::of(name, value), "wrong ranges of case {number}");
            }
            for index in 0..index_of(cases.len()) + 2 {
                assert_eq!(list.get(index, packed_spans, value).name, RawSpan { start: 2, end: 5 });
            }
            list.truncate(index_of(5));
            assert_eq!(list.0.len(), 5);
            let truncated_spans = list.get(index_of(5), PackedSpans::UNKNOWN, value);
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
            let unpacked = packed_spans
                .map(|packed_spans| AttributeSpanList::default().get(7, packed_spans, slot));
            let expected = AttributeSpans::of(Some(name), Some(value));
            assert!(
                unpacked.is_none_or(|unpacked| unpacked == expected),
                "wrong ranges for {name:?} and {value:?}"
            );
        }
    }
}
