//! What a document declares for itself in a run: entities and attributes with default values, and how much text they may
//! add. It parses no declaration (rows do). Invariant: the first declaration of a name counts.

use super::token::{Attribute, Span};
use std::collections::{HashMap, HashSet};
use tabulex_language::model::{EntityList, ReplacementLimits};

/// Attributes that are declared for one tag name.
#[derive(Debug, Default)]
struct DeclaredAttributes {
    /// Names and default values in the order of their declaration.
    defaults: Vec<(String, String)>,
    /// All names, also of attributes without a default value.
    names: HashSet<String>,
}

/// Everything that has been declared.
#[derive(Debug, Default)]
pub(super) struct Declarations {
    entities: HashMap<String, String>,
    parameter_entities: HashMap<String, String>,
    attributes: HashMap<String, DeclaredAttributes>,
    /// The bytes of replacement text that have been used.
    used: u64,
}

impl Declarations {
    fn list(&self, list: EntityList) -> &HashMap<String, String> {
        match list {
            EntityList::Entities => &self.entities,
            EntityList::ParameterEntities => &self.parameter_entities,
        }
    }

    /// The value of the entity that the buffer names after its first character.
    pub(super) fn entity(&self, list: EntityList, buffer: &str) -> Option<&str> {
        let mut name = buffer.chars();
        name.next();
        self.list(list).get(name.as_str()).map(|value| &value[..])
    }

    /// Adds an entity, unless there is one of this name.
    pub(super) fn add_entity(&mut self, list: EntityList, name: String, value: String) {
        let list = match list {
            EntityList::Entities => &mut self.entities,
            EntityList::ParameterEntities => &mut self.parameter_entities,
        };
        list.entry(name).or_insert(value);
    }

    /// Declares an attribute, with or without a default value, unless it is declared already.
    pub(super) fn add_attribute(&mut self, tag: &str, name: String, default: Option<String>) {
        let declared = self.attributes.entry(tag.to_owned()).or_default();
        if declared.names.insert(name.clone()) {
            declared.defaults.extend(default.map(|default| (name, default)));
        }
    }

    /// How many bytes may still be used when this number of bytes of the input has been consumed.
    fn left(&self, limits: ReplacementLimits, consumed: usize) -> u64 {
        let more = u64::from(limits.bytes_per_input_byte).saturating_mul(consumed as u64);
        u64::from(limits.bytes).saturating_add(more).saturating_sub(self.used)
    }

    /// Whether this number of bytes may still be used.
    pub(super) fn allows(&self, limits: ReplacementLimits, consumed: usize, bytes: usize) -> bool {
        bytes as u64 <= self.left(limits, consumed)
    }

    /// Uses this number of bytes.
    pub(super) fn spend(&mut self, bytes: usize) {
        self.used += bytes as u64;
    }

    /// Adds the declared attributes that the tag lacks, at the place; false if they are too many bytes.
    pub(super) fn complete(
        &mut self,
        (name, attributes): (&str, &mut Vec<Attribute>),
        at: usize,
        limits: ReplacementLimits,
    ) -> bool {
        let Some(declared) = self.attributes.get(name) else { return true };
        let bytes = declared.defaults.iter().map(|(name, value)| name.len() + value.len()).sum();
        if !self.allows(limits, at, bytes) {
            return false;
        }
        let present: HashSet<String> =
            attributes.iter().map(|attribute| attribute.name.clone()).collect();
        for (name, value) in &declared.defaults {
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

/// The text with the characters written as numeric character references.
pub(super) fn escaped(text: &str, characters: &str) -> String {
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
