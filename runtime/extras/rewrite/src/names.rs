//! Names of start tags, interned with the properties that the dialect gives them, so that each is looked up once.

use crate::foreign::ForeignNames;
use crate::markup::{OTHER_NAME, ProbeName};
use tabulex_core::tree::Namespace;
use tabulex_core::{Construction, Control, control_after};

/// Maximum number of distinct names with an id, which is their bit in sets of names.
pub(crate) const MAX_NAMES: usize = 128;

/// The factor of a multiplicative hash of name keys. Of seven constants in use for hashing it gives the fewest collisions
/// between the names of pages: one start tag in 90 finds its name after the first slot.
pub(crate) const HASH_FACTOR: u64 = 0x2545_F491_4F6C_DD1D;

/// An id that no name has.
pub(crate) const NO_NAME: u8 = u8::MAX;

/// Maximum length in bytes of a name packed into a `NameKey`.
const MAX_PACKED_NAME: usize = 7;

/// A name as an integer other than 0: its bytes and length if it is short, otherwise a hash of its length and some of its
/// first and last bytes. The length, plus 1, is in the highest byte.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct NameKey(u64);

impl NameKey {
    #[inline]
    pub(crate) fn of(name: &str) -> Self {
        let bytes = name.as_bytes();
        let length = bytes.len();
        let word = match (bytes.first_chunk::<4>(), bytes.last_chunk::<4>()) {
            (Some(first), Some(last)) if length <= MAX_PACKED_NAME => {
                let [first, last] = [first, last].map(|part| u64::from(u32::from_le_bytes(*part)));
                first | last << ((length - 4) * 8)
            }
            (Some(first), Some(last)) => {
                let [first, last] = [first, last].map(|part| u64::from(u32::from_le_bytes(*part)));
                first | (last & 0xFF_FFFF) << 32
            }
            _ if length == 0 => 0,
            _ => {
                let [first, middle, last] =
                    [0, length / 2, length - 1].map(|index| u64::from(bytes[index]));
                first | middle << 8 | last << 16
            }
        };
        Self(word | (length.min(0xFE) as u64 + 1) << 56)
    }

    /// Whether no other name has this key.
    #[inline]
    pub(crate) const fn is_exact(self) -> bool {
        self.0 >> 56 <= MAX_PACKED_NAME as u64 + 1
    }
}

/// The properties that a dialect gives to a name.
#[derive(Clone, Copy, Debug)]
pub(crate) struct NameTraits {
    /// Whether elements of this name are void.
    pub(crate) is_void: bool,
    /// Whether the text of elements of this name is written without escaping.
    pub(crate) is_literal: bool,
    /// Whether a line end directly after the start tag is dropped.
    pub(crate) drops_line_end: bool,
    /// The namespace of the foreign content that the start tag begins, if it begins any.
    pub(crate) root_namespace: Option<Namespace>,
    /// The instruction to the tokenizer after the start tag.
    pub(crate) control: Control,
}

impl NameTraits {
    pub(crate) fn of<D: Construction>(
        name: &str,
        foreign: &ForeignNames,
        is_scripting: bool,
    ) -> Self {
        let lists = D::SERIALIZATION;
        Self {
            is_void: lists.void.contains(&name),
            is_literal: lists.raw_text.contains(&name)
                || is_scripting && lists.raw_text_when_scripting.contains(&name),
            drops_line_end: foreign.drops_line_end(name),
            root_namespace: foreign.root_namespace(name),
            control: control_after::<D>(name, &[("scripting", u8::from(is_scripting))]),
        }
    }

    /// Whether the name is like one that the table does not mention.
    fn is_plain(&self) -> bool {
        let Self { is_void, is_literal, drops_line_end, root_namespace, control } = *self;
        !is_void
            && !is_literal
            && !drops_line_end
            && root_namespace.is_none()
            && control == Control::Continue
    }
}

/// The name of a start tag, with its entry in a [`NameTable`].
#[derive(Clone, Copy, Debug)]
pub(crate) struct InternedName<'n> {
    pub(crate) text: &'n str,
    pub(crate) key: NameKey,
    pub(crate) entry: NameEntry,
}

/// The entry of a name in a [`NameTable`].
#[derive(Clone, Copy, Debug)]
pub(crate) struct NameEntry {
    pub(crate) probe_name: ProbeName,
    /// The id of the name, which is `MAX_NAMES` for a name that is not kept.
    pub(crate) id: u8,
    /// Whether the dialect treats the name differently from a name that it does not mention.
    pub(crate) is_special: bool,
}

/// The first names of a page; the index of a name is its id.
#[derive(Debug)]
pub(crate) struct NameTable {
    /// Open-addressing hash table, at most half full. A free slot has the id `NO_NAME` and a key that no name has.
    slots: Box<[(NameKey, NameEntry); 2 * MAX_NAMES]>,
    /// The concatenated names.
    texts: String,
    /// The end of each name in `texts`, its name in probes, and its properties.
    names: Vec<(usize, ProbeName, NameTraits)>,
}

impl Default for NameTable {
    fn default() -> Self {
        let entry = NameEntry { probe_name: OTHER_NAME, id: NO_NAME, is_special: false };
        let slots = Box::new([(NameKey(0), entry); 2 * MAX_NAMES]);
        Self { slots, texts: String::new(), names: Vec::new() }
    }
}

impl NameTable {
    /// Returns a name with its entry, which is created if there is none. `keeps` tells whether a name that the dialect does
    /// not know is kept.
    #[inline]
    pub(crate) fn intern<'n, D: Construction>(
        &mut self,
        text: &'n str,
        keeps: bool,
        foreign: &ForeignNames,
        is_scripting: bool,
    ) -> InternedName<'n> {
        let key = NameKey::of(text);
        let mut index = (key.0.wrapping_mul(HASH_FACTOR) >> (u64::BITS - 8)) as u8;
        loop {
            let (found, entry) = self.slots[usize::from(index)];
            if found == key && (key.is_exact() || self.is_named(entry.id, text)) {
                return InternedName { text, key, entry };
            }
            if entry.id == NO_NAME {
                let entry = self.add::<D>(index, key, text, keeps, foreign, is_scripting);
                return InternedName { text, key, entry };
            }
            index = index.wrapping_add(1);
        }
    }

    #[cold]
    #[inline(never)]
    fn add<D: Construction>(
        &mut self,
        slot: u8,
        key: NameKey,
        name: &str,
        keeps: bool,
        foreign: &ForeignNames,
        is_scripting: bool,
    ) -> NameEntry {
        let traits = NameTraits::of::<D>(name, foreign, is_scripting);
        let probe_name = D::KNOWN.find(name).unwrap_or(OTHER_NAME);
        let is_known = probe_name != OTHER_NAME;
        // Unknown names leave half of the ids to names that may imply ends of elements.
        let capacity = if is_known { MAX_NAMES } else { MAX_NAMES / 2 };
        let keeps = self.names.len() < capacity && (keeps || is_known);
        let id = if keeps { self.names.len() } else { MAX_NAMES } as u8;
        let entry = NameEntry { probe_name, id, is_special: !traits.is_plain() };
        if keeps {
            self.texts.push_str(name);
            self.names.push((self.texts.len(), probe_name, traits));
            self.slots[usize::from(slot)] = (key, entry);
        }
        entry
    }

    #[cold]
    fn is_named(&self, id: u8, name: &str) -> bool {
        self.get(id).is_some_and(|(found, _)| found == name)
    }

    /// Returns the length of all names in bytes.
    pub(crate) fn text_len(&self) -> usize {
        self.texts.len()
    }

    /// Returns the properties of a name.
    pub(crate) fn traits<D: Construction>(
        &self,
        name: &InternedName<'_>,
        foreign: &ForeignNames,
        is_scripting: bool,
    ) -> NameTraits {
        let known = self.names.get(usize::from(name.entry.id));
        known.map_or_else(
            || NameTraits::of::<D>(name.text, foreign, is_scripting),
            |(_, _, traits)| *traits,
        )
    }

    /// Returns the name with an id, and its name in probes.
    pub(crate) fn get(&self, id: u8) -> Option<(&str, ProbeName)> {
        let index = usize::from(id);
        let &(end, probe_name, _) = self.names.get(index)?;
        let start = index.checked_sub(1).map_or(0, |previous| self.names[previous].0);
        Some((&self.texts[start..end], probe_name))
    }
}
