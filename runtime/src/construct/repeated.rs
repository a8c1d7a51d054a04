//! Tags that are like tags before: of most elements, others of the same name had the same attributes, which need not be
//! named again. It names nothing itself. Invariant: what is remembered of a tag depends on its names alone, and on the
//! bindings of prefixes where it says so.

use crate::token::Tag;
use crate::tree::{self, Ends, LocalName, Name, Names};

/// So many tags are remembered.
const PLACES: usize = 64;

/// More attributes than these are not remembered.
const MOST: usize = 32;

/// The name of an attribute.
#[derive(Clone, Copy, Debug)]
struct Written {
    /// How it is written.
    ends: Ends,
    whole: LocalName,
}

/// A tag seen before.
#[derive(Clone, Debug, Default)]
struct Remembered {
    element: Option<LocalName>,
    /// The bindings with which its attributes are named so; none if the names hold with all of them.
    bindings: Option<u64>,
    written: Vec<Written>,
    named: Vec<Option<Name>>,
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
            && known.written.iter().zip(tag.written_attribute_names()).all(|(written, name)| {
                written.ends == name.ends
                    && (name.ends.are_all() || is_whole(written.whole, name, names))
            })
    }

    /// The names of the attributes of the tag in the place.
    #[inline]
    pub(super) fn names(&self, place: usize) -> &[Option<Name>] {
        self.places.get(place).map_or(&[], |known| &known.named)
    }

    /// Remembers the tag, whose attributes are written and named so.
    pub(super) fn remember(
        &mut self,
        place: usize,
        element: LocalName,
        written: &[LocalName],
        named: &[Option<Name>],
        bindings: Option<u64>,
        names: &Names,
    ) {
        if written.len() > MOST {
            return;
        }
        if self.places.is_empty() {
            self.places.resize_with(PLACES, Remembered::default);
        }
        let known = &mut self.places[place];
        (known.element, known.bindings) = (Some(element), bindings);
        known.written.clear();
        known.written.extend(written.iter().map(|&whole| {
            let ends = Ends::of(names.local_str(whole).as_bytes());
            Written { ends, whole }
        }));
        known.named.clear();
        known.named.extend_from_slice(named);
    }
}

/// Whether the name, a long one, is written so.
#[cold]
#[inline(never)]
fn is_whole(whole: LocalName, name: tree::Written<'_>, names: &Names) -> bool {
    names.local_str(whole).as_bytes() == name.bytes
}
