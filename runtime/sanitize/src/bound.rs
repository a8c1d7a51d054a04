//! A configuration resolved to the name numbers of one tree, so that no node costs a comparison of strings.

use crate::lists::{ELEMENTS, ListedElement, NAMES};
use crate::name::{Name, attribute_parts};
use crate::policy::{UnknownElements, runs_script};
use crate::rules::{Elements, Listed, OwnAttributes, Rules, is_custom_data, is_handler};
use std::collections::BTreeSet;
use tabulex_core::tree::{self, AttributeRef, LocalName, NameRef, Namespace, NodeRef, Tree};

/// A map from the names of a tree, looked up by number.
#[derive(Debug)]
struct ByName<T> {
    /// Index of the first entry of each local name, by its number, counted from 1; 0 without entries.
    begins: Vec<usize>,
    /// Sorted by local name.
    entries: Vec<(LocalName, Namespace, T)>,
}

impl<T> ByName<T> {
    /// Makes a value for each listed name that the tree has.
    fn of<'n, L>(
        tree: &Tree,
        names: impl Iterator<Item = (&'n str, Namespace, L)>,
        make: impl Fn(L) -> T,
    ) -> Self {
        let names = names.filter_map(|(local, namespace, listed)| {
            Some((tree.names().find_local(local)?, namespace, make(listed)))
        });
        let mut entries: Vec<_> = names.collect();
        // Where a name is listed twice, the first one holds.
        entries.sort_by_key(|(local, ..)| local.id());
        let last = entries.last().map_or(0, |(local, ..)| local.id() as usize + 1);
        let mut begins = vec![0; last];
        for (index, (local, ..)) in entries.iter().enumerate().rev() {
            begins[local.id() as usize] = index + 1;
        }
        Self { begins, entries }
    }

    #[inline]
    fn get(&self, name: tree::Name, namespace: Namespace) -> Option<&T> {
        let begin = *self.begins.get(name.local().id() as usize)?;
        let entries = self.entries.get(begin.checked_sub(1)?..)?;
        let mut entries = entries.iter().take_while(|(local, ..)| *local == name.local());
        entries.find(|(_, other, _)| *other == namespace).map(|(.., value)| value)
    }
}

/// The list of a configuration that an element is in.
#[derive(Clone, Copy)]
enum Listing<'c> {
    Allowed(&'c OwnAttributes),
    Removed,
    Replaced,
}

/// Treatment of the elements of a name.
#[derive(Debug)]
enum Fate {
    Allowed(BoundAttributes),
    Removed,
    Replaced,
}

/// Treatment of a node.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Verdict {
    Stays,
    Goes,
    /// Replaced by its contents.
    GivesWay,
    /// Replaced by its tags as text, around its contents.
    Escaped,
}

/// A configuration resolved for a tree.
pub(crate) struct Bound<'c> {
    rules: &'c Rules,
    is_safe: bool,
    /// Treatment of elements that are not in `elements`.
    others: Verdict,
    elements: ByName<Fate>,
    attributes: ByName<()>,
    scripts: ByName<Scripts<Attributes>>,
    /// Attributes whose URL is followed on any element of MathML.
    navigating_in_math: Attributes,
    /// An HTML element, and an attribute that is removed from it although it is allowed.
    withheld: Option<(LocalName, LocalName)>,
}

/// Namespace and local name of an attribute.
type NumberedName = (Namespace, LocalName);
type Attributes = Vec<NumberedName>;

/// Attributes that one element allows or removes by itself.
#[derive(Debug)]
struct BoundAttributes {
    allowed: Option<Attributes>,
    removed: Attributes,
}

/// Nodes that are allowed and removed all the same, because their markup is not read alike everywhere.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Withheld<'n> {
    /// HTML elements.
    pub(crate) elements: &'n [&'n str],
    /// An HTML element, and an attribute that goes from it.
    pub(crate) attribute: Option<(&'n str, &'n str)>,
}

impl<'c> Bound<'c> {
    pub(crate) fn new(
        rules: &'c Rules,
        is_safe: bool,
        unknown: UnknownElements,
        withheld: Withheld<'c>,
        tree: &Tree,
    ) -> Self {
        let names = tree.names();
        let find = |list: &BTreeSet<Name>| -> Attributes {
            let found = |name: &Name| {
                let local = names.find_local(name.local())?;
                Some((name.namespace_in(names)?, local))
            };
            list.iter().filter_map(found).collect()
        };
        let fate = |listing: Listing<'_>| match listing {
            Listing::Allowed(own) => Fate::Allowed(BoundAttributes {
                allowed: own.allowed.as_ref().map(find),
                removed: find(&own.removed),
            }),
            Listing::Removed => Fate::Removed,
            Listing::Replaced => Fate::Replaced,
        };
        let parts = |name: &'c Name| Some((name.local(), name.namespace_in(names)?));
        let listed = |name: &'c Name, listing: Listing<'c>| {
            let (local, namespace) = parts(name)?;
            Some((local, namespace, listing))
        };
        let removed = |list: &'static [ListedElement]| {
            list.iter().map(|&(namespace, local, _)| (local, namespace, Listing::Removed))
        };
        let withheld_elements = withheld.elements.iter();
        let withheld_elements =
            withheld_elements.map(|local| (*local, Namespace::HTML, Listing::Removed));
        // Where a name is listed twice, the first one holds.
        let mut all: Vec<_> = withheld_elements.collect();
        let mut others = Verdict::Stays;
        all.extend(rules.replaced.iter().filter_map(|name| listed(name, Listing::Replaced)));
        match &rules.elements {
            Elements::Allowed(elements) => {
                all.extend(
                    elements.iter().filter_map(|(name, own)| listed(name, Listing::Allowed(own))),
                );
                all.extend(rules.dropped.iter().filter_map(|name| listed(name, Listing::Removed)));
                others = match unknown {
                    UnknownElements::Remove => Verdict::Goes,
                    UnknownElements::KeepContents => {
                        all.extend(removed(ELEMENTS.unsafe_elements));
                        all.extend(removed(ELEMENTS.without_text));
                        Verdict::GivesWay
                    }
                    UnknownElements::Escape => Verdict::Escaped,
                };
            }
            Elements::Removed(elements) => {
                all.extend(elements.iter().filter_map(|name| listed(name, Listing::Removed)));
            }
        }
        let (Listed::Allowed(attributes) | Listed::Removed(attributes)) = &rules.attributes;
        let attributes = attributes.iter().filter_map(|name| {
            let (local, namespace) = parts(name)?;
            Some((local, namespace, ()))
        });
        let known = |list: &[&str]| -> Attributes {
            let parts = list.iter().map(|name| attribute_parts(name));
            let found = parts.filter_map(|(space, local)| Some((space, names.find_local(local)?)));
            found.collect()
        };
        // An element may be in both lists.
        let scripts = |element: (Namespace, &str)| {
            let of = |list: &'static [ListedElement]| {
                let own = list.iter().filter(|(namespace, name, _)| (*namespace, *name) == element);
                own.flat_map(|(.., attributes)| known(attributes)).collect()
            };
            let (navigating, animating) = (of(ELEMENTS.navigating), of(ELEMENTS.animating));
            Scripts { navigating, animating, in_math: Vec::new() }
        };
        let running = ELEMENTS.navigating.iter().chain(ELEMENTS.animating);
        let running = running.map(|&(namespace, name, _)| (name, namespace, (namespace, name)));
        let withheld = withheld.attribute.and_then(|(element, attribute)| {
            Some((names.find_local(element)?, names.find_local(attribute)?))
        });
        Self {
            rules,
            is_safe,
            others,
            elements: ByName::of(tree, all.into_iter(), fate),
            attributes: ByName::of(tree, attributes, |()| ()),
            scripts: ByName::of(tree, running, scripts),
            navigating_in_math: known(NAMES.navigating_in_math),
            withheld,
        }
    }

    /// Returns the treatment of a node that is no element.
    pub(crate) fn other(&self, node: NodeRef<'_>) -> Verdict {
        let kept = match node.kind() {
            tree::NodeKind::Comment => self.rules.comments,
            tree::NodeKind::ProcessingInstruction => {
                node.target().is_some_and(|target| match &self.rules.instructions {
                    Listed::Allowed(targets) => targets.contains(target),
                    Listed::Removed(targets) => !targets.contains(target),
                })
            }
            _ => true,
        };
        if kept { Verdict::Stays } else { Verdict::Goes }
    }

    /// Returns the treatment of an element of this name.
    #[inline]
    pub(crate) fn element(&self, name: NameRef<'_>) -> Verdict {
        match self.elements.get(name.id(), name.namespace()) {
            Some(Fate::Replaced) => Verdict::GivesWay,
            Some(Fate::Removed) => Verdict::Goes,
            Some(Fate::Allowed(_)) => Verdict::Stays,
            None => self.others,
        }
    }

    /// Returns a predicate for the attributes that an allowed element of this name keeps.
    pub(crate) fn attributes<'b>(
        &'b self,
        name: NameRef<'_>,
    ) -> impl Fn(AttributeRef<'_>) -> bool + use<'b, 'c> {
        let (name, namespace) = (name.id(), name.namespace());
        let own = match self.elements.get(name, namespace) {
            Some(Fate::Allowed(own)) => Some(own),
            _ => None,
        };
        let scripts = self.scripts_of(name, namespace);
        let withheld = self
            .withheld
            .filter(|(element, _)| *element == name.local() && namespace == Namespace::HTML);
        move |attribute| {
            self.keeps(own, attribute.name())
                && !scripts.has(attribute)
                && withheld.is_none_or(|(_, withheld)| attribute.name().id().local() != withheld)
        }
    }

    /// Returns the attributes by which an element can run a script when it is followed or animated.
    #[inline]
    fn scripts_of(&self, element: tree::Name, namespace: Namespace) -> Scripts<&[NumberedName]> {
        if self.rules.javascript_urls {
            return Scripts::default();
        }
        let of_element = self.scripts.get(element, namespace);
        let mut scripts = of_element.map_or_else(Scripts::default, |it| Scripts {
            navigating: &it.navigating[..],
            animating: &it.animating[..],
            in_math: &[],
        });
        if namespace == Namespace::MATHML {
            scripts.in_math = &self.navigating_in_math;
        }
        scripts
    }

    #[inline]
    fn keeps(&self, own: Option<&BoundAttributes>, of: NameRef<'_>) -> bool {
        let (name, namespace) = (of.id(), of.namespace());
        let numbered = (namespace, name.local());
        let is_listed = || self.attributes.get(name, namespace).is_some();
        let is_own = || own.and_then(|own| own.allowed.as_ref()).map(|it| it.contains(&numbered));
        let kept = match self.rules.attributes {
            Listed::Allowed(_) => {
                let is_data = || is_custom_data(namespace, of.local());
                is_listed() || is_own() == Some(true) || self.rules.data_attributes && is_data()
            }
            // Lists that allow attributes hold no handlers, so only this one needs the check.
            Listed::Removed(_) => {
                !is_listed()
                    && is_own() != Some(false)
                    && !(self.is_safe && is_handler(namespace, of.local()))
            }
        };
        kept && !own.is_some_and(|own| own.removed.contains(&numbered))
    }
}

/// The attributes of an element that can run a script.
#[derive(Clone, Copy, Debug, Default)]
struct Scripts<L> {
    navigating: L,
    animating: L,
    in_math: L,
}

impl Scripts<&[NumberedName]> {
    /// Whether an attribute would run a script when somebody follows it.
    #[inline]
    fn has(self, attribute: AttributeRef<'_>) -> bool {
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
