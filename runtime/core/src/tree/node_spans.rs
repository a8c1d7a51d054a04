//! Positions of nodes, packed into 8 bytes each: a range, or the start tag and end tag of an element. Positions that do
//! not fit are in a side table. The caller knows which nodes are elements.

use super::growth::{Growth, reserve_compact};
use super::raw_span::RawSpan;
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
}
