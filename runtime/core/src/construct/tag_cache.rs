//! Cache of recent tags. Most tags repeat the attribute names of an earlier tag with their name, so that these are not
//! resolved again.

use crate::registers::SourceText;
use crate::span::Span;
use crate::token::Tag;
use crate::tree::{LocalName, Name, Names};

/// Number of cached tags.
const CAPACITY: usize = 64;

/// Maximum number of attributes of a cached tag.
const MAX_ATTRIBUTES: usize = 32;

/// Maximum length in bytes of a name that is compared as two words.
const IN_WORDS: usize = 16;

/// The name of an attribute as written, prepared for comparison with the input.
#[derive(Clone, Copy, Debug)]
struct WrittenName {
    whole: LocalName,
    length: usize,
    /// The first bytes of the name as two words, and masks for those that belong to it.
    words: [u64; 2],
    masks: [u64; 2],
}

impl WrittenName {
    fn of(whole: LocalName, names: &Names) -> Self {
        let name = names.local_str(whole).as_bytes();
        let (mut bytes, mut mask) = ([0; IN_WORDS], [0; IN_WORDS]);
        for ((byte, mask), &from) in bytes.iter_mut().zip(&mut mask).zip(name) {
            (*byte, *mask) = (from, 0xFF);
        }
        Self { whole, length: name.len(), words: words(&bytes), masks: words(&mask) }
    }

    /// Whether the text from `start` to `end` is the name, which must be short. Two words are read whatever the length,
    /// of which the name is a prefix; false if the text ends before they do.
    #[inline(always)]
    fn matches_at(&self, text: &[u8], start: usize, end: usize) -> bool {
        let Some(bytes) = text.get(start..).and_then(|rest| rest.first_chunk()) else {
            return false;
        };
        let [first, second] = words(bytes);
        let differs =
            (first ^ self.words[0]) & self.masks[0] | (second ^ self.words[1]) & self.masks[1];
        differs == 0 && end.wrapping_sub(start) == self.length
    }
}

#[inline(always)]
fn words(bytes: &[u8; IN_WORDS]) -> [u64; 2] {
    let number = u128::from_le_bytes(*bytes);
    [number as u64, (number >> 64) as u64]
}

#[derive(Clone, Debug, Default)]
struct CachedTag {
    element: Option<LocalName>,
    /// Version of the bindings for which the names are valid; `None` if they are always valid.
    bindings: Option<u64>,
    written: Vec<WrittenName>,
    /// Whether all names are short, so that they can be compared with the input.
    all_short: bool,
    /// The resolved names of the attributes, none of which was dropped.
    named: Vec<Name>,
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

    /// Whether the slot holds a tag with the same attribute names, which resolve to the same names with these bindings.
    #[inline]
    pub(super) fn matches(
        &self,
        slot: usize,
        tag: &Tag<'_>,
        element: LocalName,
        bindings: u64,
        names: &Names,
    ) -> bool {
        let Some(cached) = self.slots.get(slot) else { return false };
        cached.element == Some(element)
            && cached.written.len() == tag.attribute_count()
            && cached.bindings.is_none_or(|before| before == bindings)
            && cached.names_match(tag, names)
    }

    /// Returns the resolved names of the attributes of the tag in the slot.
    #[inline]
    pub(super) fn names(&self, slot: usize) -> &[Name] {
        self.slots.get(slot).map_or(&[], |cached| &cached.named)
    }

    /// Stores the tag with its attribute names as written and as resolved, unless one was dropped or there are too
    /// many.
    pub(super) fn insert(
        &mut self,
        slot: usize,
        element: LocalName,
        written: &[LocalName],
        named: &[Option<Name>],
        bindings: Option<u64>,
        names: &Names,
    ) {
        if written.len() > MAX_ATTRIBUTES || named.contains(&None) {
            return;
        }
        if self.slots.is_empty() {
            self.slots.resize_with(CAPACITY, CachedTag::default);
        }
        let cached = &mut self.slots[slot];
        (cached.element, cached.bindings) = (Some(element), bindings);
        cached.written.clear();
        cached.written.extend(written.iter().map(|&whole| WrittenName::of(whole, names)));
        cached.all_short = cached.written.iter().all(|written| written.length <= IN_WORDS);
        cached.named.clear();
        cached.named.extend(named.iter().flatten());
    }
}

impl CachedTag {
    /// Whether the names of the tag's attributes are those of the cached tag, which has as many.
    #[inline(always)]
    fn names_match(&self, tag: &Tag<'_>, names: &Names) -> bool {
        match tag.verbatim_attributes_with_source() {
            Some((records, SourceText { text, base })) if self.all_short => {
                let at = |offset: usize| offset.wrapping_sub(base);
                records.iter().zip(&self.written).all(|(record, written)| {
                    let Span { start, end } = record.name;
                    written.matches_at(text.as_bytes(), at(start), at(end))
                })
            }
            _ => self.names_match_slow(tag, names),
        }
    }

    /// Compares names that are long or that are not ranges of the input.
    #[cold]
    #[inline(never)]
    fn names_match_slow(&self, tag: &Tag<'_>, names: &Names) -> bool {
        self.written
            .iter()
            .zip(tag.attribute_name_lookups())
            .all(|(written, name)| names.local_str(written.whole).as_bytes() == name.bytes)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_is_found_where_it_stands() {
        let mut names = Names::default();
        let text = b"one:two three=x \xC3\xA4\xC3\xB6four_five_six_seven and what follows it";
        for (start, end) in [(0, 7), (0, 3), (8, 13), (16, 20), (20, 36), (7, 7)] {
            let name = std::str::from_utf8(&text[start..end]).unwrap();
            let written = WrittenName::of(names.local(name), &names);
            for other in 0..text.len() {
                for length in [end - start, end - start + 1] {
                    let is_there = text.get(other..other + length) == Some(name.as_bytes());
                    let is_found = written.matches_at(text, other, other + length);
                    assert!(
                        is_found == is_there || other + IN_WORDS > text.len(),
                        "{name} {other}"
                    );
                }
            }
            assert!(start == end || !written.matches_at(text, end, start));
        }
    }
}
