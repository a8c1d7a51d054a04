//! The current tag and its attributes. The name and value of an attribute are ranges of the chunk for as long as they
//! equal those ranges; copies are stored separately.

use super::{SourceText, TextRegister, UNSET};
use crate::edits::collapse_spaces;
use crate::limits::Limits;
use crate::names::NameLookup;
use crate::registers::original;
use crate::span::Span;
use std::collections::HashSet;

#[derive(Clone, Copy, Debug)]
pub(crate) struct TagAttribute {
    /// The input range of the name.
    pub(crate) name: Span,
    /// The input range of the value; if none was written, the empty range after the name.
    pub(crate) value: Span,
    /// The index of the copies in the tag's `copies`, or [`UNSET`] if both name and value equal their ranges.
    copies_index: usize,
}

/// The ranges of an attribute's texts in the tag's `copied`; the start is [`UNSET`] for a text that equals its input
/// range.
#[derive(Clone, Copy, Debug)]
struct CopyRanges {
    name: Span,
    value: Span,
}

impl TagAttribute {
    /// Returns the index of the copies, or `None` if name and value equal their input ranges.
    #[inline]
    pub(crate) fn copies_index(&self) -> Option<usize> {
        (self.copies_index != UNSET).then_some(self.copies_index)
    }

    /// Sets the index of the copies, in a list that the caller keeps.
    pub(crate) fn set_copies_index(&mut self, index: usize) {
        self.copies_index = index;
    }

    /// Whether name and value equal their input ranges.
    #[inline]
    pub(crate) const fn is_verbatim(&self) -> bool {
        self.copies_index == UNSET
    }
}

const NO_COPY: Span = Span::new(UNSET, UNSET);

/// The minimum number of attributes for which capacity is added at a time.
const ADDED_CAPACITY: usize = 8;

/// The number of attributes at which duplicates begin to be found with a hash set rather than by comparison.
const NAME_SET_MIN: usize = 24;

/// Bytes charged for an attribute name in the hash set, beyond the `Box` that points to it.
const NAME_SET_OVERHEAD: usize = 16;

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum CurrentAttribute {
    /// There is no current attribute.
    #[default]
    Nothing,
    Started,
    /// The attribute is a duplicate, which is dropped.
    Duplicate,
}

/// The current tag token and its current attribute.
#[derive(Clone, Debug, Default)]
pub struct TagRegister {
    /// The tag name.
    pub name: TextRegister,
    /// Whether this is an end tag.
    pub is_end: bool,
    /// The self-closing flag.
    pub self_closing: bool,
    /// The name of the current attribute.
    pub attribute_name: TextRegister,
    /// The value of the current attribute.
    pub attribute_value: TextRegister,
    /// The finished attributes, followed by stale records that are reused.
    records: Vec<TagAttribute>,
    /// The number of finished attributes.
    count: usize,
    pub(crate) had_duplicates: bool,
    current: CurrentAttribute,
    /// The empty range at the start of the current attribute, for tables in which an attribute's name may have no
    /// range.
    attribute_start: Span,
    /// A Bloom filter of the attribute names, including the current one, with one bit per name; 0 until computed.
    name_bits: u64,
    /// Whether `copied`, `copies` or `names` may have contents.
    has_copies_or_set: bool,
    /// The concatenated names and values that do not equal their input ranges, or whose chunk has been dropped.
    copied: String,
    copies: Vec<CopyRanges>,
    /// The number of attributes that have been detached from the chunk.
    detached_count: usize,
    /// The attribute names, filled once the tag has [`NAME_SET_MIN`] attributes.
    names: HashSet<Box<[u8]>>,
    /// The maximum number of attributes, beyond which attributes are dropped; `None` for the default.
    limit: Option<usize>,
    /// The offset of the first attribute dropped because of the limit, and the number of dropped ones; `None` if none
    /// was dropped.
    pub(crate) dropped: Option<(usize, u64)>,
    /// The input offset of the last reference, if any, for which text was inserted; a tag that begins at this offset
    /// begins in that text.
    pub(crate) last_reference_start: Option<usize>,
    /// The input offset of the reference before the last one, if the token that was open at the last one begins there.
    pub(crate) earlier_reference_start: Option<usize>,
}

impl TagRegister {
    /// Creates a new tag token, without a name and attributes; an end tag if `is_end`, else a start tag.
    #[inline(always)]
    pub fn create(&mut self, is_end: bool) {
        if self.has_copies_or_set {
            self.clear_copies_and_names();
        }
        self.name.clear();
        self.is_end = is_end;
        self.self_closing = false;
        self.had_duplicates = false;
        self.current = CurrentAttribute::Nothing;
        self.count = 0;
        self.name_bits = 0;
    }

    /// Clears the tag and the record of attributes dropped because of the limit.
    pub(crate) fn reset(&mut self) {
        self.create(false);
        self.attribute_name.clear();
        self.attribute_value.clear();
        self.dropped = None;
        (self.last_reference_start, self.earlier_reference_start) = (None, None);
    }

    /// Clears the fields that only tags with copied texts or many attributes fill.
    #[cold]
    #[inline(never)]
    fn clear_copies_and_names(&mut self) {
        self.has_copies_or_set = false;
        self.detached_count = 0;
        self.copied.clear();
        self.copies.clear();
        if !self.names.is_empty() {
            self.names = HashSet::new();
        }
    }

    /// Finishes the previous attribute and starts a new one.
    #[inline(always)]
    pub fn start_attribute(&mut self) {
        if self.current == CurrentAttribute::Started {
            self.push_attribute();
        }
        self.current = CurrentAttribute::Started;
        self.attribute_name.clear();
        self.attribute_value.clear();
    }

    /// Records the start of the current attribute.
    #[inline]
    pub fn mark_attribute(&mut self, base: usize, offset: usize) {
        self.attribute_start = Span::new(base + offset, base + offset);
    }

    /// Drops the current attribute if an earlier one has the same name; returns whether it was dropped.
    #[inline(always)]
    pub fn drop_duplicate_attribute(&mut self, source: SourceText<'_>) -> bool {
        // Fast paths: most tags have one attribute, or two whose names differ in length.
        let earlier = match (self.count, self.name_bits) {
            (0, _) => return false,
            (1, 0) if self.first_has_other_length() => return false,
            (_, 0) => self.earlier_name_bits(source.text, source.base),
            (_, earlier) => earlier,
        };
        let bit = self.name_bit(source);
        self.name_bits = earlier | bit;
        earlier & bit != 0 && self.mark_if_duplicate(source.text, source.base)
    }

    /// Whether the first attribute's name certainly differs in length from the current attribute's name.
    #[inline(always)]
    fn first_has_other_length(&self) -> bool {
        let name = self.attribute_name.span;
        self.records.first().is_some_and(|first| {
            // If the name is unset, copied or inserted, its end is larger than any input offset.
            first.is_verbatim() && name.end <= usize::MAX / 2 && first.name.len() != name.len()
        })
    }

    /// Returns the filter bits of the finished attributes' names, or all bits once there are enough names for the hash
    /// set.
    #[inline(never)]
    fn earlier_name_bits(&self, text: &str, base: usize) -> u64 {
        if self.count >= NAME_SET_MIN {
            return u64::MAX;
        }
        let source = SourceText { text, base };
        let names = self.attributes().iter().map(|record| self.name_bytes_of(record, source));
        names.fold(0, |bits, name| bits | name_bit(name))
    }

    /// Returns the filter bit of the current attribute's name.
    #[inline(always)]
    fn name_bit(&self, source: SourceText<'_>) -> u64 {
        let Span { start, end } = self.attribute_name.span;
        let [start, end] = [start, end].map(|offset| offset.wrapping_sub(source.base));
        // The range of an unset or copied name is out of bounds, so the name takes the slow path.
        match source.text.as_bytes().get(start..end) {
            Some(name) => name_bit(name),
            None => self.name_bit_slow(source.text, source.base),
        }
    }

    /// Slow path of [`name_bit`](Self::name_bit), for a name that is not a range of the chunk.
    #[cold]
    #[inline(never)]
    fn name_bit_slow(&self, text: &str, base: usize) -> u64 {
        name_bit(self.attribute_name.text(SourceText { text, base }).as_bytes())
    }

    /// Compares the current attribute's name with those of the finished attributes; marks the current attribute as a
    /// duplicate and returns `true` if one is equal.
    #[cold]
    #[inline(never)]
    fn mark_if_duplicate(&mut self, text: &str, base: usize) -> bool {
        let source = SourceText { text, base };
        self.collect_names(source);
        let is_duplicate = self.has_attribute(self.attribute_name.text(source), source);
        if is_duplicate {
            self.current = CurrentAttribute::Duplicate;
            self.had_duplicates = true;
        }
        is_duplicate
    }

    /// Adds the names of the finished attributes to the hash set, if there are enough of them.
    fn collect_names(&mut self, source: SourceText<'_>) {
        if self.count < NAME_SET_MIN {
            return;
        }
        self.has_copies_or_set = true;
        for index in self.names.len()..self.count {
            let name = self.name_bytes_of(&self.records[index], source).into();
            self.names.insert(name);
        }
    }

    /// Whether a finished attribute has this name; the names must have been collected.
    fn has_attribute(&self, name: &str, source: SourceText<'_>) -> bool {
        let name = name.as_bytes();
        if self.count < NAME_SET_MIN {
            self.attributes().iter().any(|record| self.name_bytes_of(record, source) == name)
        } else {
            self.names.contains(name)
        }
    }

    #[inline]
    pub(crate) fn attributes(&self) -> &[TagAttribute] {
        self.records.get(..self.count).unwrap_or_default()
    }

    /// Whether the names and values of all finished attributes are known to equal their ranges of the chunk; `false`
    /// also for a tag whose names are in the hash set.
    #[inline]
    pub(crate) fn is_verbatim(&self) -> bool {
        !self.has_copies_or_set
    }

    /// Adds the current attribute, if there is one, to the tag.
    #[inline(always)]
    pub(crate) fn finish_attribute(&mut self) {
        if self.current == CurrentAttribute::Started {
            self.push_attribute();
        }
        self.current = CurrentAttribute::Nothing;
    }

    #[inline(always)]
    fn push_attribute(&mut self) {
        let (name, value) = (self.attribute_name.span, self.attribute_value.span);
        // One comparison checks both texts, because the end of an unset or copied text is larger than any input offset.
        match self.records.get_mut(self.count) {
            Some(record) if (name.end | value.end) <= usize::MAX / 2 => {
                *record = TagAttribute { name, value, copies_index: UNSET };
                self.count += 1;
            }
            _ => self.push_attribute_slow(),
        }
    }

    /// Slow path of [`push_attribute`](Self::push_attribute), for a missing or copied text, or if no stale record is
    /// left to reuse.
    #[cold]
    #[inline(never)]
    fn push_attribute_slow(&mut self) {
        let name = self.attribute_name.span_if_set().unwrap_or(self.attribute_start);
        if self.count >= self.attribute_limit() {
            return self.count_dropped(name.start);
        }
        let is_copied = self.attribute_name.is_copied() | self.attribute_value.is_copied();
        let copies_index =
            if is_copied | self.is_nameless_inserted() { self.copy_texts() } else { UNSET };
        let value = self.attribute_value.span_or(name.end);
        let record = TagAttribute { name, value, copies_index };
        match self.records.get_mut(self.count) {
            Some(slot) => *slot = record,
            None => {
                self.records.reserve(ADDED_CAPACITY);
                self.records.push(record);
            }
        }
        self.count += 1;
    }

    /// Counts an attribute dropped because of the limit.
    fn count_dropped(&mut self, start: usize) {
        self.dropped.get_or_insert((start, 0)).1 += 1;
    }

    /// Sets the maximum number of attributes kept of one tag.
    pub(crate) fn set_attribute_limit(&mut self, limit: usize) {
        self.limit = Some(limit);
        self.records.truncate(limit);
    }

    /// Returns the maximum number of attributes kept of one tag.
    pub(crate) fn attribute_limit(&self) -> usize {
        self.limit.unwrap_or(const { Limits::new().attributes })
    }

    pub(crate) fn memory_usage(&self) -> usize {
        let texts = self.name.memory_usage()
            + self.attribute_name.memory_usage()
            + self.attribute_value.memory_usage();
        texts
            + self.copied.capacity()
            + self.records.capacity() * size_of::<TagAttribute>()
            + self.copies.capacity() * size_of::<CopyRanges>()
            + self.names.capacity() * (size_of::<Box<[u8]>>() + NAME_SET_OVERHEAD)
    }

    /// Whether the current attribute has no name and was started in inserted text: its start is then the range of a
    /// reference, which is not empty.
    fn is_nameless_inserted(&self) -> bool {
        self.attribute_name.span_if_set().is_none() && !self.attribute_start.is_empty()
    }

    /// Copies the current attribute's texts that do not equal their ranges, and returns the index of the copies.
    fn copy_texts(&mut self) -> usize {
        let empty_name = self.is_nameless_inserted().then_some("");
        let mut copy =
            |text: Option<&str>| text.map_or(NO_COPY, |text| append_copy(&mut self.copied, text));
        let name = copy(self.attribute_name.copied_text().or(empty_name));
        let value = copy(self.attribute_value.copied_text());
        self.push_copies(CopyRanges { name, value })
    }

    fn push_copies(&mut self, copies: CopyRanges) -> usize {
        self.has_copies_or_set = true;
        self.copies.push(copies);
        self.copies.len() - 1
    }

    /// Returns the bytes of an attribute's name, without the checks for character boundaries that a `str` needs.
    #[inline(always)]
    pub(crate) fn name_bytes_of<'a>(
        &'a self,
        record: &TagAttribute,
        source: SourceText<'a>,
    ) -> &'a [u8] {
        if record.copies_index == UNSET {
            source.bytes(record.name)
        } else {
            self.copied_texts(record, source).0.as_bytes()
        }
    }

    #[inline(always)]
    pub(crate) fn name_lookup_of<'a>(
        &'a self,
        record: &TagAttribute,
        source: SourceText<'a>,
    ) -> NameLookup<'a> {
        if record.copies_index == UNSET {
            source.name_lookup(record.name)
        } else {
            NameLookup::of(self.copied_texts(record, source).0.as_bytes())
        }
    }

    #[inline(always)]
    pub(crate) fn value_of<'a>(&'a self, record: &TagAttribute, source: SourceText<'a>) -> &'a str {
        if record.copies_index == UNSET {
            source.slice(record.value)
        } else {
            self.copied_texts(record, source).1
        }
    }

    /// Returns the name and value of an attribute.
    #[inline(always)]
    pub(crate) fn texts_of<'a>(
        &'a self,
        record: &TagAttribute,
        source: SourceText<'a>,
    ) -> (&'a str, &'a str) {
        if record.copies_index == UNSET {
            (source.slice(record.name), source.slice(record.value))
        } else {
            self.copied_texts(record, source)
        }
    }

    /// Returns the name and value of an attribute, at least one of which is copied.
    #[cold]
    #[inline(never)]
    fn copied_texts<'a>(
        &'a self,
        record: &TagAttribute,
        source: SourceText<'a>,
    ) -> (&'a str, &'a str) {
        let copies = self.copies[record.copies_index];
        let text = |copy: Span, span: Span| {
            if copy.start == UNSET {
                source.slice(span)
            } else {
                &self.copied[copy.start..copy.end]
            }
        };
        (text(copies.name, record.name), text(copies.value, record.value))
    }

    /// Copies the names and values of new attributes out of the source.
    fn copy_attributes(&mut self, source: SourceText<'_>) {
        for index in self.detached_count..self.count {
            let record = &self.records[index];
            let copies = self.copies.get(record.copies_index).copied();
            let copies = copies.unwrap_or(CopyRanges { name: NO_COPY, value: NO_COPY });
            let mut detach = |copy: Span, span: Span| {
                if copy.start == UNSET {
                    append_copy(&mut self.copied, source.slice(span))
                } else {
                    copy
                }
            };
            let (name, value) =
                (detach(copies.name, record.name), detach(copies.value, record.value));
            self.records[index].copies_index = self.push_copies(CopyRanges { name, value });
        }
        self.detached_count = self.count;
    }

    /// Adds an attribute that does not occur in the input, unless the finished tag already has an attribute of that
    /// name or as many attributes as the limit allows.
    pub(crate) fn add_attribute(
        &mut self,
        source: SourceText<'_>,
        (name, value): (&str, &str),
        span: Span,
    ) {
        self.collect_names(source);
        if self.has_attribute(name, source) {
            return;
        }
        if self.count >= self.attribute_limit() {
            return self.count_dropped(span.start);
        }
        let (name, value) =
            (append_copy(&mut self.copied, name), append_copy(&mut self.copied, value));
        let copies_index = self.push_copies(CopyRanges { name, value });
        self.records.truncate(self.count);
        self.records.push(TagAttribute { name: span, value: span, copies_index });
        self.count += 1;
    }

    /// Removes leading and trailing spaces (U+0020) from the values of the finished attributes whose names satisfy
    /// `is_collapsed`, and replaces each other run of spaces with a single space.
    pub(crate) fn collapse_values(
        &mut self,
        source: SourceText<'_>,
        is_collapsed: impl Fn(&str) -> bool,
    ) {
        for index in 0..self.count {
            let record = self.records[index];
            let (name, value) = self.texts_of(&record, source);
            if !is_collapsed(name) {
                continue;
            }
            let collapsed = collapse_spaces(value).into_owned();
            if collapsed != value {
                let name = record
                    .copies_index()
                    .map_or(NO_COPY, |copies_index| self.copies[copies_index].name);
                let value = append_copy(&mut self.copied, &collapsed);
                self.records[index].copies_index = self.push_copies(CopyRanges { name, value });
            }
        }
    }

    /// Copies all texts out of the source and maps their ranges to the input.
    pub(crate) fn settle(&mut self, source: SourceText<'_>, origin: Span) {
        let from = self.detached_count;
        self.copy_attributes(source);
        for record in &mut self.records[from..self.count] {
            let is_missing = record.value == Span::new(record.name.end, record.name.end);
            record.name = original(record.name, origin);
            record.value = match is_missing {
                true => Span::new(record.name.end, record.name.end),
                false => original(record.value, origin),
            };
        }
        self.attribute_start = original(self.attribute_start, origin);
        for text in [&mut self.name, &mut self.attribute_name, &mut self.attribute_value] {
            text.settle(source, origin);
        }
    }

    #[inline]
    pub(crate) fn has_attributes(&self) -> bool {
        self.count > 0
    }
}

/// Returns the Bloom filter bit for a name, mixed from its first byte, its last byte and its length.
#[inline(always)]
pub(crate) const fn name_bit(name: &[u8]) -> u64 {
    let (Some(&first), Some(&last)) = (name.first(), name.last()) else {
        return 1;
    };
    let hash = first as usize + last as usize * 2 + (name.len() % 64) * 11;
    1 << (hash % 64)
}

/// Appends a text to `copied` and returns its range there.
fn append_copy(copied: &mut String, text: &str) -> Span {
    let start = copied.len();
    copied.push_str(text);
    Span::new(start, copied.len())
}

#[cfg(test)]
mod tests {
    use super::*;

    const BASE: usize = 1_000;

    /// Starts an attribute with a name that occurs in the text, copying from the first capital letter on as a machine
    /// does. Returns whether the attribute was dropped as a duplicate.
    fn add(tag: &mut TagRegister, text: &str, name: &str) -> bool {
        let source = SourceText { text, base: BASE };
        let from = text.find(name).expect("`name` occurs in `text`");
        tag.start_attribute();
        let first_upper = name.find(|character: char| character.is_ascii_uppercase());
        let copy_start = from + first_upper.unwrap_or(name.len());
        tag.attribute_name.begin_run(BASE, from, copy_start);
        if first_upper.is_some() {
            tag.attribute_name.append_lower_case(source, copy_start, from + name.len());
        }
        tag.drop_duplicate_attribute(source)
    }

    #[test]
    fn finds_duplicates_in_copied_and_borrowed_names() {
        // The filter bit of this name is that of `name`, because lengths count modulo 64.
        let long_name = format!("n{}e", "q".repeat(66));
        let text = format!("name nome NAME Else else {long_name}");
        let source = SourceText { text: &text, base: BASE };
        let mut tag = TagRegister::default();
        for _ in 0..2 {
            tag.create(false);
            let names = ["name", "nome", "NAME", "Else", "else", &long_name];
            let were_dropped = names.map(|name| add(&mut tag, &text, name));
            assert_eq!(were_dropped, [false, false, true, false, true, false]);
            tag.finish_attribute();
            let names = tag.attributes().iter().map(|record| tag.name_bytes_of(record, source));
            assert!(names.eq(["name", "nome", "else", &long_name].map(str::as_bytes)));
            let starts = tag.attributes().iter().map(|record| record.name.start - BASE);
            assert!(
                starts.eq([0, 5, 15, 25]),
                "the names do not start at their offsets in the input"
            );
            assert!(tag.had_duplicates);
        }
    }

    /// Compares each pair of substrings as attribute names, with the second one as a range and as a copy.
    #[test]
    fn only_equal_names_are_duplicates() {
        let source = SourceText { text: "abba cabc b", base: BASE };
        let ranges = || (0..=11).flat_map(|from| (from..=11).map(move |to| (from, to)));
        for (first, second) in ranges().flat_map(|part| ranges().map(move |other| (part, other))) {
            let [one, other] = [first, second].map(|(from, to)| &source.text[from..to]);
            for is_copied in [false, true] {
                let mut tag = TagRegister::default();
                tag.create(false);
                tag.start_attribute();
                tag.attribute_name.begin_run(BASE, first.0, first.1);
                assert!(!tag.drop_duplicate_attribute(source));
                tag.start_attribute();
                match is_copied {
                    true => tag.attribute_name.append_text(source, other, second.0, second.1),
                    false => tag.attribute_name.begin_run(BASE, second.0, second.1),
                }
                assert_eq!(tag.drop_duplicate_attribute(source), one == other, "{one} {other}");
            }
        }
    }

    #[test]
    fn finds_duplicates_after_uncompared_attributes() {
        let source = SourceText { text: "a b", base: BASE };
        let mut tag = TagRegister::default();
        for _ in 0..2 {
            tag.create(false);
            assert!(!add(&mut tag, source.text, "a"));
            tag.start_attribute();
            tag.attribute_name.begin_run(BASE, 2, 3);
            assert!(add(&mut tag, source.text, "a") && add(&mut tag, source.text, "b"));
        }
    }
}
