//! A configuration resolved to the name ids of one tree, so that no strings are compared per node.

use crate::lists::{ELEMENTS, NAMES, TableElement};
use crate::name::{Name, attribute_parts};
use crate::policy::{UnknownElements, runs_script};
use crate::rules::{
    ElementAttributes, Elements, FilterList, Rules, is_custom_data, is_event_handler,
};
use std::collections::BTreeSet;
use tabulex_core::tree::{self, AttributeRef, LocalName, NameRef, Namespace, NodeRef, Tree};

/// A map from names of a tree to values, looked up by id.
#[derive(Debug)]
struct ByName<T> {
    /// For each local name id, one plus the index of its first entry; 0 if it has none.
    first_entries: Vec<usize>,
    /// Local names, namespaces and values, sorted by the id of the local name.
    entries: Vec<(LocalName, Namespace, T)>,
}

impl<T> ByName<T> {
    /// Creates a map with those of `names` whose local names occur in the tree; `to_value` converts the value listed
    /// for each.
    fn of<'n, L>(
        tree: &Tree,
        names: impl Iterator<Item = (&'n str, Namespace, L)>,
        to_value: impl Fn(L) -> T,
    ) -> Self {
        let entries = names.filter_map(|(local, namespace, listed)| {
            Some((tree.names().find_local(local)?, namespace, to_value(listed)))
        });
        let mut entries: Vec<_> = entries.collect();
        // The sort is stable: of two entries for a name, the first takes precedence.
        entries.sort_by_key(|(local, ..)| local.id());
        let table_len = entries.last().map_or(0, |(local, ..)| local.id() as usize + 1);
        let mut first_entries = vec![0; table_len];
        for (index, (local, ..)) in entries.iter().enumerate().rev() {
            first_entries[local.id() as usize] = index + 1;
        }
        Self { first_entries, entries }
    }

    #[inline]
    fn get(&self, name: tree::Name, namespace: Namespace) -> Option<&T> {
        let index_plus_one = *self.first_entries.get(name.local().id() as usize)?;
        let entries = self.entries.get(index_plus_one.checked_sub(1)?..)?;
        let mut entries = entries.iter().take_while(|(local, ..)| *local == name.local());
        entries
            .find(|(_, entry_namespace, _)| *entry_namespace == namespace)
            .map(|(.., value)| value)
    }
}

/// The treatment of all elements with a given name; for allowed elements, with their attribute lists.
#[derive(Clone, Copy, Debug)]
enum ElementTreatment<L> {
    Allowed(L),
    Removed,
    Replaced,
}

/// The treatment of a node by a sanitizer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Treatment {
    Keep,
    Remove,
    /// The node is replaced by its contents.
    Unwrap,
    /// The element's tags are replaced by text, and its contents are kept.
    Escape,
}

/// A configuration resolved to the name ids of a tree.
pub(crate) struct ResolvedRules<'c> {
    rules: &'c Rules,
    is_safe: bool,
    /// The treatment of elements that are not in `elements`.
    unlisted: Treatment,
    elements: ByName<ElementTreatment<ResolvedAttributes>>,
    attributes: ByName<()>,
    script_attributes: ByName<ScriptAttributes<AttributeIds>>,
    /// Attributes that contain the URL of a link on any MathML element.
    navigating_in_math: AttributeIds,
    /// The local names of an HTML element and of its attribute that is removed even if allowed.
    unstable_attribute: Option<(LocalName, LocalName)>,
}

/// The namespace and local name of an attribute, as ids.
type AttributeId = (Namespace, LocalName);
type AttributeIds = Vec<AttributeId>;

/// Attributes allowed or removed for one element only.
#[derive(Debug)]
struct ResolvedAttributes {
    allowed: Option<AttributeIds>,
    removed: AttributeIds,
}

/// Nodes removed even if allowed, because their markup parses differently in other contexts.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct UnstableNodes<'n> {
    /// Local names of the HTML elements to remove.
    pub(crate) elements: &'n [&'n str],
    /// The local names of an HTML element and of its attribute to remove, if there is one.
    pub(crate) attribute: Option<(&'n str, &'n str)>,
}

impl<'c> ResolvedRules<'c> {
    pub(crate) fn new(
        rules: &'c Rules,
        is_safe: bool,
        unknown: UnknownElements,
        unstable: UnstableNodes<'c>,
        tree: &Tree,
    ) -> Self {
        let names = tree.names();
        let resolve_set = |list: &BTreeSet<Name>| -> AttributeIds {
            let resolve = |name: &Name| {
                let local = names.find_local(name.local())?;
                Some((name.namespace_in(names)?, local))
            };
            list.iter().filter_map(resolve).collect()
        };
        let resolve_treatment = |listed: ElementTreatment<&ElementAttributes>| match listed {
            ElementTreatment::Allowed(lists) => ElementTreatment::Allowed(ResolvedAttributes {
                allowed: lists.allowed.as_ref().map(resolve_set),
                removed: resolve_set(&lists.removed),
            }),
            ElementTreatment::Removed => ElementTreatment::Removed,
            ElementTreatment::Replaced => ElementTreatment::Replaced,
        };
        let name_parts = |name: &'c Name| Some((name.local(), name.namespace_in(names)?));
        let entry = |name: &'c Name, listed: ElementTreatment<&'c ElementAttributes>| {
            let (local, namespace) = name_parts(name)?;
            Some((local, namespace, listed))
        };
        let removed_entries = |list: &'static [TableElement]| {
            list.iter().map(|&(namespace, local, _)| (local, namespace, ElementTreatment::Removed))
        };
        let unstable_elements = unstable.elements.iter();
        let unstable_elements =
            unstable_elements.map(|local| (*local, Namespace::HTML, ElementTreatment::Removed));
        // If a name has several entries, the first takes precedence, so unstable elements come first.
        let mut entries: Vec<_> = unstable_elements.collect();
        let mut unlisted = Treatment::Keep;
        entries.extend(
            rules.replaced.iter().filter_map(|name| entry(name, ElementTreatment::Replaced)),
        );
        match &rules.elements {
            Elements::Allowed(elements) => {
                entries.extend(
                    elements
                        .iter()
                        .filter_map(|(name, lists)| entry(name, ElementTreatment::Allowed(lists))),
                );
                entries.extend(
                    rules
                        .removed_by_name
                        .iter()
                        .filter_map(|name| entry(name, ElementTreatment::Removed)),
                );
                unlisted = match unknown {
                    UnknownElements::Remove => Treatment::Remove,
                    UnknownElements::KeepContents => {
                        entries.extend(removed_entries(ELEMENTS.unsafe_elements));
                        entries.extend(removed_entries(ELEMENTS.without_text));
                        Treatment::Unwrap
                    }
                    UnknownElements::Escape => Treatment::Escape,
                };
            }
            Elements::Removed(elements) => {
                entries.extend(
                    elements.iter().filter_map(|name| entry(name, ElementTreatment::Removed)),
                );
            }
        }
        let (FilterList::Allowed(attributes) | FilterList::Removed(attributes)) = &rules.attributes;
        let attributes = attributes.iter().filter_map(|name| {
            let (local, namespace) = name_parts(name)?;
            Some((local, namespace, ()))
        });
        let resolve_names = |list: &[&str]| -> AttributeIds {
            let split_names = list.iter().map(|name| attribute_parts(name));
            let ids =
                split_names.filter_map(|(space, local)| Some((space, names.find_local(local)?)));
            ids.collect()
        };
        // An element may be in both lists, `navigating` and `animating`, so its attributes are looked up in each.
        let resolve_script_attributes = |element: (Namespace, &str)| {
            let resolve_attributes_in = |list: &'static [TableElement]| {
                let rows =
                    list.iter().filter(|(namespace, name, _)| (*namespace, *name) == element);
                rows.flat_map(|(.., attributes)| resolve_names(attributes)).collect()
            };
            let (navigating, animating) = (
                resolve_attributes_in(ELEMENTS.navigating),
                resolve_attributes_in(ELEMENTS.animating),
            );
            ScriptAttributes { navigating, animating, in_math: Vec::new() }
        };
        let script_elements = ELEMENTS.navigating.iter().chain(ELEMENTS.animating);
        let script_elements =
            script_elements.map(|&(namespace, name, _)| (name, namespace, (namespace, name)));
        let unstable_attribute = unstable.attribute.and_then(|(element, attribute)| {
            Some((names.find_local(element)?, names.find_local(attribute)?))
        });
        Self {
            rules,
            is_safe,
            unlisted,
            elements: ByName::of(tree, entries.into_iter(), resolve_treatment),
            attributes: ByName::of(tree, attributes, |()| ()),
            script_attributes: ByName::of(tree, script_elements, resolve_script_attributes),
            navigating_in_math: resolve_names(NAMES.navigating_in_math),
            unstable_attribute,
        }
    }

    /// Returns the treatment of a node other than an element.
    pub(crate) fn node_treatment(&self, node: NodeRef<'_>) -> Treatment {
        let is_kept = match node.kind() {
            tree::NodeKind::Comment => self.rules.comments,
            tree::NodeKind::ProcessingInstruction => {
                node.target().is_some_and(|target| match &self.rules.instructions {
                    FilterList::Allowed(targets) => targets.contains(target),
                    FilterList::Removed(targets) => !targets.contains(target),
                })
            }
            _ => true,
        };
        if is_kept { Treatment::Keep } else { Treatment::Remove }
    }

    /// Returns the treatment of an element of this name.
    #[inline]
    pub(crate) fn element_treatment(&self, name: NameRef<'_>) -> Treatment {
        match self.elements.get(name.id(), name.namespace()) {
            Some(ElementTreatment::Replaced) => Treatment::Unwrap,
            Some(ElementTreatment::Removed) => Treatment::Remove,
            Some(ElementTreatment::Allowed(_)) => Treatment::Keep,
            None => self.unlisted,
        }
    }

    /// Returns a predicate for the attributes to keep on an allowed element of this name.
    pub(crate) fn attribute_filter<'b>(
        &'b self,
        name: NameRef<'_>,
    ) -> impl Fn(AttributeRef<'_>) -> bool + use<'b, 'c> {
        let (name, namespace) = (name.id(), name.namespace());
        let lists = match self.elements.get(name, namespace) {
            Some(ElementTreatment::Allowed(lists)) => Some(lists),
            _ => None,
        };
        let script_attributes = self.script_attributes_of(name, namespace);
        let unstable_attribute = self
            .unstable_attribute
            .filter(|(element, _)| *element == name.local() && namespace == Namespace::HTML);
        move |attribute| {
            self.keeps(lists, attribute.name())
                && !script_attributes.matches(attribute)
                && unstable_attribute
                    .is_none_or(|(_, local)| attribute.name().id().local() != local)
        }
    }

    /// Returns the attributes of an element that can run a script when a link is followed or animated; none if
    /// `javascript:` URLs are allowed.
    #[inline]
    fn script_attributes_of(
        &self,
        element: tree::Name,
        namespace: Namespace,
    ) -> ScriptAttributes<&[AttributeId]> {
        if self.rules.javascript_urls {
            return ScriptAttributes::default();
        }
        let listed_attributes = self.script_attributes.get(element, namespace);
        let mut script_attributes =
            listed_attributes.map_or_else(ScriptAttributes::default, |attributes| {
                ScriptAttributes {
                    navigating: &attributes.navigating[..],
                    animating: &attributes.animating[..],
                    in_math: &[],
                }
            });
        if namespace == Namespace::MATHML {
            script_attributes.in_math = &self.navigating_in_math;
        }
        script_attributes
    }

    #[inline]
    fn keeps(&self, lists: Option<&ResolvedAttributes>, attribute: NameRef<'_>) -> bool {
        let (name, namespace) = (attribute.id(), attribute.namespace());
        let attribute_id = (namespace, name.local());
        let is_listed = || self.attributes.get(name, namespace).is_some();
        let is_in_element_list = || {
            lists.and_then(|lists| lists.allowed.as_ref()).map(|list| list.contains(&attribute_id))
        };
        let is_kept = match self.rules.attributes {
            FilterList::Allowed(_) => {
                let is_data = || is_custom_data(namespace, attribute.local());
                is_listed()
                    || is_in_element_list() == Some(true)
                    || self.rules.data_attributes && is_data()
            }
            // `Rules::remove_unsafe` has deleted event handlers from lists of allowed attributes, so only this case
            // checks for them.
            FilterList::Removed(_) => {
                !is_listed()
                    && is_in_element_list() != Some(false)
                    && !(self.is_safe && is_event_handler(namespace, attribute.local()))
            }
        };
        is_kept && !lists.is_some_and(|lists| lists.removed.contains(&attribute_id))
    }
}

/// The attributes of an element whose values can run a script.
#[derive(Clone, Copy, Debug, Default)]
struct ScriptAttributes<L> {
    /// Attributes that contain the URL of a link.
    navigating: L,
    /// Attributes that name the attribute that an animation changes.
    animating: L,
    /// Attributes that contain the URL of a link on any MathML element.
    in_math: L,
}

impl ScriptAttributes<&[AttributeId]> {
    /// Whether following a link with this attribute, or animating a link by it, can run a script.
    #[inline]
    fn matches(self, attribute: AttributeRef<'_>) -> bool {
        let name = attribute.name();
        let name = (name.namespace(), name.id().local());
        let navigates = self.navigating.contains(&name) || self.in_math.contains(&name);
        let is_animated = |value: &str| {
            let local = value.rsplit_once(':').map_or(value, |(_, local)| local);
            NAMES.animated.contains(&local)
        };
        navigates && runs_script(attribute.value())
            || self.animating.contains(&name) && is_animated(attribute.value())
    }
}
