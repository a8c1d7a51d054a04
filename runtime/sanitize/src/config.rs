//! Configurations, and how they are changed: Sanitizer API, 3.3 "Modify the configuration". They read no tree. Invariant: no
//! element is both allowed and replaced, and a list says either what stays or what goes.

use crate::lists::{ELEMENTS, Element, NAMES};
use crate::name::Name;
use std::collections::{HashMap, HashSet};
use std::fmt;

/// What stays, or what goes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Listed {
    Allowed(HashSet<Name>),
    Removed(HashSet<Name>),
}

/// The attributes of an allowed element.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Own {
    /// Those that it may have beside those of all elements; where there are only attributes that go, those that it may
    /// have.
    pub(crate) allowed: Option<HashSet<Name>>,
    pub(crate) removed: HashSet<Name>,
}

/// The elements that stay, or those that go.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Elements {
    Allowed(HashMap<Name, Own>),
    Removed(HashSet<Name>),
}

/// What a sanitizer does.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Config {
    pub(crate) elements: Elements,
    pub(crate) replaced: HashSet<Name>,
    pub(crate) attributes: Listed,
    /// Targets of processing instructions that stay, or those that go.
    pub(crate) instructions: (bool, HashSet<String>),
    pub(crate) comments: bool,
    pub(crate) data_attributes: bool,
}

/// The contents of this element cannot stand in its place: trees would come of it that no markup has.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NotReplaceable {
    /// The element, as it was given.
    pub element: String,
}

impl fmt::Display for NotReplaceable {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{} cannot be replaced by its contents", self.element)
    }
}

impl std::error::Error for NotReplaceable {}

pub(crate) fn name(element: &Element) -> Name {
    Name { namespace: element.0, local: element.1.into() }
}

fn names(attributes: &[&str]) -> HashSet<Name> {
    attributes.iter().map(|attribute| Name::attribute(attribute)).collect()
}

impl Config {
    /// The built-in safe default configuration.
    pub(crate) fn safe_default() -> Self {
        let own = |element: &Element| Own { allowed: Some(names(element.2)), ..Own::default() };
        Self {
            elements: Elements::Allowed(
                ELEMENTS.elements.iter().map(|element| (name(element), own(element))).collect(),
            ),
            replaced: HashSet::new(),
            attributes: Listed::Allowed(names(NAMES.attributes)),
            instructions: (true, HashSet::new()),
            comments: false,
            data_attributes: false,
        }
    }

    /// The empty dictionary: all elements and attributes stay.
    pub(crate) fn empty() -> Self {
        Self {
            elements: Elements::Removed(HashSet::new()),
            attributes: Listed::Removed(HashSet::new()),
            ..Self::safe_default()
        }
    }

    pub(crate) fn allow_element(&mut self, name: Name, own: Option<Own>) {
        self.replaced.remove(&name);
        match &mut self.elements {
            Elements::Allowed(elements) => {
                elements.insert(name, own.unwrap_or_default());
            }
            Elements::Removed(elements) => {
                elements.remove(&name);
            }
        }
    }

    pub(crate) fn remove_element(&mut self, name: Name) {
        self.replaced.remove(&name);
        match &mut self.elements {
            Elements::Allowed(elements) => {
                elements.remove(&name);
            }
            Elements::Removed(elements) => {
                elements.insert(name);
            }
        }
    }

    pub(crate) fn replace_element(&mut self, name: Name) {
        match &mut self.elements {
            Elements::Allowed(elements) => drop(elements.remove(&name)),
            Elements::Removed(elements) => drop(elements.remove(&name)),
        }
        self.replaced.insert(name);
    }

    pub(crate) fn allow_attribute(&mut self, name: Name) {
        self.forget(&HashSet::from([name.clone()]));
        match &mut self.attributes {
            Listed::Allowed(attributes) => attributes.insert(name),
            Listed::Removed(attributes) => attributes.remove(&name),
        };
    }

    pub(crate) fn remove_attributes(&mut self, names: HashSet<Name>) {
        self.forget(&names);
        match &mut self.attributes {
            Listed::Allowed(attributes) => attributes.retain(|name| !names.contains(name)),
            Listed::Removed(attributes) => attributes.extend(names),
        }
    }

    /// Takes attributes out of what single elements may or may not have.
    fn forget(&mut self, names: &HashSet<Name>) {
        if let Elements::Allowed(elements) = &mut self.elements {
            for own in elements.values_mut() {
                own.removed.retain(|name| !names.contains(name));
                if let Some(allowed) = &mut own.allowed {
                    allowed.retain(|name| !names.contains(name));
                }
            }
        }
    }

    /// Removes what runs scripts: the built-in safe baseline configuration, and the event handlers.
    pub(crate) fn remove_unsafe(&mut self) {
        ELEMENTS.unsafe_elements.iter().for_each(|element| self.remove_element(name(element)));
        self.remove_attributes(names(NAMES.unsafe_attributes));
    }
}
