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

/// The elements that stay, or those that go.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Elements {
    /// Each with the attributes that it may have beside those of all elements.
    Allowed(HashMap<Name, HashSet<Name>>),
    Removed(HashSet<Name>),
}

/// What a sanitizer does. Either both elements and attributes are those that stay, or both those that go.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Config {
    pub(crate) elements: Elements,
    pub(crate) replaced: HashSet<Name>,
    pub(crate) attributes: Listed,
    /// Targets of processing instructions that stay.
    pub(crate) instructions: HashSet<String>,
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
        let elements = ELEMENTS.elements.iter().map(|it| (name(it), names(it.2)));
        Self {
            elements: Elements::Allowed(elements.collect()),
            replaced: HashSet::new(),
            attributes: Listed::Allowed(names(NAMES.attributes)),
            instructions: HashSet::new(),
            comments: false,
            data_attributes: false,
        }
    }

    /// The empty dictionary as `setHTML` takes it: all elements and attributes stay, comments and instructions go.
    pub(crate) fn empty() -> Self {
        Self {
            elements: Elements::Removed(HashSet::new()),
            attributes: Listed::Removed(HashSet::new()),
            ..Self::safe_default()
        }
    }

    /// `own` are the attributes of the element alone, if it is given any; where elements are removed that is refused.
    pub(crate) fn allow_element(&mut self, name: Name, own: Option<HashSet<Name>>) {
        match (&mut self.elements, own) {
            (Elements::Allowed(elements), own) => {
                let mut own = own.unwrap_or_default();
                own.retain(|name| !(self.data_attributes && name.is_custom_data()));
                self.replaced.remove(&name);
                elements.insert(name, own);
            }
            (Elements::Removed(elements), None) => {
                self.replaced.remove(&name);
                elements.remove(&name);
            }
            (Elements::Removed(_), Some(_)) => {}
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
        match &mut self.attributes {
            Listed::Allowed(_) if self.data_attributes && name.is_custom_data() => {}
            Listed::Allowed(attributes) => drop(attributes.insert(name)),
            Listed::Removed(attributes) => drop(attributes.remove(&name)),
        }
    }

    /// What was allowed one by one goes from the lists when all are allowed.
    pub(crate) fn set_data_attributes(&mut self, stay: bool) {
        let Listed::Allowed(attributes) = &mut self.attributes else { return };
        if stay {
            attributes.retain(|name| !name.is_custom_data());
            if let Elements::Allowed(elements) = &mut self.elements {
                elements.values_mut().for_each(|own| own.retain(|name| !name.is_custom_data()));
            }
        }
        self.data_attributes = stay;
    }

    pub(crate) fn remove_attributes(&mut self, names: HashSet<Name>) {
        if let Elements::Allowed(elements) = &mut self.elements {
            elements.values_mut().for_each(|own| own.retain(|name| !names.contains(name)));
        }
        match &mut self.attributes {
            Listed::Allowed(attributes) => attributes.retain(|name| !names.contains(name)),
            Listed::Removed(attributes) => attributes.extend(names),
        }
    }

    /// Removes what runs scripts: the built-in safe baseline configuration, and the event handlers.
    pub(crate) fn remove_unsafe(&mut self) {
        ELEMENTS.unsafe_elements.iter().for_each(|element| self.remove_element(name(element)));
        self.remove_attributes(names(NAMES.unsafe_attributes));
    }
}
