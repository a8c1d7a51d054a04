//! Cache of recent tags. Most tags have the attribute names of an earlier tag with the same name, so these names need
//! not be resolved again.

use crate::registers::SourceText;
use crate::span::Span;
use crate::token::Tag;
use crate::tree::{LocalName, Name, Names};
use std::ops::Range;

/// Maximum number of cached tags.
const CAPACITY: usize = 64;

/// Maximum number of attributes of a cached tag.
const MAX_ATTRIBUTES: usize = 32;

/// Maximum number of attribute names of all cached tags, including replaced ones.
const MAX_NAMES: usize = CAPACITY * MAX_ATTRIBUTES;

/// Maximum length in bytes of a short name, which is compared as two words of 64 bits.
const SHORT_NAME_MAX: usize = 16;

/// The name of an attribute as written, prepared for comparison with the input.
#[derive(Clone, Copy, Debug)]
struct WrittenName {
    local_name: LocalName,
    /// Length of the name in bytes.
    length: usize,
    /// The first bytes of the name as two words, padded with zeros.
    words: [u64; 2],
    /// Masks of the bytes in `words` that belong to the name.
    masks: [u64; 2],
}

impl WrittenName {
    fn of(local_name: LocalName, names: &Names) -> Self {
        let name = names.local_str(local_name).as_bytes();
        let (mut bytes, mut mask) = ([0; SHORT_NAME_MAX], [0; SHORT_NAME_MAX]);
        for ((byte, mask), &from) in bytes.iter_mut().zip(&mut mask).zip(name) {
            (*byte, *mask) = (from, 0xFF);
        }
        Self { local_name, length: name.len(), words: to_words(&bytes), masks: to_words(&mask) }
    }

    /// Whether the text from `start` to `end` is the name, which must be short. Always reads two words from `start`,
    /// and returns false if the text ends before that.
    #[inline(always)]
    fn matches_at(&self, text: &[u8], start: usize, end: usize) -> bool {
        let Some(bytes) = text.get(start..).and_then(|bytes| bytes.first_chunk()) else {
            return false;
        };
        let [first, second] = to_words(bytes);
        let difference =
            (first ^ self.words[0]) & self.masks[0] | (second ^ self.words[1]) & self.masks[1];
        difference == 0 && end.wrapping_sub(start) == self.length
    }
}

#[inline(always)]
fn to_words(bytes: &[u8; SHORT_NAME_MAX]) -> [u64; 2] {
    let number = u128::from_le_bytes(*bytes);
    [number as u64, (number >> 64) as u64]
}

/// A cached tag: its element name, and the range of its attribute names in the cache's lists.
#[derive(Clone, Copy, Debug, Default)]
struct CachedTag {
    element: Option<LocalName>,
    /// Version of the namespace bindings for which the resolved names are valid; `None` if they are always valid.
    bindings_version: Option<u64>,
    /// Whether all attribute names are short, so that they can be compared with the input as words.
    has_only_short_names: bool,
    /// Index of the first attribute name in the cache's lists.
    names_start: u32,
    attribute_count: u32,
}

impl CachedTag {
    fn names_range(&self) -> Range<usize> {
        self.names_start as usize..(self.names_start + self.attribute_count) as usize
    }
}

/// A cache of recent tags, indexed by element name and number of attributes.
#[derive(Clone, Debug, Default)]
pub(super) struct TagCache {
    slots: Vec<CachedTag>,
    /// The attribute names of all tags as written.
    written_names: Vec<WrittenName>,
    /// The resolved attribute names of all tags, parallel to `written_names`.
    resolved_names: Vec<Name>,
}

impl TagCache {
    #[inline]
    pub(super) fn slot(tag: &Tag<'_>, element: LocalName) -> usize {
        (element.id() as usize).wrapping_add(tag.attribute_count() * 7) % CAPACITY
    }

    /// Whether the slot holds a tag with the name `element` and the attribute names of `tag`, as resolved for
    /// `bindings_version`.
    #[inline]
    pub(super) fn matches(
        &self,
        slot: usize,
        tag: &Tag<'_>,
        element: LocalName,
        bindings_version: u64,
        names: &Names,
    ) -> bool {
        let Some(cached) = self.slots.get(slot) else { return false };
        cached.element == Some(element)
            && cached.attribute_count as usize == tag.attribute_count()
            && cached.bindings_version.is_none_or(|version| version == bindings_version)
            && names_match(
                &self.written_names[cached.names_range()],
                cached.has_only_short_names,
                tag,
                names,
            )
    }

    /// Returns the resolved names of the attributes of the tag in the slot.
    #[inline]
    pub(super) fn names(&self, slot: usize) -> &[Name] {
        self.slots.get(slot).map_or(&[], |cached| &self.resolved_names[cached.names_range()])
    }

    /// Stores a tag with its attribute names as written and as resolved, unless an attribute was dropped or there are
    /// more than [`MAX_ATTRIBUTES`].
    pub(super) fn insert(
        &mut self,
        slot: usize,
        element: LocalName,
        written_names: &[LocalName],
        resolved_names: &[Option<Name>],
        bindings_version: Option<u64>,
        names: &Names,
    ) {
        if written_names.len() > MAX_ATTRIBUTES || resolved_names.contains(&None) {
            return;
        }
        if self.written_names.len() + written_names.len() > MAX_NAMES {
            self.clear();
        }
        if self.slots.is_empty() {
            self.slots.resize(CAPACITY, CachedTag::default());
        }
        let start = self.written_names.len();
        self.written_names.extend(written_names.iter().map(|&name| WrittenName::of(name, names)));
        self.resolved_names.extend(resolved_names.iter().flatten());
        let is_short = |written: &WrittenName| written.length <= SHORT_NAME_MAX;
        self.slots[slot] = CachedTag {
            element: Some(element),
            bindings_version,
            has_only_short_names: self.written_names[start..].iter().all(is_short),
            names_start: start as u32,
            attribute_count: written_names.len() as u32,
        };
    }

    /// Removes all tags, and keeps the capacity of the lists.
    pub(super) fn clear(&mut self) {
        self.slots.clear();
        self.written_names.clear();
        self.resolved_names.clear();
    }
}

/// Whether the names of the tag's attributes are `written`, in order. The tag must have `written.len()` attributes.
#[inline(always)]
fn names_match(written: &[WrittenName], are_short: bool, tag: &Tag<'_>, names: &Names) -> bool {
    match tag.verbatim_attributes_with_source() {
        Some((records, SourceText { text, base })) if are_short => {
            let to_chunk_offset = |offset: usize| offset.wrapping_sub(base);
            records.iter().zip(written).all(|(record, written)| {
                let Span { start, end } = record.name;
                written.matches_at(text.as_bytes(), to_chunk_offset(start), to_chunk_offset(end))
            })
        }
        _ => names_match_slow(written, tag, names),
    }
}

/// Slow path of `names_match`, for names that are long or that are not ranges of the input.
#[cold]
#[inline(never)]
fn names_match_slow(written: &[WrittenName], tag: &Tag<'_>, names: &Names) -> bool {
    written
        .iter()
        .zip(tag.attribute_name_lookups())
        .all(|(written, name)| names.local_str(written.local_name).as_bytes() == name.bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn written_name_matches_exactly_where_the_text_has_it() {
        let mut names = Names::default();
        let text = b"one:two three=x \xC3\xA4\xC3\xB6four_five_six_seven and what follows it";
        for (start, end) in [(0, 7), (0, 3), (8, 13), (16, 20), (20, 36), (7, 7)] {
            let name = std::str::from_utf8(&text[start..end]).unwrap();
            let written = WrittenName::of(names.local(name), &names);
            for offset in 0..text.len() {
                for length in [end - start, end - start + 1] {
                    let is_expected = text.get(offset..offset + length) == Some(name.as_bytes());
                    let is_match = written.matches_at(text, offset, offset + length);
                    assert!(
                        is_match == is_expected || offset + SHORT_NAME_MAX > text.len(),
                        "wrong result for `{name}` at byte {offset}"
                    );
                }
            }
            assert!(start == end || !written.matches_at(text, end, start));
        }
    }
}
