//! Tags that are like tags before: of most elements, others of the same name had the same attributes, which need not be
//! named again. It names nothing itself. Invariant: what is remembered of a tag depends on its names alone, and on the
//! bindings of prefixes where it says so.

use crate::registers::Source;
use crate::span::Span;
use crate::token::Tag;
use crate::tree::{LocalName, Name, Names};

/// How many tags are remembered.
const PLACES: usize = 64;

/// More attributes than these are not remembered.
const MOST: usize = 32;

/// The length of the longest name that fits into two words.
const IN_WORDS: usize = 16;

/// The name of an attribute as it is written, ready to be looked for in a text.
#[derive(Clone, Copy, Debug)]
struct Written {
    whole: LocalName,
    length: usize,
    /// The name in two words if it is short, and what of them belongs to it.
    words: [u64; 2],
    masks: [u64; 2],
}

impl Written {
    fn of(whole: LocalName, names: &Names) -> Self {
        let name = names.local_str(whole).as_bytes();
        let (mut bytes, mut mask) = ([0; IN_WORDS], [0; IN_WORDS]);
        for ((byte, mask), &from) in bytes.iter_mut().zip(&mut mask).zip(name) {
            (*byte, *mask) = (from, 0xFF);
        }
        Self { whole, length: name.len(), words: words(&bytes), masks: words(&mask) }
    }

    /// Whether the part of a text from one offset to another is the name, if it is a short one. Two words are read, of
    /// which the name is a part, so that its length makes no difference; where the text ends before, it is taken for
    /// another one.
    #[inline(always)]
    fn stands_at(&self, text: &[u8], start: usize, end: usize) -> bool {
        let Some(there) = text.get(start..).and_then(|rest| rest.first_chunk()) else {
            return false;
        };
        let [first, second] = words(there);
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

/// A tag seen before.
#[derive(Clone, Debug, Default)]
struct Remembered {
    element: Option<LocalName>,
    /// The bindings with which its attributes are named so; none if the names hold with all of them.
    bindings: Option<u64>,
    written: Vec<Written>,
    /// Whether all names are short, so that they are compared as they are in the input.
    are_short: bool,
    /// What its attributes are called, of which none was left out.
    named: Vec<Name>,
}

/// Tags seen lately, by the name of the element and the number of the attributes.
#[derive(Clone, Debug, Default)]
pub(super) struct Repeated {
    places: Vec<Remembered>,
}

impl Repeated {
    /// The place of such a tag.
    #[inline]
    pub(super) fn place(tag: &Tag<'_>, element: LocalName) -> usize {
        (element.id() as usize).wrapping_add(tag.attribute_count() * 7) % PLACES
    }

    /// Whether the tag is like the one in the place, so that its attributes have the same names with these bindings.
    #[inline]
    pub(super) fn holds(
        &self,
        place: usize,
        tag: &Tag<'_>,
        element: LocalName,
        bindings: u64,
        names: &Names,
    ) -> bool {
        let Some(known) = self.places.get(place) else { return false };
        known.element == Some(element)
            && known.written.len() == tag.attribute_count()
            && known.bindings.is_none_or(|before| before == bindings)
            && known.is_written_like(tag, names)
    }

    /// The names of the attributes of the tag in the place.
    #[inline]
    pub(super) fn names(&self, place: usize) -> &[Name] {
        self.places.get(place).map_or(&[], |known| &known.named)
    }

    /// Remembers the tag, whose attributes are written and named so, if all of them have names.
    pub(super) fn remember(
        &mut self,
        place: usize,
        element: LocalName,
        written: &[LocalName],
        named: &[Option<Name>],
        bindings: Option<u64>,
        names: &Names,
    ) {
        if written.len() > MOST || named.contains(&None) {
            return;
        }
        if self.places.is_empty() {
            self.places.resize_with(PLACES, Remembered::default);
        }
        let known = &mut self.places[place];
        (known.element, known.bindings) = (Some(element), bindings);
        known.written.clear();
        known.written.extend(written.iter().map(|&whole| Written::of(whole, names)));
        known.are_short = known.written.iter().all(|written| written.length <= IN_WORDS);
        known.named.clear();
        known.named.extend(named.iter().flatten());
    }
}

impl Remembered {
    /// Whether the names of a tag's attributes, which are as many, are the same.
    #[inline(always)]
    fn is_written_like(&self, tag: &Tag<'_>, names: &Names) -> bool {
        match tag.literal_attributes() {
            Some((records, Source { text, base })) if self.are_short => {
                let at = |offset: usize| offset.wrapping_sub(base);
                records.iter().zip(&self.written).all(|(record, written)| {
                    let Span { start, end } = record.name;
                    written.stands_at(text.as_bytes(), at(start), at(end))
                })
            }
            _ => self.names_match_slow(tag, names),
        }
    }

    /// Compares names that are long, or no ranges of the input.
    #[cold]
    #[inline(never)]
    fn names_match_slow(&self, tag: &Tag<'_>, names: &Names) -> bool {
        self.written
            .iter()
            .zip(tag.written_attribute_names())
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
            let written = Written::of(names.local(name), &names);
            for other in 0..text.len() {
                for length in [end - start, end - start + 1] {
                    let is_there = text.get(other..other + length) == Some(name.as_bytes());
                    let is_found = written.stands_at(text, other, other + length);
                    assert!(
                        is_found == is_there || other + IN_WORDS > text.len(),
                        "{name} {other}"
                    );
                }
            }
            assert!(start == end || !written.stands_at(text, end, start));
        }
    }
}
