//! A valid configuration in canonical form, and the standard's modifications, which keep it valid.

use crate::config::{Config, ConfigError, Element};
use crate::lists::{ELEMENTS, LISTS, TableElement};
use crate::name::Name;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use tabulex_core::tree::Namespace;

/// A list of the allowed names, or of the removed names.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum FilterList<T> {
    Allowed(BTreeSet<T>),
    Removed(BTreeSet<T>),
}

/// Attributes allowed or removed for one element only.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct ElementAttributes {
    pub(crate) allowed: Option<BTreeSet<Name>>,
    pub(crate) removed: BTreeSet<Name>,
}

/// A list of the allowed elements, or of the removed elements.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Elements {
    Allowed(BTreeMap<Name, ElementAttributes>),
    Removed(BTreeSet<Name>),
}

/// A valid configuration in canonical form.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Rules {
    pub(crate) elements: Elements,
    pub(crate) replaced: BTreeSet<Name>,
    /// Elements removed by name although elements are allowed by name: their contents are removed even if those of
    /// unknown elements are kept. Not in the standard.
    pub(crate) removed_by_name: BTreeSet<Name>,
    pub(crate) attributes: FilterList<Name>,
    /// Targets of allowed or removed processing instructions.
    pub(crate) instructions: FilterList<String>,
    pub(crate) comments: bool,
    pub(crate) data_attributes: bool,
    pub(crate) javascript_urls: bool,
}

/// Whether an attribute is an event handler, judged by the prefix of its name, even if no standard defines the event.
pub(crate) fn is_event_handler(namespace: Namespace, local: &str) -> bool {
    // Names in trees built by hand can have upper-case letters, which become lower case when the serialized tree is
    // parsed.
    let has_prefix = |prefix: &&str| {
        let start = local.as_bytes().get(..prefix.len());
        start.is_some_and(|start| start.eq_ignore_ascii_case(prefix.as_bytes()))
    };
    namespace == Namespace::NONE && LISTS.handler_prefix.iter().any(has_prefix)
}

/// Whether an attribute is a custom data attribute.
pub(crate) fn is_custom_data(namespace: Namespace, local: &str) -> bool {
    namespace == Namespace::NONE && LISTS.data_prefix.iter().any(|prefix| local.starts_with(prefix))
}

fn is_data_attribute(name: &Name) -> bool {
    name.is_in(Namespace::NONE) && is_custom_data(Namespace::NONE, name.local())
}

pub(crate) fn element_name(element: &TableElement) -> Name {
    Name::in_namespace(element.0, element.1)
}

pub(crate) fn attribute_names(names: &[&str]) -> BTreeSet<Name> {
    names.iter().map(|name| Name::attribute(name)).collect()
}

/// Converts a list to a set; duplicates are an error, in which `member` names the list.
fn unique_set<T: Clone + Ord + fmt::Display>(
    list: &[T],
    member: &str,
) -> Result<BTreeSet<T>, ConfigError> {
    let mut set = BTreeSet::new();
    let duplicate = list.iter().find(|item| !set.insert((*item).clone()));
    duplicate.map_or(Ok(set), |item| {
        Err(ConfigError::new(format!("`{item}` is listed twice in {member}")))
    })
}

/// Returns the list of allowed or removed items, or `None` if both are missing; having both is an error.
fn exclusive_list<T: Clone + Ord + fmt::Display>(
    allowed: (&str, &Option<Vec<T>>),
    removed: (&str, &Option<Vec<T>>),
) -> Result<Option<FilterList<T>>, ConfigError> {
    let to_set = |member: &str, list: &[T]| unique_set(list, &format!("`{member}`"));
    match (allowed, removed) {
        ((one, Some(_)), (other, Some(_))) => {
            Err(ConfigError::new(format!("`{one}` and `{other}` are mutually exclusive")))
        }
        ((member, Some(list)), _) => Ok(Some(FilterList::Allowed(to_set(member, list)?))),
        (_, (member, Some(list))) => Ok(Some(FilterList::Removed(to_set(member, list)?))),
        _ => Ok(None),
    }
}

fn ensure(is_valid: bool, message: impl FnOnce() -> String) -> Result<(), ConfigError> {
    if is_valid { Ok(()) } else { Err(ConfigError::new(message())) }
}

/// Fails if one of `names` is also in `others`; `list_names` names both lists in the message.
fn check_disjoint<'n>(
    names: impl IntoIterator<Item = &'n Name>,
    others: &BTreeSet<Name>,
    list_names: &str,
) -> Result<(), ConfigError> {
    let common = names.into_iter().find(|name| others.contains(name));
    common.map_or(Ok(()), |name| Err(ConfigError::new(format!("`{name}` is both in {list_names}"))))
}

impl Rules {
    /// Creates the built-in safe default configuration.
    pub(crate) fn safe_default() -> Self {
        let allowing = |attributes: &[&str]| ElementAttributes {
            allowed: Some(attribute_names(attributes)),
            removed: BTreeSet::new(),
        };
        let elements =
            ELEMENTS.elements.iter().map(|element| (element_name(element), allowing(element.2)));
        Self {
            elements: Elements::Allowed(elements.collect()),
            replaced: BTreeSet::new(),
            removed_by_name: BTreeSet::new(),
            attributes: FilterList::Allowed(attribute_names(LISTS.attributes)),
            instructions: FilterList::Allowed(BTreeSet::new()),
            comments: false,
            data_attributes: false,
            javascript_urls: false,
        }
    }

    /// Validates and canonicalizes a configuration. Comments, processing instructions and `data-` attributes that it
    /// does not mention are allowed if `is_permissive`.
    pub(crate) fn of(config: &Config, is_permissive: bool) -> Result<Self, ConfigError> {
        let attributes = exclusive_list(
            ("attributes", &config.attributes),
            ("removeAttributes", &config.remove_attributes),
        )?;
        let attributes = attributes.unwrap_or_else(|| FilterList::Removed(BTreeSet::new()));
        let instructions = exclusive_list(
            ("processingInstructions", &config.processing_instructions),
            ("removeProcessingInstructions", &config.remove_processing_instructions),
        )?;
        let instructions = instructions.unwrap_or_else(|| match is_permissive {
            true => FilterList::Removed(BTreeSet::new()),
            false => FilterList::Allowed(BTreeSet::new()),
        });
        let replaced = config.replace_with_children_elements.as_deref().unwrap_or_default();
        let replaced = unique_set(replaced, "`replaceWithChildrenElements`")?;
        for name in ELEMENTS.non_replaceable.iter().map(element_name) {
            ensure(!replaced.contains(&name), || not_replaceable_message(&name))?;
        }
        let elements = match (&config.elements, &config.remove_elements) {
            (Some(_), Some(_)) => {
                let message = "`elements` and `removeElements` are mutually exclusive";
                return Err(ConfigError::new(message));
            }
            (Some(list), None) => Elements::Allowed(element_attributes(list, &attributes)?),
            (None, list) => Elements::Removed(unique_set(
                list.as_deref().unwrap_or_default(),
                "`removeElements`",
            )?),
        };
        let list_names = "`replaceWithChildrenElements` and in another list of elements";
        match &elements {
            Elements::Allowed(elements) => check_disjoint(elements.keys(), &replaced, list_names)?,
            Elements::Removed(elements) => check_disjoint(elements, &replaced, list_names)?,
        }
        let mut rules = Self {
            elements,
            replaced,
            removed_by_name: BTreeSet::new(),
            attributes,
            instructions,
            comments: config.comments.unwrap_or(is_permissive),
            data_attributes: false,
            javascript_urls: config.javascript_urls.unwrap_or(true),
        };
        match (&rules.attributes, config.data_attributes) {
            (FilterList::Removed(_), Some(_)) => {
                let message = "`dataAttributes` requires the list `attributes`";
                return Err(ConfigError::new(message));
            }
            (FilterList::Removed(_), None) => {}
            (FilterList::Allowed(_), allowed) => {
                rules.data_attributes = allowed.unwrap_or(is_permissive);
                let redundant = rules.allowed_attributes().find(|name| is_data_attribute(name));
                if let Some(redundant) = redundant.filter(|_| rules.data_attributes) {
                    return Err(ConfigError::new(format!(
                        "`{redundant}` is redundant in a list, since `dataAttributes` allows it"
                    )));
                }
            }
        }
        Ok(rules)
    }

    /// Iterates over the attributes allowed by name, on all elements or on single ones.
    fn allowed_attributes(&self) -> impl Iterator<Item = &Name> {
        let global = match &self.attributes {
            FilterList::Allowed(attributes) => Some(attributes),
            FilterList::Removed(_) => None,
        };
        let element_lists = match &self.elements {
            Elements::Allowed(elements) => Some(elements.values()),
            Elements::Removed(_) => None,
        };
        let element_lists = element_lists.into_iter().flatten();
        let element_lists = element_lists.filter_map(|lists| lists.allowed.as_ref());
        global.into_iter().chain(element_lists).flatten()
    }

    /// Returns the canonical, sorted configuration, as the standard's `get` does.
    pub(crate) fn config(&self) -> Config {
        fn list<T: Clone>(set: &BTreeSet<T>) -> Option<Vec<T>> {
            Some(set.iter().cloned().collect())
        }
        let mut config = Config::default();
        match &self.elements {
            Elements::Allowed(elements) => {
                let element = |(name, lists): (&Name, &ElementAttributes)| Element {
                    name: name.clone(),
                    attributes: lists.allowed.as_ref().and_then(list),
                    remove_attributes: (lists.allowed.is_none() || !lists.removed.is_empty())
                        .then(|| list(&lists.removed))
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
            FilterList::Allowed(targets) => config.processing_instructions = list(targets),
            FilterList::Removed(targets) => config.remove_processing_instructions = list(targets),
        }
        match &self.attributes {
            FilterList::Allowed(attributes) => {
                config.attributes = list(attributes);
                config.data_attributes = Some(self.data_attributes);
            }
            FilterList::Removed(attributes) => config.remove_attributes = list(attributes),
        }
        config.comments = Some(self.comments);
        config.javascript_urls = Some(self.javascript_urls);
        config
    }

    /// Allows an element. Has no effect if elements are removed by name and `lists` is not empty.
    pub(crate) fn allow_element(&mut self, name: Name, mut lists: ElementAttributes) {
        match &mut self.elements {
            Elements::Allowed(elements) => {
                match &self.attributes {
                    FilterList::Allowed(global_attributes) => {
                        if let Some(allowed) = &mut lists.allowed {
                            allowed.retain(|name| {
                                !(global_attributes.contains(name)
                                    || self.data_attributes && is_data_attribute(name))
                            });
                        }
                        lists.removed.retain(|name| global_attributes.contains(name));
                    }
                    FilterList::Removed(global_attributes) => {
                        if let Some(allowed) = &mut lists.allowed {
                            allowed.retain(|name| {
                                !global_attributes.contains(name) && !lists.removed.contains(name)
                            });
                            lists.removed.clear();
                        }
                        lists.removed.retain(|name| !global_attributes.contains(name));
                    }
                }
                self.replaced.remove(&name);
                self.removed_by_name.remove(&name);
                elements.insert(name, lists);
            }
            Elements::Removed(elements) if lists == ElementAttributes::default() => {
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
                self.removed_by_name.insert(name);
            }
            Elements::Removed(elements) => {
                elements.insert(name);
            }
        }
    }

    pub(crate) fn replace_element(&mut self, name: Name) -> Result<(), ConfigError> {
        let mut non_replaceable = ELEMENTS.non_replaceable.iter().map(element_name);
        let is_replaceable = non_replaceable.all(|other| other != name);
        ensure(is_replaceable, || not_replaceable_message(&name))?;
        self.removed_by_name.remove(&name);
        match &mut self.elements {
            Elements::Allowed(elements) => drop(elements.remove(&name)),
            Elements::Removed(elements) => drop(elements.remove(&name)),
        }
        self.replaced.insert(name);
        Ok(())
    }

    pub(crate) fn allow_attribute(&mut self, name: Name) {
        match &mut self.attributes {
            FilterList::Allowed(_) if self.data_attributes && is_data_attribute(&name) => {}
            FilterList::Allowed(attributes) => {
                if let Elements::Allowed(elements) = &mut self.elements {
                    for allowed in elements.values_mut().filter_map(|lists| lists.allowed.as_mut())
                    {
                        allowed.remove(&name);
                    }
                }
                attributes.insert(name);
            }
            FilterList::Removed(attributes) => drop(attributes.remove(&name)),
        }
    }

    pub(crate) fn remove_attribute(&mut self, name: Name) {
        self.drop_attributes(|other| *other == name);
        if let FilterList::Removed(attributes) = &mut self.attributes {
            attributes.insert(name);
        }
    }

    /// Deletes the attributes for which `is_dropped` holds from the list of allowed attributes and from the lists of
    /// single elements.
    fn drop_attributes(&mut self, is_dropped: impl Fn(&Name) -> bool) {
        if let Elements::Allowed(elements) = &mut self.elements {
            for lists in elements.values_mut() {
                lists.removed.retain(|name| !is_dropped(name));
                if let Some(allowed) = &mut lists.allowed {
                    allowed.retain(|name| !is_dropped(name));
                }
            }
        }
        if let FilterList::Allowed(attributes) = &mut self.attributes {
            attributes.retain(|name| !is_dropped(name));
        }
    }

    /// Allows or removes all custom data attributes; allowing them deletes them from the lists as redundant. Has no
    /// effect if attributes are removed by name.
    pub(crate) fn set_data_attributes(&mut self, allowed: bool) {
        if matches!(self.attributes, FilterList::Allowed(_)) {
            if allowed {
                self.drop_attributes(is_data_attribute);
            }
            self.data_attributes = allowed;
        }
    }

    pub(crate) fn set_instruction(&mut self, target: &str, allowed: bool) {
        match (&mut self.instructions, allowed) {
            (FilterList::Allowed(targets), true) | (FilterList::Removed(targets), false) => {
                targets.insert(target.to_owned());
            }
            (FilterList::Allowed(targets), false) | (FilterList::Removed(targets), true) => {
                targets.remove(target);
            }
        }
    }

    /// Allows only these elements; elements allowed before keep their attribute lists.
    pub(crate) fn only_elements(&mut self, names: impl IntoIterator<Item = Name>) {
        let mut old_elements = match &mut self.elements {
            Elements::Allowed(elements) => std::mem::take(elements),
            Elements::Removed(_) => BTreeMap::new(),
        };
        let to_entry = |name: Name| {
            self.replaced.remove(&name);
            let lists = old_elements.remove(&name).unwrap_or_default();
            (name, lists)
        };
        self.elements = Elements::Allowed(names.into_iter().map(to_entry).collect());
    }

    /// Allows only these attributes, on all elements; all `data-` attributes stay allowed if they were.
    pub(crate) fn only_attributes(&mut self, names: impl IntoIterator<Item = Name>) {
        self.attributes = FilterList::Allowed(names.into_iter().collect());
        if let Elements::Allowed(elements) = &mut self.elements {
            elements.values_mut().for_each(|lists| *lists = ElementAttributes::default());
        }
        self.set_data_attributes(self.data_attributes);
    }
}

fn not_replaceable_message(name: &Name) -> String {
    format!(
        "`{name}` cannot be replaced by its contents, because no markup parses to the resulting tree"
    )
}

/// Validates and canonicalizes a list of elements; their own attributes must be consistent with
/// `global_attributes`, those of all elements.
fn element_attributes(
    list: &[Element],
    global_attributes: &FilterList<Name>,
) -> Result<BTreeMap<Name, ElementAttributes>, ConfigError> {
    let mut elements = BTreeMap::new();
    for Element { name, attributes, remove_attributes } in list {
        let member_of_element = |member| format!("`{member}` of `{name}`");
        let removed = remove_attributes.as_deref().unwrap_or_default();
        let removed = unique_set(removed, &member_of_element("removeAttributes"))?;
        let allowed =
            attributes.as_deref().map(|it| unique_set(it, &member_of_element("attributes")));
        let allowed = allowed.transpose()?;
        let allowed_names = allowed.iter().flatten();
        match global_attributes {
            FilterList::Allowed(global_attributes) => {
                check_disjoint(
                    allowed_names,
                    global_attributes,
                    &format!("the global `attributes` and in `attributes` of `{name}`"),
                )?;
                if let Some(unlisted) = removed.difference(global_attributes).next() {
                    return Err(ConfigError::new(format!(
                        "`{unlisted}` is in `removeAttributes` of `{name}`, but not in `attributes`"
                    )));
                }
            }
            FilterList::Removed(global_attributes) => {
                ensure(allowed.is_none() || remove_attributes.is_none(), || {
                    format!(
                        "`attributes` and `removeAttributes` of `{name}` are mutually exclusive"
                    )
                })?;
                let member = match allowed.is_some() {
                    true => "attributes",
                    false => "removeAttributes",
                };
                let list_names =
                    format!("the global `removeAttributes` and in `{member}` of `{name}`");
                check_disjoint(allowed_names.chain(&removed), global_attributes, &list_names)?;
            }
        }
        let is_new =
            elements.insert(name.clone(), ElementAttributes { allowed, removed }).is_none();
        ensure(is_new, || format!("`{name}` is listed twice in `elements`"))?;
    }
    Ok(elements)
}
