//! Where nodes were written, in 8 bytes each: a range, or start tag and end tag of an element. It knows no node: its
//! caller knows which are elements. Invariant: what was put in comes out; what does not fit is kept aside.

use super::growth::{Growth, make_room};
use super::raw_span::RawSpan;
use crate::span::Span;

// The other number of an element, from its low bits on: the length of its start tag, how far after that the end tag
// begins, and the length of the end tag, which is 0 as long as there is none.
const START_TAG: u32 = 10;
const GAP: u32 = 16;
const END_TAG: u32 = 6;
const _: () = assert!(START_TAG + GAP + END_TAG == u32::BITS);

/// The other number of an element whose places are kept aside.
const ASIDE: u32 = u32::MAX;

/// The places of a node. Of an element that is kept aside the start is its index there, or the highest number if it has
/// no place; of another node the other number is the end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Packed {
    start: u32,
    other: u32,
}

impl Packed {
    const UNKNOWN: Self = Self { start: u32::MAX, other: u32::MAX };

    #[inline]
    fn of(span: Span) -> Self {
        let RawSpan { start, end } = RawSpan::of(span);
        Self { start, other: end }
    }

    #[inline]
    fn get(self) -> RawSpan {
        RawSpan { start: self.start, end: self.other }
    }

    /// An element with this start tag, if that fits.
    #[inline(always)]
    fn start_tag(span: Span) -> Option<Self> {
        let (start, length) = (span.start as u64, span.end.wrapping_sub(span.start) as u64);
        let fits = start >> 32 | length >> START_TAG == 0;
        fits.then_some(Self { start: start as u32, other: length as u32 })
    }

    /// The end of the start tag.
    #[inline]
    fn start_tag_end(self) -> u64 {
        u64::from(self.start) + u64::from(self.other & ((1 << START_TAG) - 1))
    }

    /// The spans of the element with this end tag, if that fits and the element has none.
    #[inline(always)]
    fn with_end_tag(self, span: Span) -> Option<Self> {
        let gap = (span.start as u64).wrapping_sub(self.start_tag_end());
        let length = span.end.wrapping_sub(span.start) as u64;
        let fits = u64::from(self.other >> START_TAG) | gap >> GAP == 0;
        let tag = (gap as u32) << START_TAG | (length as u32) << (START_TAG + GAP);
        // The longest is left out, so that nothing looks like what is kept aside.
        let is_fit = fits && (1..(1 << END_TAG) - 1).contains(&length);
        is_fit.then_some(Self { start: self.start, other: self.other | tag })
    }

    /// Start tag and end tag of an element that does not are kept aside.
    fn tags(self) -> Tags {
        let span = |start: u64, end: u64| {
            let [start, end] = [start, end].map(|at| at.min(RawSpan::LAST as u64) as u32);
            RawSpan { start, end }
        };
        let (end, rest) = (self.start_tag_end(), self.other >> START_TAG);
        let (gap, length) = (rest & ((1 << GAP) - 1), rest >> GAP);
        let after = end + u64::from(gap);
        let end_tag = match length {
            0 => RawSpan::NONE,
            length => span(after, after + u64::from(length)),
        };
        Tags { start_tag: span(u64::from(self.start), end), end_tag }
    }
}

/// Where an element was written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Tags {
    start_tag: RawSpan,
    end_tag: RawSpan,
}

impl Tags {
    const UNKNOWN: Self = Self { start_tag: RawSpan::NONE, end_tag: RawSpan::NONE };
}

/// The places of nodes by their numbers; empty if they are not kept.
#[derive(Clone, Debug, Default)]
pub(super) struct NodeSpanList {
    packed: Vec<Packed>,
    aside: Vec<Tags>,
}

impl NodeSpanList {
    /// Whether the list grows with the next one.
    #[inline(always)]
    pub(super) fn is_full(&self) -> bool {
        self.packed.len() == self.packed.capacity()
    }

    /// Adds the place of a node that is no element.
    #[inline(always)]
    pub(super) fn push(&mut self, span: Option<Span>, growth: &Growth) {
        growth.push(&mut self.packed, span.map_or(Packed::UNKNOWN, Packed::of));
    }

    /// Adds the place of an element's start tag.
    #[inline(always)]
    pub(super) fn push_element(&mut self, span: Option<Span>, growth: &Growth) {
        let packed = match span {
            Some(span) => Packed::start_tag(span)
                .unwrap_or_else(|| self.set_start_tag_aside(span.start, span.end)),
            None => Packed::UNKNOWN,
        };
        growth.push(&mut self.packed, packed);
    }

    /// The range comes as numbers, so that who might call this need not have it in memory.
    #[cold]
    #[inline(never)]
    fn set_start_tag_aside(&mut self, start: usize, end: usize) -> Packed {
        let start_tag = RawSpan::of(Span::new(start, end));
        self.set_aside(Tags { start_tag, ..Tags::UNKNOWN })
    }

    fn set_aside(&mut self, tags: Tags) -> Packed {
        self.aside.push(tags);
        Packed { start: self.aside.len() as u32 - 1, other: ASIDE }
    }

    /// Sets the place of an element's end tag.
    #[inline(always)]
    pub(super) fn set_end_tag(&mut self, element: usize, span: Span) {
        let Some(packed) = self.packed.get_mut(element) else { return };
        match packed.with_end_tag(span) {
            Some(tags) => *packed = tags,
            None => self.set_end_tag_aside(element, span.start, span.end),
        }
    }

    /// Keeps the place of an end tag aside. Apart, as most places fit beside the start tag's.
    #[cold]
    #[inline(never)]
    fn set_end_tag_aside(&mut self, element: usize, start: usize, end: usize) {
        let packed = self.packed[element];
        if packed.other != ASIDE || packed.start == u32::MAX {
            self.packed[element] = self.set_aside(self.tags(packed));
        }
        let aside = self.packed[element].start as usize;
        self.aside[aside].end_tag = RawSpan::of(Span::new(start, end));
    }

    fn tags(&self, packed: Packed) -> Tags {
        match packed {
            Packed::UNKNOWN => Tags::UNKNOWN,
            Packed { start, other: ASIDE } => self.aside[start as usize],
            packed => packed.tags(),
        }
    }

    /// Stretches the place of a text to what was added to it.
    #[inline(always)]
    pub(super) fn extend(&mut self, text: usize, span: Span) {
        if let Some(packed) = self.packed.get_mut(text) {
            let (old, more) = (packed.get(), RawSpan::of(span));
            // An unknown range is the highest one.
            let end = if old.end == u32::MAX { more.end } else { old.end.max(more.end) };
            *packed = Packed { start: old.start.min(more.start), other: end };
        }
    }

    /// Replaces the place of a node that is no element.
    pub(super) fn set(&mut self, node: usize, span: Option<Span>) {
        if let Some(packed) = self.packed.get_mut(node) {
            *packed = span.map_or(Packed::UNKNOWN, Packed::of);
        }
    }

    /// The place of a node that is no element.
    pub(super) fn get(&self, node: usize) -> Option<Span> {
        self.packed.get(node)?.get().get()
    }

    /// The place of an element's start tag.
    pub(super) fn start_tag(&self, element: usize) -> Option<Span> {
        self.tags(*self.packed.get(element)?).start_tag.get()
    }

    /// The place of an element's end tag.
    pub(super) fn end_tag(&self, element: usize) -> Option<Span> {
        self.tags(*self.packed.get(element)?).end_tag.get()
    }

    /// Reserves capacity for `count` more nodes.
    pub(super) fn reserve(&mut self, count: usize) {
        make_room(&mut self.packed, count);
    }

    /// No places, with the capacity of these.
    pub(super) fn emptied(mut self) -> Self {
        self.packed.clear();
        Self { packed: self.packed, aside: Vec::new() }
    }

    pub(super) fn shrink(&mut self) {
        self.packed.shrink_to_fit();
        self.aside.shrink_to_fit();
    }

    pub(super) fn heap_size(&self) -> usize {
        self.packed.capacity() * size_of::<Packed>() + self.aside.capacity() * size_of::<Tags>()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Start tags and end tags, and how many of them have to be kept aside.
    fn check(cases: &[(Option<Span>, &[Span])], aside: usize) {
        let mut list = NodeSpanList::default();
        for &(start_tag, _) in cases {
            list.push_element(start_tag, &Growth::default());
        }
        // End tags come later, the inner ones first.
        for (index, (_, end_tags)) in cases.iter().enumerate().rev() {
            assert_eq!(list.end_tag(index), None);
            end_tags.iter().for_each(|&span| list.set_end_tag(index, span));
        }
        let packed = |span: Option<Span>| RawSpan::of_optional(span).get();
        for (index, &(start_tag, end_tags)) in cases.iter().enumerate() {
            assert_eq!(list.start_tag(index), packed(start_tag), "{index}");
            assert_eq!(list.end_tag(index), packed(end_tags.last().copied()), "{index}");
        }
        assert_eq!(list.aside.len(), aside);
        assert_eq!((list.start_tag(cases.len()), list.end_tag(cases.len())), (None, None));
    }

    #[test]
    fn what_was_put_in_comes_out() {
        let (last, span) = (RawSpan::LAST, Span::new);
        let fitting = [
            (Some(span(3, 7)), &[span(9, 12)][..]),
            (Some(span(5, 5)), &[span(5, 6)]),
            (Some(span(0, 1023)), &[span(1023 + 65_535, 1023 + 65_535 + 62)]),
            (Some(span(0, 1023)), &[]),
            (Some(span(last - 5, last)), &[span(last, last + 4)]),
            (Some(span(last + 1, last + 9)), &[]),
            (None, &[]),
        ];
        check(&fitting, 0);
        let others = [
            (Some(span(0, 1024)), &[span(1024, 1028)][..]),
            (Some(span(0, 1024)), &[]),
            (Some(span(0, 9)), &[span(9 + 65_536, 9 + 65_540)]),
            (Some(span(0, 9)), &[span(9, 9 + 63)]),
            (Some(span(0, 9)), &[span(12, 12)]),
            // The end tag is before the start tag, as where they come from elsewhere.
            (Some(span(90, 95)), &[span(10, 20)]),
            (Some(span(0, 9)), &[span(9, 12), span(15, 18), span(20, 23)]),
            (Some(span(last + 3, last + 5)), &[span(last + 7, last + 9)]),
            (Some(span(usize::MAX >> 1, usize::MAX >> 1)), &[]),
            (None, &[span(3, 7)]),
        ];
        check(&others[..7], 7);
        check(&others[8..], 2);
        let all = [&fitting[..], &others[..]].concat();
        check(&all, if usize::BITS > 32 { others.len() } else { 0 });
    }

    #[test]
    fn a_text_is_stretched() {
        let (mut list, span) = (NodeSpanList::default(), Span::new);
        list.push(None, &Growth::default());
        list.push(Some(span(5, 9)), &Growth::default());
        let cases = [(0, span(12, 15)), (0, span(20, 30)), (1, span(1, 3)), (1, span(7, 70_000))];
        cases.iter().for_each(|&(text, span)| list.extend(text, span));
        assert_eq!((list.get(0), list.get(1)), (Some(span(12, 30)), Some(span(1, 70_000))));
        list.set(1, None);
        assert_eq!((list.get(1), list.get(2)), (None, None));
    }
}
