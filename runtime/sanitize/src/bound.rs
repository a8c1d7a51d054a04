//! A configuration for one tree: names are numbers. It decides about nodes and changes none. Invariant: the answers are those
//! of the configuration, name by name.

use crate::config::{Config, Elements, Listed};
use crate::lists::{ELEMENTS, Element, NAMES};
use crate::name::{Name, is_custom_data};
use std::collections::HashSet;
use tabulex_core::tree::{self, AttributeRef, LocalName, NameRef, Namespace, NodeRef, Tree};

/// Something for each of some names.
#[derive(Debug)]
struct ByName<T> {
    /// For the number of each local name, up to the last one, where its entries begin, counted from 1; 0 if it has none.
    begins: Vec<usize>,
    /// Those of one local name follow each other.
    entries: Vec<(LocalName, Namespace, T)>,
}

impl<T> ByName<T> {
    /// What is made for those of the names that the tree has.
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

/// How a configuration lists an element.
#[derive(Clone, Copy)]
enum ListedElement<'c> {
    Allowed(&'c HashSet<Name>),
    Removed,
    Replaced,
}

/// What becomes of an element.
#[derive(Debug)]
enum Fate {
    /// With these attributes beside those of all elements.
    Allowed(Attributes),
    Removed,
    Replaced,
}

/// What becomes of a node.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Verdict {
    Stays,
    Goes,
    /// Its contents stand in its place.
    GivesWay,
}

/// A configuration for a tree.
pub(crate) struct Bound<'c> {
    config: &'c Config,
    is_safe: bool,
    elements: ByName<Fate>,
    attributes: ByName<()>,
    scripts: ByName<Scripts<Attributes>>,
    /// Those that navigate on any element of MathML.
    navigating_in_math: Attributes,
}

/// The name of an attribute as numbers.
type NumberedName = (Namespace, LocalName);
type Attributes = Vec<NumberedName>;

impl<'c> Bound<'c> {
    pub(crate) fn new(config: &'c Config, is_safe: bool, tree: &Tree) -> Self {
        let find = |names: &HashSet<Name>| -> Attributes {
            let found = |name: &Name| Some((name.namespace, tree.names().find_local(&name.local)?));
            names.iter().filter_map(found).collect()
        };
        let fate = |listed: ListedElement<'_>| match listed {
            ListedElement::Allowed(own) => Fate::Allowed(find(own)),
            ListedElement::Removed => Fate::Removed,
            ListedElement::Replaced => Fate::Replaced,
        };
        fn parts<L>(name: &Name, listed: L) -> (&str, Namespace, L) {
            (&name.local, name.namespace, listed)
        }
        let replaced = config.replaced.iter().map(|name| parts(name, ListedElement::Replaced));
        let elements = match &config.elements {
            Elements::Allowed(elements) => {
                let all =
                    elements.iter().map(|(name, own)| parts(name, ListedElement::Allowed(own)));
                ByName::of(tree, all.chain(replaced), fate)
            }
            Elements::Removed(elements) => {
                let all = elements.iter().map(|name| parts(name, ListedElement::Removed));
                ByName::of(tree, all.chain(replaced), fate)
            }
        };
        let (Listed::Allowed(attributes) | Listed::Removed(attributes)) = &config.attributes;
        let attributes = attributes.iter().map(|name| parts(name, ()));
        let known = |names: &[&str]| -> Attributes {
            let parts = names.iter().map(|name| Name::attribute_parts(name));
            let found = parts.filter_map(|(namespace, local)| {
                Some((namespace, tree.names().find_local(local)?))
            });
            found.collect()
        };
        // What either list has of an element, though it be in both.
        let scripts = |element: (Namespace, &str)| {
            let of = |list: &'static [Element]| {
                let own = list.iter().filter(|(namespace, name, _)| (*namespace, *name) == element);
                own.flat_map(|(.., attributes)| known(attributes)).collect()
            };
            let (navigating, animating) = (of(ELEMENTS.navigating), of(ELEMENTS.animating));
            Scripts { navigating, animating, in_math: Vec::new() }
        };
        let all = ELEMENTS.navigating.iter().chain(ELEMENTS.animating);
        let all = all.map(|&(namespace, name, _)| (name, namespace, (namespace, name)));
        Self {
            config,
            is_safe,
            elements,
            attributes: ByName::of(tree, attributes, |()| ()),
            scripts: ByName::of(tree, all, scripts),
            navigating_in_math: known(NAMES.navigating_in_math),
        }
    }

    /// What becomes of a node that is no element.
    pub(crate) fn other(&self, node: NodeRef<'_>) -> Verdict {
        let stays = match node.kind() {
            tree::NodeKind::Comment => self.config.comments,
            tree::NodeKind::ProcessingInstruction => {
                node.target().is_some_and(|target| self.config.instructions.contains(target))
            }
            _ => true,
        };
        if stays { Verdict::Stays } else { Verdict::Goes }
    }

    /// What becomes of an element.
    #[inline]
    pub(crate) fn element(&self, name: NameRef<'_>) -> Verdict {
        match self.elements.get(name.id(), name.namespace()) {
            Some(Fate::Replaced) => Verdict::GivesWay,
            Some(Fate::Removed) => Verdict::Goes,
            Some(Fate::Allowed(_)) => Verdict::Stays,
            None if matches!(self.config.elements, Elements::Allowed(_)) => Verdict::Goes,
            None => Verdict::Stays,
        }
    }

    /// Which attributes stay of an element of this name that stays.
    pub(crate) fn attributes<'b>(
        &'b self,
        name: NameRef<'_>,
    ) -> impl Fn(AttributeRef<'_>) -> bool + use<'b, 'c> {
        let (name, namespace) = (name.id(), name.namespace());
        let own = match self.elements.get(name, namespace) {
            Some(Fate::Allowed(own)) => &own[..],
            _ => &[],
        };
        let scripts = self.scripts_of(name, namespace);
        move |attribute| self.keeps(own, attribute.name()) && !scripts.has(attribute)
    }

    /// The attributes of an element that can run a script when somebody follows it.
    #[inline]
    fn scripts_of(&self, element: tree::Name, namespace: Namespace) -> Scripts<&[NumberedName]> {
        if !self.is_safe {
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
    fn keeps(&self, own: &[NumberedName], of: NameRef<'_>) -> bool {
        let (name, namespace) = (of.id(), of.namespace());
        let is_listed = || self.attributes.get(name, namespace).is_some();
        match self.config.attributes {
            Listed::Allowed(_) => {
                let is_data = || is_custom_data(namespace, of.local());
                let is_own = || own.contains(&(namespace, name.local()));
                is_listed() || is_own() || self.config.data_attributes && is_data()
            }
            Listed::Removed(_) => !is_listed(),
        }
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
        navigates && has_scheme(attribute.value())
            || self.animating.contains(&name) && NAMES.animated.contains(&attribute.value())
    }
}

/// Whether a URL has the scheme that runs scripts. It need not be right otherwise.
fn has_scheme(value: &str) -> bool {
    let is_left_out = |character: &char| !matches!(character, '\t' | '\n' | '\r');
    let begin = value.trim_start_matches(|character: char| character <= ' ');
    let mut characters = begin.chars().filter(is_left_out);
    NAMES.scheme.iter().any(|scheme| {
        let mut wanted = scheme.chars().chain([':']);
        wanted.all(|wanted| characters.next().is_some_and(|it| it.eq_ignore_ascii_case(&wanted)))
    })
}
