//! Cache of recent tags. Most tags have the attribute names of an earlier tag with the same name, so these names need
//! not be resolved again.

use crate::registers::SourceText;
use crate::span::Span;
use crate::token::Tag;
use crate::tree::{LocalName, Name, Names};

/// Number of cached tags.
const CAPACITY: usize = 64;

/// Maximum number of attributes of a cached tag.
const MAX_ATTRIBUTES: usize = 32;

/// Maximum length in bytes of a short name, which is compared as two words of 64 bits.
const SHORT_NAME_MAX: usize = 16;

/// The name of an attribute as written, prepared for comparison with the input.
#[derive(Clone, Copy, Debug)]
struct WrittenName {
    whole: LocalName,
    /// Length of the name in bytes.
    length: usize,
    /// The first bytes of the name as two words, padded with zeros.
    words: [u64; 2],
    /// Masks of the bytes in `words` that belong to the name.
    masks: [u64; 2],
}

impl WrittenName {
    fn of(whole: LocalName, names: &Names) -> Self {
        let name = names.local_str(whole).as_bytes();
        let (mut bytes, mut mask) = ([0; SHORT_NAME_MAX], [0; SHORT_NAME_MAX]);
        for ((byte, mask), &from) in bytes.iter_mut().zip(&mut mask).zip(name) {
            (*byte, *mask) = (from, 0xFF);
        }
        Self { whole, length: name.len(), words: to_words(&bytes), masks: to_words(&mask) }
    }

    /// Whether the text from `start` to `end` is the name, which must be short. Always reads two words from `start`,
    /// and returns false if the text ends before that.
    #[inline(always)]
    fn matches_at(&self, text: &[u8], start: usize, end: usize) -> bool {
        let Some(bytes) = text.get(start..).and_then(|bytes| bytes.first_chunk()) else {
            return false;
        };
        let [first, second] = to_words(bytes);
        let differs =
            (first ^ self.words[0]) & self.masks[0] | (second ^ self.words[1]) & self.masks[1];
        differs == 0 && end.wrapping_sub(start) == self.length
    }
}

#[inline(always)]
fn to_words(bytes: &[u8; SHORT_NAME_MAX]) -> [u64; 2] {
    let number = u128::from_le_bytes(*bytes);
    [number as u64, (number >> 64) as u64]
}

/// The element name and the attribute names of a cached tag.
#[derive(Clone, Debug, Default)]
struct CachedTag {
    element: Option<LocalName>,
    /// Version of the bindings for which the resolved names are valid; `None` if they are always valid.
    bindings_version: Option<u64>,
    written_names: Vec<WrittenName>,
    /// Whether all attribute names are short, so that they can be compared with the input as words.
    has_only_short_names: bool,
    /// The resolved names of the attributes; none was dropped.
    resolved_names: Vec<Name>,
}

/// The cache of recent tags, by the element's name and the number of attributes.
#[derive(Clone, Debug, Default)]
pub(super) struct TagCache {
    slots: Vec<CachedTag>,
}

impl TagCache {
    #[inline]
    pub(super) fn slot(tag: &Tag<'_>, element: LocalName) -> usize {
        (element.id() as usize).wrapping_add(tag.attribute_count() * 7) % CAPACITY
    }

    /// Whether the slot holds a tag with the same element and attribute names, whose resolution is valid for this
    /// version of the bindings.
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
            && cached.written_names.len() == tag.attribute_count()
            && cached.bindings_version.is_none_or(|version| version == bindings_version)
            && cached.names_match(tag, names)
    }

    /// Returns the resolved names of the attributes of the tag in the slot.
    #[inline]
    pub(super) fn names(&self, slot: usize) -> &[Name] {
        self.slots.get(slot).map_or(&[], |cached| &cached.resolved_names)
    }

    /// Stores a tag with its attribute names as written and as resolved, unless an attribute was dropped or there are
    /// too many.
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
        if self.slots.is_empty() {
            self.slots.resize_with(CAPACITY, CachedTag::default);
        }
        let cached = &mut self.slots[slot];
        (cached.element, cached.bindings_version) = (Some(element), bindings_version);
        let written_names = written_names.iter().map(|&whole| WrittenName::of(whole, names));
        cached.written_names.clear();
        cached.written_names.extend(written_names);
        cached.has_only_short_names =
            cached.written_names.iter().all(|written| written.length <= SHORT_NAME_MAX);
        cached.resolved_names.clear();
        cached.resolved_names.extend(resolved_names.iter().flatten());
    }
}

impl CachedTag {
    /// Whether the tag has the attribute names of the cached tag; both must have the same number of attributes.
    #[inline(always)]
    fn names_match(&self, tag: &Tag<'_>, names: &Names) -> bool {
        match tag.verbatim_attributes_with_source() {
            Some((records, SourceText { text, base })) if self.has_only_short_names => {
                let at = |offset: usize| offset.wrapping_sub(base);
                records.iter().zip(&self.written_names).all(|(record, written)| {
                    let Span { start, end } = record.name;
                    written.matches_at(text.as_bytes(), at(start), at(end))
                })
            }
            _ => self.names_match_slow(tag, names),
        }
    }

    /// Slow path of `names_match`, for names that are long or that are not ranges of the input.
    #[cold]
    #[inline(never)]
    fn names_match_slow(&self, tag: &Tag<'_>, names: &Names) -> bool {
        self.written_names
            .iter()
            .zip(tag.attribute_name_lookups())
            .all(|(written, name)| names.local_str(written.whole).as_bytes() == name.bytes)
    }
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
            for other in 0..text.len() {
                for length in [end - start, end - start + 1] {
                    let is_expected = text.get(other..other + length) == Some(name.as_bytes());
                    let is_match = written.matches_at(text, other, other + length);
                    assert!(
                        is_match == is_expected || other + SHORT_NAME_MAX > text.len(),
                        "wrong result for `{name}` at byte {other}"
                    );
                }
            }
            assert!(start == end || !written.matches_at(text, end, start));
        }
    }
}
