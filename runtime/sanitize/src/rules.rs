//! A valid configuration in canonical form, and the standard's modifications, which keep it valid.

use crate::config::{Config, ConfigError, Element};
use crate::lists::{ELEMENTS, ListedElement, NAMES};
use crate::name::Name;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use tabulex_core::tree::Namespace;

/// Names that are allowed, or names that are removed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Listed<T> {
    Allowed(BTreeSet<T>),
    Removed(BTreeSet<T>),
}

/// Attributes that an element allows or removes by itself.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct OwnAttributes {
    pub(crate) allowed: Option<BTreeSet<Name>>,
    pub(crate) removed: BTreeSet<Name>,
}

/// Elements that are allowed, or elements that are removed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Elements {
    Allowed(BTreeMap<Name, OwnAttributes>),
    Removed(BTreeSet<Name>),
}

/// A valid configuration.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Rules {
    pub(crate) elements: Elements,
    pub(crate) replaced: BTreeSet<Name>,
    /// Elements that were removed by name where elements are allowed by name. They go with their contents even if the contents
    /// of unknown elements are kept. The standard has no such list.
    pub(crate) dropped: BTreeSet<Name>,
    pub(crate) attributes: Listed<Name>,
    /// Targets of processing instructions.
    pub(crate) instructions: Listed<String>,
    pub(crate) comments: bool,
    pub(crate) data_attributes: bool,
    pub(crate) javascript_urls: bool,
}

/// Whether an attribute is an event handler: by its first letters, whether or not a standard knows the event.
pub(crate) fn is_handler(namespace: Namespace, local: &str) -> bool {
    // A tree that was not parsed can have capital letters, which become small ones when its markup is parsed.
    let begins = |prefix: &&str| {
        let start = local.as_bytes().get(..prefix.len());
        start.is_some_and(|start| start.eq_ignore_ascii_case(prefix.as_bytes()))
    };
    namespace == Namespace::NONE && NAMES.handler_prefix.iter().any(begins)
}

/// Whether an attribute is a custom data attribute.
pub(crate) fn is_custom_data(namespace: Namespace, local: &str) -> bool {
    namespace == Namespace::NONE && NAMES.data_prefix.iter().any(|prefix| local.starts_with(prefix))
}

fn is_own_data(name: &Name) -> bool {
    name.is_in(Namespace::NONE) && is_custom_data(Namespace::NONE, name.local())
}

pub(crate) fn name_of(element: &ListedElement) -> Name {
    Name::known(element.0, element.1)
}

pub(crate) fn attributes_of(names: &[&str]) -> BTreeSet<Name> {
    names.iter().map(|name| Name::attribute(name)).collect()
}

/// Makes a set of a list, which may have no item twice.
fn set<T: Clone + Ord + fmt::Display>(
    list: &[T],
    member: &str,
) -> Result<BTreeSet<T>, ConfigError> {
    let mut set = BTreeSet::new();
    let twice = list.iter().find(|item| !set.insert((*item).clone()));
    twice.map_or(Ok(set), |item| Err(ConfigError::new(format!("`{item}` is twice in `{member}`"))))
}

/// Returns the list that a configuration has of two that exclude each other.
fn listed<T: Clone + Ord + fmt::Display>(
    allowed: (&str, &Option<Vec<T>>),
    removed: (&str, &Option<Vec<T>>),
) -> Result<Option<Listed<T>>, ConfigError> {
    match (allowed, removed) {
        ((one, Some(_)), (other, Some(_))) => {
            Err(ConfigError::new(format!("`{one}` and `{other}` exclude each other")))
        }
        ((member, Some(list)), _) => Ok(Some(Listed::Allowed(set(list, member)?))),
        (_, (member, Some(list))) => Ok(Some(Listed::Removed(set(list, member)?))),
        _ => Ok(None),
    }
}

fn check(is_valid: bool, message: impl FnOnce() -> String) -> Result<(), ConfigError> {
    if is_valid { Ok(()) } else { Err(ConfigError::new(message())) }
}

/// Fails if a name is in both lists.
fn check_disjoint<'n>(
    names: impl IntoIterator<Item = &'n Name>,
    others: &BTreeSet<Name>,
    lists: &str,
) -> Result<(), ConfigError> {
    let common = names.into_iter().find(|name| others.contains(name));
    common.map_or(Ok(()), |name| Err(ConfigError::new(format!("`{name}` is in {lists}"))))
}

impl Rules {
    /// The built-in safe default configuration.
    pub(crate) fn safe_default() -> Self {
        let own = |attributes: &[&str]| OwnAttributes {
            allowed: Some(attributes_of(attributes)),
            removed: BTreeSet::new(),
        };
        let elements = ELEMENTS.elements.iter().map(|it| (name_of(it), own(it.2)));
        Self {
            elements: Elements::Allowed(elements.collect()),
            replaced: BTreeSet::new(),
            dropped: BTreeSet::new(),
            attributes: Listed::Allowed(attributes_of(NAMES.attributes)),
            instructions: Listed::Allowed(BTreeSet::new()),
            comments: false,
            data_attributes: false,
            javascript_urls: false,
        }
    }

    /// Canonicalizes a configuration, if it is valid. Where it says nothing of comments, processing instructions and `data-`
    /// attributes, they are allowed if `is_permissive`.
    pub(crate) fn of(config: &Config, is_permissive: bool) -> Result<Self, ConfigError> {
        let attributes = listed(
            ("attributes", &config.attributes),
            ("removeAttributes", &config.remove_attributes),
        )?;
        let attributes = attributes.unwrap_or_else(|| Listed::Removed(BTreeSet::new()));
        let instructions = listed(
            ("processingInstructions", &config.processing_instructions),
            ("removeProcessingInstructions", &config.remove_processing_instructions),
        )?;
        let instructions = instructions.unwrap_or_else(|| match is_permissive {
            true => Listed::Removed(BTreeSet::new()),
            false => Listed::Allowed(BTreeSet::new()),
        });
        let replaced = config.replace_with_children_elements.as_deref().unwrap_or_default();
        let replaced = set(replaced, "replaceWithChildrenElements")?;
        for fixed in ELEMENTS.non_replaceable.iter().map(name_of) {
            check(!replaced.contains(&fixed), || not_replaceable(&fixed))?;
        }
        let elements = match (&config.elements, &config.remove_elements) {
            (Some(_), Some(_)) => {
                let message = "`elements` and `removeElements` exclude each other";
                return Err(ConfigError::new(message));
            }
            (Some(list), None) => Elements::Allowed(own_attributes(list, &attributes)?),
            (None, list) => {
                Elements::Removed(set(list.as_deref().unwrap_or_default(), "removeElements")?)
            }
        };
        let lists = "`replaceWithChildrenElements` and among other elements";
        match &elements {
            Elements::Allowed(elements) => check_disjoint(elements.keys(), &replaced, lists)?,
            Elements::Removed(elements) => check_disjoint(elements, &replaced, lists)?,
        }
        let mut rules = Self {
            elements,
            replaced,
            dropped: BTreeSet::new(),
            attributes,
            instructions,
            comments: config.comments.unwrap_or(is_permissive),
            data_attributes: false,
            // `remove_unsafe` removes them from a safe sanitizer.
            javascript_urls: config.javascript_urls.unwrap_or(true),
        };
        match (&rules.attributes, config.data_attributes) {
            (Listed::Removed(_), Some(_)) => {
                let message = "`dataAttributes` wants a list `attributes`";
                return Err(ConfigError::new(message));
            }
            (Listed::Removed(_), None) => {}
            (Listed::Allowed(_), allowed) => {
                rules.data_attributes = allowed.unwrap_or(is_permissive);
                if rules.data_attributes {
                    let listed = rules.allowed_attributes().find(|name| is_own_data(name));
                    check(listed.is_none(), || {
                        let listed = listed.map(Name::to_string).unwrap_or_default();
                        format!("`{listed}` is listed and in `dataAttributes`")
                    })?;
                }
            }
        }
        Ok(rules)
    }

    /// Iterates over the attributes that are allowed by name, on all elements or on some.
    fn allowed_attributes(&self) -> impl Iterator<Item = &Name> {
        let global = match &self.attributes {
            Listed::Allowed(attributes) => Some(attributes),
            Listed::Removed(_) => None,
        };
        let own = match &self.elements {
            Elements::Allowed(elements) => Some(elements.values()),
            Elements::Removed(_) => None,
        };
        let own = own.into_iter().flatten().filter_map(|own| own.allowed.as_ref());
        global.into_iter().chain(own).flatten()
    }

    /// Returns the configuration as the standard's `get` does, canonical and sorted.
    pub(crate) fn config(&self) -> Config {
        fn list<T: Clone>(set: &BTreeSet<T>) -> Option<Vec<T>> {
            Some(set.iter().cloned().collect())
        }
        let mut config = Config::default();
        match &self.elements {
            Elements::Allowed(elements) => {
                let element = |(name, own): (&Name, &OwnAttributes)| Element {
                    name: name.clone(),
                    attributes: own.allowed.as_ref().and_then(list),
                    remove_attributes: (own.allowed.is_none() || !own.removed.is_empty())
                        .then(|| list(&own.removed))
                        .flatten(),
                };
                config.elements = Some(elements.iter().map(element).collect());
            }
            Elements::Removed(elements) => config.remove_elements = list(elements),
        }
        if !self.replaced.is_empty() {
            config.replace_with_children_elements = list(&self.replaced);
        }
        match &self.instructions {
            Listed::Allowed(targets) => config.processing_instructions = list(targets),
            Listed::Removed(targets) => config.remove_processing_instructions = list(targets),
        }
        match &self.attributes {
            Listed::Allowed(attributes) => {
                config.attributes = list(attributes);
                config.data_attributes = Some(self.data_attributes);
            }
            Listed::Removed(attributes) => config.remove_attributes = list(attributes),
        }
        config.comments = Some(self.comments);
        config.javascript_urls = Some(self.javascript_urls);
        config
    }

    /// Allows an element. Has no effect if elements are removed by name and `own` lists attributes.
    pub(crate) fn allow_element(&mut self, name: Name, mut own: OwnAttributes) {
        match &mut self.elements {
            Elements::Allowed(elements) => {
                match &self.attributes {
                    Listed::Allowed(all) => {
                        if let Some(allowed) = &mut own.allowed {
                            allowed.retain(|name| {
                                !(all.contains(name) || self.data_attributes && is_own_data(name))
                            });
                        }
                        own.removed.retain(|name| all.contains(name));
                    }
                    Listed::Removed(all) => {
                        if let Some(allowed) = &mut own.allowed {
                            allowed
                                .retain(|name| !all.contains(name) && !own.removed.contains(name));
                            own.removed.clear();
                        }
                        own.removed.retain(|name| !all.contains(name));
                    }
                }
                self.replaced.remove(&name);
                self.dropped.remove(&name);
                elements.insert(name, own);
            }
            Elements::Removed(elements) if own == OwnAttributes::default() => {
                self.replaced.remove(&name);
                elements.remove(&name);
            }
            Elements::Removed(_) => {}
        }
    }

    pub(crate) fn remove_element(&mut self, name: Name) {
        self.replaced.remove(&name);
        match &mut self.elements {
            Elements::Allowed(elements) => {
                elements.remove(&name);
                self.dropped.insert(name);
            }
            Elements::Removed(elements) => {
                elements.insert(name);
            }
        }
    }

    pub(crate) fn replace_element(&mut self, name: Name) -> Result<(), ConfigError> {
        let fixed = ELEMENTS.non_replaceable.iter().any(|fixed| name_of(fixed) == name);
        check(!fixed, || not_replaceable(&name))?;
        self.dropped.remove(&name);
        match &mut self.elements {
            Elements::Allowed(elements) => drop(elements.remove(&name)),
            Elements::Removed(elements) => drop(elements.remove(&name)),
        }
        self.replaced.insert(name);
        Ok(())
    }

    pub(crate) fn allow_attribute(&mut self, name: Name) {
        match &mut self.attributes {
            Listed::Allowed(_) if self.data_attributes && is_own_data(&name) => {}
            Listed::Allowed(attributes) => {
                if let Elements::Allowed(elements) = &mut self.elements {
                    for own in elements.values_mut().filter_map(|own| own.allowed.as_mut()) {
                        own.remove(&name);
                    }
                }
                attributes.insert(name);
            }
            Listed::Removed(attributes) => drop(attributes.remove(&name)),
        }
    }

    pub(crate) fn remove_attribute(&mut self, name: Name) {
        self.forget_attributes(|other| *other == name);
        if let Listed::Removed(attributes) = &mut self.attributes {
            attributes.insert(name);
        }
    }

    /// Removes attributes from the lists that allow them, and from all lists of single elements.
    fn forget_attributes(&mut self, is_one: impl Fn(&Name) -> bool) {
        if let Elements::Allowed(elements) = &mut self.elements {
            for own in elements.values_mut() {
                own.removed.retain(|name| !is_one(name));
                if let Some(allowed) = &mut own.allowed {
                    allowed.retain(|name| !is_one(name));
                }
            }
        }
        if let Listed::Allowed(attributes) = &mut self.attributes {
            attributes.retain(|name| !is_one(name));
        }
    }

    /// Allows or removes all custom data attributes. Has no effect if attributes are removed by name. Allowing all of them takes
    /// them out of the lists.
    pub(crate) fn set_data_attributes(&mut self, allowed: bool) {
        if matches!(self.attributes, Listed::Allowed(_)) {
            if allowed {
                self.forget_attributes(is_own_data);
            }
            self.data_attributes = allowed;
        }
    }

    pub(crate) fn set_instruction(&mut self, target: &str, allowed: bool) {
        match (&mut self.instructions, allowed) {
            (Listed::Allowed(targets), true) | (Listed::Removed(targets), false) => {
                targets.insert(target.to_owned());
            }
            (Listed::Allowed(targets), false) | (Listed::Removed(targets), true) => {
                targets.remove(target);
            }
        }
    }

    /// Allows these elements and no others. They keep their own attributes.
    pub(crate) fn only_elements(&mut self, names: impl IntoIterator<Item = Name>) {
        let mut before = match &mut self.elements {
            Elements::Allowed(elements) => std::mem::take(elements),
            Elements::Removed(_) => BTreeMap::new(),
        };
        let kept = |name: Name| {
            self.replaced.remove(&name);
            let own = before.remove(&name).unwrap_or_default();
            (name, own)
        };
        self.elements = Elements::Allowed(names.into_iter().map(kept).collect());
    }

    /// Allows these attributes, on all elements, and no others.
    pub(crate) fn only_attributes(&mut self, names: impl IntoIterator<Item = Name>) {
        self.attributes = Listed::Allowed(names.into_iter().collect());
        if let Elements::Allowed(elements) = &mut self.elements {
            elements.values_mut().for_each(|own| *own = OwnAttributes::default());
        }
        self.set_data_attributes(self.data_attributes);
    }

    /// Removes what runs scripts from all lists. Handlers that no list names are left to [`is_handler`].
    pub(crate) fn remove_unsafe(&mut self) {
        for element in ELEMENTS.unsafe_elements {
            let name = name_of(element);
            self.replaced.remove(&name);
            match &mut self.elements {
                Elements::Allowed(elements) => drop(elements.remove(&name)),
                Elements::Removed(elements) => drop(elements.insert(name)),
            }
        }
        let is_one =
            |name: &Name| name.is_in(Namespace::NONE) && is_handler(Namespace::NONE, name.local());
        self.forget_attributes(is_one);
        self.javascript_urls = false;
    }

    /// Whether an element is kept with this attribute.
    pub(crate) fn keeps(&self, element: &Name, attribute: &Name) -> bool {
        let own = match &self.elements {
            _ if self.replaced.contains(element) => return false,
            Elements::Allowed(elements) => match elements.get(element) {
                Some(own) => own,
                None => return false,
            },
            Elements::Removed(elements) if elements.contains(element) => return false,
            Elements::Removed(_) => &OwnAttributes { allowed: None, removed: BTreeSet::new() },
        };
        let is_own = own.allowed.as_ref().map(|allowed| allowed.contains(attribute));
        let kept = match &self.attributes {
            Listed::Allowed(all) => all.contains(attribute) || is_own == Some(true),
            Listed::Removed(all) => !all.contains(attribute) && is_own != Some(false),
        };
        kept && !own.removed.contains(attribute)
    }
}

fn not_replaceable(name: &Name) -> String {
    format!(
        "`{name}` cannot be replaced by its contents: trees would come of it that no markup has"
    )
}

/// Canonicalizes a list of elements, whose own attributes must fit those of all elements.
fn own_attributes(
    list: &[Element],
    all: &Listed<Name>,
) -> Result<BTreeMap<Name, OwnAttributes>, ConfigError> {
    let mut elements = BTreeMap::new();
    for Element { name, attributes, remove_attributes } in list {
        let member = |member| format!("{member} of {name}");
        let removed = remove_attributes.as_deref().unwrap_or_default();
        let removed = set(removed, &member("removeAttributes"))?;
        let allowed = attributes.as_deref().map(|it| set(it, &member("attributes")));
        let allowed = allowed.transpose()?;
        let own = allowed.iter().flatten();
        match all {
            Listed::Allowed(all) => {
                check_disjoint(own, all, "`attributes` and those of an element")?;
                let unknown = removed.iter().find(|name| !all.contains(name));
                check(unknown.is_none(), || {
                    let unknown = unknown.map(Name::to_string).unwrap_or_default();
                    format!("`{unknown}` is removed from `{name}` and not in `attributes`")
                })?;
            }
            Listed::Removed(all) => {
                check(allowed.is_none() || remove_attributes.is_none(), || {
                    format!("`attributes` and `removeAttributes` of `{name}` exclude each other")
                })?;
                let lists = "`removeAttributes` and in a list of an element";
                check_disjoint(own.chain(&removed), all, lists)?;
            }
        }
        let is_new = elements.insert(name.clone(), OwnAttributes { allowed, removed }).is_none();
        check(is_new, || format!("`{name}` is twice in `elements`"))?;
    }
    Ok(elements)
}
