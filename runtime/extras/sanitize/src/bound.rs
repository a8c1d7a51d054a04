//! A configuration resolved to the name ids of one tree, so that no strings are compared per node.

use crate::lists::{ELEMENTS, LISTS, TableElement};
use crate::name::{Name, attribute_parts};
use crate::policy::{UnknownElements, runs_script};
use crate::rules::{
    ElementAttributes, Elements, FilterList, Rules, element_name, is_custom_data, is_event_handler,
};
use std::collections::BTreeSet;
use tabulex_core::tree::{
    self, AttributeRef, LocalName, NameRef, Namespace, NodeRef, SerializerNames, Tree,
};

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
    /// The treatment of elements, and for allowed ones their attribute lists.
    elements: ByName<(Treatment, Option<ResolvedAttributes>)>,
    attributes: ByName<()>,
    /// The attributes of elements that contain the URL of a link; empty if `javascript:` URLs are allowed.
    navigating: ByName<AttributeIds>,
    /// The attributes of elements that name the attribute that an animation changes; empty if `javascript:` URLs are
    /// allowed.
    animating: ByName<AttributeIds>,
    /// Attributes that contain the URL of a link on any MathML element; empty if `javascript:` URLs are allowed.
    navigating_in_math: AttributeIds,
    /// The local names of an HTML element and of its attribute that is removed even if allowed.
    unstable_attribute: Option<(LocalName, LocalName)>,
    /// The elements that are replaced by their contents if they are within another element of their name.
    unstable_if_nested: Vec<(Namespace, LocalName)>,
    /// The elements within which raw text and foreign elements are removed.
    plain: Vec<(Namespace, LocalName)>,
    /// The local names of HTML elements with raw text, if these are removed somewhere.
    raw_text: Vec<LocalName>,
    /// Whether the whole tree is within such an element.
    is_plain: bool,
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

/// Properties of sanitized markup that will be parsed again, possibly in another context. Nodes whose markup may then
/// parse differently are removed even if allowed.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ReparsedMarkup<'n> {
    /// The names on which the serialization of the markup depends.
    pub(crate) names: &'n SerializerNames<'n>,
    /// Whether the markup is in an element within which raw text and foreign elements are removed.
    pub(crate) is_plain: bool,
}

impl<'n> ReparsedMarkup<'n> {
    /// Iterates over the local names of the HTML elements that are removed anywhere.
    pub(crate) fn removed_elements(self) -> impl Iterator<Item = &'n str> {
        let endless = ELEMENTS.endless.iter().map(|(_, local, _)| *local);
        self.names.raw_text_when_scripting.iter().copied().chain(endless)
    }
}

impl<'c> ResolvedRules<'c> {
    pub(crate) fn new(
        rules: &'c Rules,
        is_safe: bool,
        unknown: UnknownElements,
        reparsed: Option<ReparsedMarkup<'c>>,
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
        let resolve_lists = |lists: &ElementAttributes| ResolvedAttributes {
            allowed: lists.allowed.as_ref().map(resolve_set),
            removed: resolve_set(&lists.removed),
        };
        let name_parts = |name: &'c Name| Some((name.local(), name.namespace_in(names)?));
        let entry = |name: &'c Name, treatment: Treatment, lists: Option<&'c ElementAttributes>| {
            let (local, namespace) = name_parts(name)?;
            Some((local, namespace, (treatment, lists)))
        };
        let removed = |name: &'c Name| entry(name, Treatment::Remove, None);
        let removed_entries = |list: &'static [TableElement]| {
            list.iter().map(|&(namespace, local, _)| (local, namespace, (Treatment::Remove, None)))
        };
        let unstable_elements = reparsed.into_iter().flat_map(ReparsedMarkup::removed_elements);
        let unstable_elements =
            unstable_elements.map(|local| (local, Namespace::HTML, (Treatment::Remove, None)));
        let unlisted = match (&rules.elements, unknown) {
            (Elements::Removed(_), _) => Treatment::Keep,
            (Elements::Allowed(_), UnknownElements::Remove) => Treatment::Remove,
            (Elements::Allowed(_), UnknownElements::KeepContents) => Treatment::Unwrap,
            (Elements::Allowed(_), UnknownElements::Escape) => Treatment::Escape,
        };
        let unsafe_elements = ELEMENTS.unsafe_elements.iter().filter(|_| is_safe);
        let unsafe_elements = unsafe_elements.map(|element| {
            let is_escaped = unlisted == Treatment::Escape
                && !rules.removed_by_name.contains(&element_name(element));
            let treatment = if is_escaped { Treatment::Escape } else { Treatment::Remove };
            (element.1, element.0, (treatment, None))
        });
        // If a name has several entries, the first takes precedence, so elements that are not kept even if allowed come
        // first.
        let mut entries: Vec<_> = unstable_elements.chain(unsafe_elements).collect();
        let replaced = rules.replaced.iter();
        entries.extend(replaced.filter_map(|name| entry(name, Treatment::Unwrap, None)));
        match &rules.elements {
            Elements::Allowed(elements) => {
                let allowed = elements.iter();
                entries.extend(
                    allowed.filter_map(|(name, lists)| entry(name, Treatment::Keep, Some(lists))),
                );
                entries.extend(rules.removed_by_name.iter().filter_map(removed));
                if unlisted == Treatment::Unwrap {
                    entries.extend(removed_entries(ELEMENTS.unsafe_elements));
                    entries.extend(removed_entries(ELEMENTS.without_text));
                }
            }
            Elements::Removed(elements) => entries.extend(elements.iter().filter_map(removed)),
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
        let forbids_scripts = is_safe || !rules.javascript_urls;
        let resolve_list = |list: &'static [TableElement]| {
            let rows = list.iter().filter(|_| forbids_scripts);
            let rows = rows.map(|&(namespace, local, attributes)| (local, namespace, attributes));
            ByName::of(tree, rows, resolve_names)
        };
        let navigating_in_math = if forbids_scripts { LISTS.navigating_in_math } else { &[] };
        let shadow_root = reparsed.and_then(|markup| markup.names.shadow_root);
        let unstable_attribute = shadow_root.and_then(|declaration| {
            Some((names.find_local(declaration.template)?, names.find_local(declaration.mode)?))
        });
        let resolve_elements = |list: &[TableElement]| {
            let resolve =
                |(namespace, local, _): &TableElement| Some((*namespace, names.find_local(local)?));
            list.iter().filter(|_| reparsed.is_some()).filter_map(resolve).collect()
        };
        let raw_text = reparsed.iter().flat_map(|markup| markup.names.raw_text);
        Self {
            rules,
            is_safe,
            unlisted,
            elements: ByName::of(tree, entries.into_iter(), |(treatment, lists)| {
                (treatment, lists.map(resolve_lists))
            }),
            attributes: ByName::of(tree, attributes, |()| ()),
            navigating: resolve_list(ELEMENTS.navigating),
            animating: resolve_list(ELEMENTS.animating),
            navigating_in_math: resolve_names(navigating_in_math),
            unstable_attribute,
            unstable_if_nested: resolve_elements(ELEMENTS.unnested),
            plain: resolve_elements(ELEMENTS.plain),
            raw_text: raw_text.filter_map(|local| names.find_local(local)).collect(),
            is_plain: reparsed.is_some_and(|markup| markup.is_plain),
        }
    }

    /// Returns the treatment of an element: that of its name, unless the elements around it could make other parsers read
    /// its markup differently.
    pub(crate) fn treatment_in_context(&self, node: NodeRef<'_>, name: NameRef<'_>) -> Treatment {
        let id_of = |name: NameRef<'_>| (name.namespace(), name.id().local());
        let is_within = |ids: &[(Namespace, LocalName)]| {
            let mut outer_names = node.ancestors().filter_map(|outer| outer.name());
            outer_names.any(|outer| ids.contains(&id_of(outer)))
        };
        let id = id_of(name);
        // The contents of a removed element are not checked, so only the outermost foreign elements are.
        let is_foreign = || {
            id.0 != Namespace::HTML
                && node.parent().and_then(|it| it.name()).is_none_or(|it| it.namespace() != id.0)
        };
        match self.element_treatment(name) {
            Treatment::Keep if self.unstable_if_nested.contains(&id) && is_within(&[id]) => {
                Treatment::Unwrap
            }
            Treatment::Keep
                if !self.plain.is_empty()
                    && (is_foreign()
                        || id.0 == Namespace::HTML && self.raw_text.contains(&id.1))
                    && (self.is_plain || is_within(&self.plain)) =>
            {
                Treatment::Remove
            }
            treatment => treatment,
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
    fn element_treatment(&self, name: NameRef<'_>) -> Treatment {
        let listed = self.elements.get(name.id(), name.namespace());
        listed.map_or(self.unlisted, |(treatment, _)| *treatment)
    }

    /// Returns a predicate for the attributes to keep on an allowed element of this name.
    pub(crate) fn attribute_filter<'b>(
        &'b self,
        name: NameRef<'_>,
    ) -> impl Fn(AttributeRef<'_>) -> bool + use<'b, 'c> {
        let (name, namespace) = (name.id(), name.namespace());
        let lists = self.elements.get(name, namespace).and_then(|(_, lists)| lists.as_ref());
        let navigating = self.navigating.get(name, namespace);
        let animating = self.animating.get(name, namespace);
        let in_math: &[AttributeId] =
            if namespace == Namespace::MATHML { &self.navigating_in_math } else { &[] };
        let unstable_attribute = self
            .unstable_attribute
            .filter(|(element, _)| *element == name.local() && namespace == Namespace::HTML);
        move |attribute| {
            self.keeps(lists, attribute.name())
                && !can_run_script(attribute, navigating, animating, in_math)
                && unstable_attribute
                    .is_none_or(|(_, local)| attribute.name().id().local() != local)
        }
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
            FilterList::Removed(_) => !is_listed() && is_in_element_list() != Some(false),
        };
        is_kept
            && !(self.is_safe && is_event_handler(namespace, attribute.local()))
            && !lists.is_some_and(|lists| lists.removed.contains(&attribute_id))
    }
}

/// Whether following a link with this attribute, or animating a link by it, can run a script. `navigating` and `in_math`
/// list the attributes that contain the URL of a link, `animating` those that name the attribute that changes.
#[inline]
fn can_run_script(
    attribute: AttributeRef<'_>,
    navigating: Option<&AttributeIds>,
    animating: Option<&AttributeIds>,
    in_math: &[AttributeId],
) -> bool {
    let name = attribute.name();
    let name = (name.namespace(), name.id().local());
    let navigates = navigating.is_some_and(|list| list.contains(&name)) || in_math.contains(&name);
    let animates = animating.is_some_and(|list| list.contains(&name));
    let is_animated = |value: &str| {
        let local = value.rsplit_once(':').map_or(value, |(_, local)| local);
        LISTS.animated.contains(&local)
    };
    navigates && runs_script(attribute.value()) || animates && is_animated(attribute.value())
}
