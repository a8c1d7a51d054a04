//! The entities and attributes that a document declares, and the limit on text that they insert. The first declaration
//! of a name counts.

use super::token::{Attribute, Span};
use std::collections::hash_map::Entry;
use std::collections::{HashMap, HashSet};
use tabulex_language::model::{EntityList, ReplacementLimits};

/// An attribute declaration.
#[derive(Debug)]
pub(super) struct Declaration {
    /// The name of the attribute.
    pub(super) name: String,
    /// The default value, if the declaration has one.
    pub(super) default: Option<String>,
    /// Whether spaces in the attribute's values are stripped and collapsed.
    pub(super) collapses: bool,
}

/// The attributes declared for a tag name.
#[derive(Debug, Default)]
struct DeclaredAttributes {
    /// Names and default values in the order of declaration.
    defaults: Vec<(String, String)>,
    /// Names of all declared attributes, including those without a default value, each with whether its values are
    /// collapsed.
    names: HashMap<String, bool>,
}

/// The declarations of a document.
#[derive(Debug, Default)]
pub(super) struct Declarations {
    entities: HashMap<String, String>,
    parameter_entities: HashMap<String, String>,
    attributes: HashMap<String, DeclaredAttributes>,
    /// Number of bytes charged so far for inserted entities and default attributes.
    inserted_bytes: u64,
}

impl Declarations {
    fn entity_list(&self, list: EntityList) -> &HashMap<String, String> {
        match list {
            EntityList::Entities => &self.entities,
            EntityList::ParameterEntities => &self.parameter_entities,
        }
    }

    /// Returns the value of the entity whose name follows the first character of `buffer`, if it is declared.
    pub(super) fn entity(&self, list: EntityList, buffer: &str) -> Option<&str> {
        let mut characters = buffer.chars();
        characters.next();
        self.entity_list(list).get(characters.as_str()).map(|value| &value[..])
    }

    /// Declares an entity, unless its name is already declared.
    pub(super) fn add_entity(&mut self, list: EntityList, name: String, value: String) {
        let entities = match list {
            EntityList::Entities => &mut self.entities,
            EntityList::ParameterEntities => &mut self.parameter_entities,
        };
        entities.entry(name).or_insert(value);
    }

    /// Declares an attribute, unless it is already declared.
    pub(super) fn add_attribute(&mut self, tag: &str, declaration: Declaration) {
        let Declaration { name, default, collapses } = declaration;
        let tag_attributes = self.attributes.entry(tag.to_owned()).or_default();
        if let Entry::Vacant(vacant) = tag_attributes.names.entry(name.clone()) {
            vacant.insert(collapses);
            let default = default.map(|default| match collapses {
                true => collapse_spaces(&default),
                false => default,
            });
            tag_attributes.defaults.extend(default.map(|default| (name, default)));
        }
    }

    /// Returns the number of bytes that may still be inserted after `consumed` bytes of input.
    fn remaining(&self, limits: ReplacementLimits, consumed: usize) -> u64 {
        let input_allowance =
            u64::from(limits.bytes_per_input_byte).saturating_mul(consumed as u64);
        u64::from(limits.bytes).saturating_add(input_allowance).saturating_sub(self.inserted_bytes)
    }

    /// Whether `bytes` more bytes may be inserted after `consumed` bytes of input.
    pub(super) fn allows(&self, limits: ReplacementLimits, consumed: usize, bytes: usize) -> bool {
        bytes as u64 <= self.remaining(limits, consumed)
    }

    /// Records the insertion of `bytes` bytes.
    pub(super) fn spend(&mut self, bytes: usize) {
        self.inserted_bytes += bytes as u64;
    }

    /// Collapses spaces in a tag's attribute values where the declarations require it, and adds the default attributes
    /// that the tag lacks, with empty ranges at `at`. Returns `false` and adds none if all default attributes of the
    /// tag together exceed the remaining limit.
    pub(super) fn add_defaults(
        &mut self,
        (name, attributes): (&str, &mut Vec<Attribute>),
        at: usize,
        limits: ReplacementLimits,
    ) -> bool {
        let Some(tag_attributes) = self.attributes.get(name) else { return true };
        for attribute in &mut *attributes {
            if tag_attributes.names.get(&attribute.name) == Some(&true) {
                attribute.value = collapse_spaces(&attribute.value);
            }
        }
        let bytes =
            tag_attributes.defaults.iter().map(|(name, value)| name.len() + value.len()).sum();
        if !self.allows(limits, at, bytes) {
            return false;
        }
        let present: HashSet<String> =
            attributes.iter().map(|attribute| attribute.name.clone()).collect();
        for (name, value) in &tag_attributes.defaults {
            if !present.contains(name) {
                let (name, value) = (name.clone(), value.clone());
                let span = Span::at(at);
                attributes.push(Attribute { name, value, name_span: span, value_span: span });
            }
        }
        self.spend(bytes);
        true
    }
}

/// Strips spaces from both ends, and replaces each sequence of spaces with one.
fn collapse_spaces(text: &str) -> String {
    text.split(' ').filter(|part| !part.is_empty()).collect::<Vec<_>>().join(" ")
}

/// Replaces each character of `text` that is in `characters` by a numeric character reference.
pub(super) fn escape_as_references(text: &str, characters: &str) -> String {
    let mut escaped = String::new();
    for character in text.chars() {
        if characters.contains(character) {
            escaped.push_str(&format!("&#{};", character as u32));
        } else {
            escaped.push(character);
        }
    }
    escaped
}
