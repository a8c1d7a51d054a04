//! The entities and default attribute values that a document declares. The first declaration of a name is kept. The
//! texts are inserted by `drive`.

use crate::edits::collapse_spaces;
use crate::registers::{SourceText, TagRegister, TextRegister, name_bit};
use crate::span::Span;
use std::borrow::Cow;
use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::sync::Arc;

/// One of the two lists of entities that a document can declare.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EntityList {
    /// General entities, for content and attribute values.
    Entities,
    /// Parameter entities, for declarations.
    ParameterEntities,
}

/// The attributes declared for one tag name.
#[derive(Clone, Debug, Default)]
struct DeclaredAttributes {
    /// Names and default values in declaration order.
    defaults: Vec<(Box<str>, Box<str>)>,
    /// For each declared name, with or without a default value, whether spaces in its values are stripped and
    /// collapsed.
    collapses_by_name: HashMap<Box<str>, bool>,
    /// The total length in bytes of the names and values in `defaults`.
    default_bytes: usize,
}

/// The registers of the declaration being read, and all earlier declarations.
#[derive(Clone, Debug, Default)]
pub struct Declarations {
    /// The name of the current entity.
    pub entity_name: TextRegister,
    /// The value of the current entity.
    pub entity_value: TextRegister,
    /// The tag name for which attributes are being declared.
    pub tag_name: TextRegister,
    /// The attribute name of the current declaration.
    pub name: TextRegister,
    /// The type of the current declaration.
    pub kind: TextRegister,
    /// The default value of the current declaration; unset if it has none.
    pub default: TextRegister,
    /// Whether spaces are stripped and collapsed in values of the attribute of the current declaration.
    pub collapses: bool,
    /// The values of the entities of each list, by name.
    entities: [HashMap<Box<str>, Arc<str>>; 2],
    attributes: HashMap<Box<str>, DeclaredAttributes>,
    /// A Bloom filter of the tag names for which `attributes` has a default value or requires that spaces be collapsed:
    /// one bit per name, which rules out most other names without hashing them.
    attribute_bits: u64,
    /// The estimated memory of the declarations, in bytes.
    estimated_memory: usize,
}

/// Bytes charged for an entity beyond its texts: two allocations and up to two slots of a hash table.
const ENTITY_OVERHEAD: usize = 128;
/// Bytes charged for an attribute declaration beyond its texts, and charged again if it has a default value.
const ATTRIBUTE_OVERHEAD: usize = 96;
/// Bytes charged in addition for the first declaration of a tag name, which allocates a list and a hash map.
const TAG_NAME_OVERHEAD: usize = 256;

impl Declarations {
    /// Returns the heap memory of the registers in bytes, plus an estimate of that of the declarations.
    pub(crate) fn memory_usage(&self) -> usize {
        let entity_texts = [&self.entity_name, &self.entity_value];
        let texts = [&self.tag_name, &self.name, &self.kind, &self.default];
        let texts = entity_texts.into_iter().chain(texts);
        texts.map(TextRegister::memory_usage).sum::<usize>() + self.estimated_memory
    }

    /// Starts a new entity, with an empty name and value.
    pub fn create_entity(&mut self) {
        self.entity_name.clear();
        self.entity_value.clear();
    }

    /// Starts a new attribute declaration.
    pub fn start_declaration(&mut self) {
        self.name.clear();
        self.kind.clear();
        self.default.clear();
        self.collapses = false;
    }

    /// Adds the current entity to the list, unless the list already has an entity of that name.
    pub fn append_entity(&mut self, source: SourceText<'_>, list: EntityList) {
        let entities = &mut self.entities[list as usize];
        let name = self.entity_name.text(source);
        if !entities.contains_key(name) {
            let value = self.entity_value.text(source);
            self.estimated_memory += ENTITY_OVERHEAD + name.len() + value.len();
            entities.insert(name.into(), value.into());
        }
    }

    /// Adds the current attribute declaration, with or without a default value, unless the attribute is already
    /// declared.
    pub fn append_declaration(&mut self, source: SourceText<'_>) {
        let (tag_name, name) = (self.tag_name.text(source), self.name.text(source));
        let declared = self.attributes.entry(tag_name.into()).or_default();
        if declared.collapses_by_name.is_empty() {
            self.estimated_memory += TAG_NAME_OVERHEAD + tag_name.len();
        }
        let Entry::Vacant(vacant) = declared.collapses_by_name.entry(name.into()) else { return };
        vacant.insert(self.collapses);
        self.estimated_memory += ATTRIBUTE_OVERHEAD + name.len();
        if self.collapses || self.default.is_set() {
            self.attribute_bits |= name_bit(tag_name.as_bytes());
        }
        if let Some(default) = self.default.text_if_set(source) {
            let default = match self.collapses {
                true => collapse_spaces(default),
                false => Cow::Borrowed(default),
            };
            declared.defaults.push((name.into(), (&*default).into()));
            declared.default_bytes += name.len() + default.len();
            self.estimated_memory += ATTRIBUTE_OVERHEAD + name.len() + default.len();
        }
    }

    /// Returns the value of the entity called `name`, or `None` if the list has no such entity.
    pub(crate) fn entity(&self, list: EntityList, name: &str) -> Option<&Arc<str>> {
        self.entities[list as usize].get(name)
    }

    /// Returns the total length in bytes of the default attributes declared for the tag's name, counting names and
    /// values. `None` means that no declaration changes the tag; if declarations only collapse spaces, the length is 0.
    #[inline(always)]
    pub(crate) fn declared_bytes(
        &self,
        tag: &TagRegister,
        source: SourceText<'_>,
    ) -> Option<usize> {
        if self.attribute_bits == 0 { None } else { self.find_declared_bytes(tag, source) }
    }

    /// Slow path of [`declared_bytes`](Self::declared_bytes), for documents that declare attributes. Merging the two
    /// adds 3 % to the instructions for trees of XML.
    #[inline(never)]
    fn find_declared_bytes(&self, tag: &TagRegister, source: SourceText<'_>) -> Option<usize> {
        let name = tag.name.text(source);
        if self.attribute_bits & name_bit(name.as_bytes()) == 0 {
            return None;
        }
        self.attributes.get(name).map(|declared| declared.default_bytes)
    }

    /// Strips and collapses spaces in the values of the tag's attributes whose declarations require that.
    pub(crate) fn collapse_values(&self, tag: &mut TagRegister, source: SourceText<'_>) {
        let Some(declared) = self.attributes.get(tag.name.text(source)) else { return };
        tag.collapse_values(source, |name| declared.collapses_by_name.get(name) == Some(&true));
    }

    /// Adds the attributes with declared default values that the tag lacks, each with the empty range at `offset`.
    pub(crate) fn add_defaults(
        &self,
        tag: &mut TagRegister,
        source: SourceText<'_>,
        offset: usize,
    ) {
        let Some(declared) = self.attributes.get(tag.name.text(source)) else { return };
        for (name, default) in &declared.defaults {
            tag.add_attribute(source, (name, default), Span::new(offset, offset));
        }
    }

    /// Copies the current texts out of `source` and maps their ranges to the input.
    pub(crate) fn settle(&mut self, source: SourceText<'_>, origin: Span) {
        let texts = [&mut self.entity_name, &mut self.entity_value, &mut self.tag_name];
        for text in texts.into_iter().chain([&mut self.name, &mut self.kind, &mut self.default]) {
            text.settle(source, origin);
        }
    }
}
