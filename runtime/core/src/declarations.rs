//! What a document declares for itself: entities, and attributes with default values. It parses no declaration and puts
//! nothing into the input (`replacement` does). Invariant: the first declaration of a name counts.

use crate::registers::{OptionalText, Source, TagRegister, TextRegister, name_bit};
use crate::span::Span;
use std::collections::{HashMap, HashSet};
use std::sync::Arc;

/// A list of entities.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EntityList {
    /// Entities for the content and for attribute values.
    Entities,
    /// Entities for declarations.
    ParameterEntities,
}

/// Attributes that are declared for one tag name.
#[derive(Clone, Debug, Default)]
struct DeclaredAttributes {
    /// Names and default values in the order of their declaration.
    defaults: Vec<(Box<str>, Box<str>)>,
    /// All names, also of attributes without a default value.
    names: HashSet<Box<str>>,
    /// The bytes of names and defaults.
    bytes: usize,
}

/// The registers of declarations that are being read, and all that have been read.
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
    /// The bits of the tag names that have default values in `attributes`: most other names are known at once not to be there.
    attribute_bits: u64,
    /// The bytes of what is declared.
    declared_bytes: usize,
}

/// As how many bytes an entity counts beside its texts: two pieces of memory, and up to two places in a table.
const ENTITY: usize = 128;
/// As how many bytes a declaration of an attribute counts beside its texts.
const DECLARATION: usize = 96;
/// As how many bytes the first declaration of a tag name's attributes counts besides: it has lists of its own.
const TAG_NAME: usize = 256;

impl Declarations {
    /// The bytes on the heap, those of hash tables estimated.
    pub(crate) fn held(&self) -> usize {
        let texts = [&self.entity_name, &self.entity_value, &self.tag_name, &self.name, &self.kind];
        let of_texts: usize = texts.map(TextRegister::held).iter().sum();
        of_texts + self.default.text.held() + self.declared_bytes
    }

    /// Creates a new entity.
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

    /// Appends the current entity to the list, unless the list has one of its name.
    pub fn append_entity(&mut self, source: Source<'_>, list: EntityList) {
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

    /// Appends the current attribute declaration, with or without a default value, unless its attribute is declared
    /// already.
    pub fn append_declaration(&mut self, source: Source<'_>) {
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

    /// The value of the entity of this name.
    pub(crate) fn entity(&self, list: EntityList, name: &str) -> Option<&Arc<str>> {
        match list {
            EntityList::Entities => self.entities.get(name),
            EntityList::ParameterEntities => self.parameter_entities.get(name),
        }
    }

    /// The bytes of the attributes that are declared for the name of the tag.
    #[inline(always)]
    pub(crate) fn declared_bytes(&self, tag: &TagRegister, source: Source<'_>) -> Option<usize> {
        if self.attribute_bits == 0 { None } else { self.find_declared_bytes(tag, source) }
    }

    /// As [`declared_bytes`](Self::declared_bytes), where there are declarations.
    #[inline(never)]
    fn find_declared_bytes(&self, tag: &TagRegister, source: Source<'_>) -> Option<usize> {
        let name = tag.name.text(source);
        if self.attribute_bits & name_bit(name.as_bytes()) == 0 {
            return None;
        }
        self.attributes.get(name).map(|declared| declared.bytes)
    }

    /// Adds the declared attributes that the tag lacks, at the offset.
    pub(crate) fn complete(&self, tag: &mut TagRegister, source: Source<'_>, at: usize) {
        let Some(declared) = self.attributes.get(tag.name.text(source)) else { return };
        for (name, default) in &declared.defaults {
            tag.add_attribute(source, (name, default), Span::new(at, at));
        }
    }

    /// Copies what is still needed out of the source, and gives every range its place in the input.
    pub(crate) fn settle(&mut self, source: Source<'_>, origin: Span) {
        let texts = [&mut self.entity_name, &mut self.entity_value, &mut self.tag_name];
        for text in
            texts.into_iter().chain([&mut self.name, &mut self.kind, &mut self.default.text])
        {
            text.settle(source, origin);
        }
    }
}
