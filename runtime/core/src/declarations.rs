//! Entities and default attribute values that a document declares. The first declaration of a name is kept. Inserting
//! replacement text is the task of `replacement`.

use crate::registers::{OptionalText, SourceText, TagRegister, TextRegister, name_bit};
use crate::span::Span;
use std::collections::{HashMap, HashSet};
use std::sync::Arc;

/// One of the two lists of entities.
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
    /// All declared names, including those without a default value.
    names: HashSet<Box<str>>,
    /// Total length of the names and defaults, in bytes.
    bytes: usize,
}

/// The registers of the declaration being read, and all earlier declarations.
#[derive(Clone, Debug, Default)]
pub struct Declarations {
    /// The name of the current entity.
    pub entity_name: TextRegister,
    /// The value of the current entity.
    pub entity_value: TextRegister,
    /// The tag name whose attributes are being declared.
    pub tag_name: TextRegister,
    /// The attribute name of the current declaration.
    pub name: TextRegister,
    /// The type of the current declaration.
    pub kind: TextRegister,
    /// The default value of the current declaration, if it has one.
    pub default: OptionalText,
    entities: HashMap<Box<str>, Arc<str>>,
    parameter_entities: HashMap<Box<str>, Arc<str>>,
    attributes: HashMap<Box<str>, DeclaredAttributes>,
    /// A Bloom filter of the tag names in `attributes` that have default values: one bit per name, which rules out most
    /// other names without hashing them.
    attribute_bits: u64,
    /// Estimated memory of the declarations, in bytes.
    declared_bytes: usize,
}

/// Bytes charged for an entity beyond its texts: two allocations and up to two slots of a hash table.
const ENTITY: usize = 128;
/// Bytes charged for an attribute declaration beyond its texts.
const DECLARATION: usize = 96;
/// Further bytes charged for the first declaration of a tag name, which allocates its own lists.
const TAG_NAME: usize = 256;

impl Declarations {
    /// Returns the heap memory in bytes; that of hash tables is estimated.
    pub(crate) fn memory_usage(&self) -> usize {
        let texts = [&self.entity_name, &self.entity_value, &self.tag_name, &self.name, &self.kind];
        let of_texts: usize = texts.map(TextRegister::memory_usage).iter().sum();
        of_texts + self.default.text.memory_usage() + self.declared_bytes
    }

    /// Starts a new entity.
    pub fn create_entity(&mut self) {
        self.entity_name.clear();
        self.entity_value.clear();
    }

    /// Starts a new attribute declaration.
    pub fn start_declaration(&mut self) {
        self.name.clear();
        self.kind.clear();
        self.default.clear();
    }

    /// Adds the current entity to the list unless one of the same name exists.
    pub fn append_entity(&mut self, source: SourceText<'_>, list: EntityList) {
        let entities = match list {
            EntityList::Entities => &mut self.entities,
            EntityList::ParameterEntities => &mut self.parameter_entities,
        };
        let name = self.entity_name.text(source);
        if !entities.contains_key(name) {
            let value = self.entity_value.text(source);
            self.declared_bytes += ENTITY + name.len() + value.len();
            entities.insert(name.into(), value.into());
        }
    }

    /// Adds the current attribute declaration, with or without a default value, unless the attribute is already
    /// declared.
    pub fn append_declaration(&mut self, source: SourceText<'_>) {
        let (tag_name, name) = (self.tag_name.text(source), self.name.text(source));
        let declared = self.attributes.entry(tag_name.into()).or_default();
        if declared.names.is_empty() {
            self.declared_bytes += TAG_NAME + tag_name.len();
        }
        if !declared.names.insert(name.into()) {
            return;
        }
        self.declared_bytes += DECLARATION + name.len();
        if let Some(default) = self.default.text(source) {
            self.attribute_bits |= name_bit(tag_name.as_bytes());
            declared.defaults.push((name.into(), default.into()));
            declared.bytes += name.len() + default.len();
            self.declared_bytes += DECLARATION + name.len() + default.len();
        }
    }

    /// Returns the value of the entity called `name`.
    pub(crate) fn entity(&self, list: EntityList, name: &str) -> Option<&Arc<str>> {
        match list {
            EntityList::Entities => self.entities.get(name),
            EntityList::ParameterEntities => self.parameter_entities.get(name),
        }
    }

    /// Returns the total length in bytes of the default attributes declared for the tag's name.
    #[inline(always)]
    pub(crate) fn declared_bytes(
        &self,
        tag: &TagRegister,
        source: SourceText<'_>,
    ) -> Option<usize> {
        if self.attribute_bits == 0 { None } else { self.find_declared_bytes(tag, source) }
    }

    /// Slow path of [`declared_bytes`](Self::declared_bytes), for documents that declare default values.
    #[inline(never)]
    fn find_declared_bytes(&self, tag: &TagRegister, source: SourceText<'_>) -> Option<usize> {
        let name = tag.name.text(source);
        if self.attribute_bits & name_bit(name.as_bytes()) == 0 {
            return None;
        }
        self.attributes.get(name).map(|declared| declared.bytes)
    }

    /// Adds the declared attributes that the tag lacks, with the empty range at `offset`.
    pub(crate) fn complete(&self, tag: &mut TagRegister, source: SourceText<'_>, offset: usize) {
        let Some(declared) = self.attributes.get(tag.name.text(source)) else { return };
        for (name, default) in &declared.defaults {
            tag.add_attribute(source, (name, default), Span::new(offset, offset));
        }
    }

    /// Copies the current texts out of `source` and maps their ranges to the input.
    pub(crate) fn settle(&mut self, source: SourceText<'_>, origin: Span) {
        let texts = [&mut self.entity_name, &mut self.entity_value, &mut self.tag_name];
        for text in
            texts.into_iter().chain([&mut self.name, &mut self.kind, &mut self.default.text])
        {
            text.settle(source, origin);
        }
    }
}
