//! Sets of element names, as generated code represents them.

use crate::tree::{LocalName, Name, Namespace};

/// A set of element names, given by the ids of known names.
#[derive(Clone, Copy, Debug)]
pub struct ElementSet {
    /// The ids of names in the table's own namespace, sorted.
    pub own: &'static [u32],
    /// The ids in `own` as a bit set: bit `id % 64` of word `id / 64`.
    pub bits: &'static [u64],
    /// Names in other namespaces, each given by its namespace and the id of its local name.
    pub foreign: &'static [(Namespace, u32)],
}

impl ElementSet {
    /// The empty set.
    pub const EMPTY: Self = Self { own: &[], bits: &[], foreign: &[] };

    /// Whether the set contains this name of the table's own namespace.
    #[inline]
    pub(super) fn has_own(&self, local: LocalName) -> bool {
        let id = local.id() as usize;
        self.bits.get(id / 64).is_some_and(|bits| bits >> (id % 64) & 1 == 1)
    }

    /// Whether the set contains the name, where `own` is the table's own namespace.
    #[inline]
    pub(super) fn has(&self, name: Name, own: Namespace) -> bool {
        if name.is_in(own) { self.has_own(name.local()) } else { self.has_foreign(name) }
    }

    /// Whether the set contains this name of a foreign namespace.
    #[cold]
    fn has_foreign(&self, name: Name) -> bool {
        let matches = |&(namespace, local): &(Namespace, u32)| {
            name.is_in(namespace) && name.local().id() == local
        };
        self.foreign.iter().any(matches)
    }
}

/// Whether the name is in the table's own namespace.
#[inline]
pub fn is_own<C: super::Construction>(name: Name) -> bool {
    name.is_in(C::ELEMENTS.namespace())
}

/// Whether the set contains the name.
#[inline]
pub fn is_one_of<C: super::Construction>(name: Name, set: &ElementSet) -> bool {
    set.has(name, C::ELEMENTS.namespace())
}

/// Returns the byte offset of the first occurrence of `byte`, an ASCII character; the text's length if there is none.
#[inline]
pub fn first_byte(text: &str, byte: u8) -> usize {
    memchr::memchr(byte, text.as_bytes()).unwrap_or(text.len())
}
