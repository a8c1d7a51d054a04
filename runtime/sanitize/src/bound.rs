//! A configuration for one tree: names are numbers. It decides about nodes and changes none. Invariant: the answers are those
//! of the configuration, name by name.

use crate::config::{Config, Elements, Listed, Own};
use crate::lists::{ELEMENTS, Element, NAMES};
use crate::name::Name;
use std::collections::HashSet;
use tabulex_core::tree::{self, AttributeRef, LocalName, NameRef, Namespace, NodeRef, Tree};

/// Something for each of some names.
#[derive(Debug)]
struct ByName<T>(Vec<Vec<(Namespace, T)>>);

impl<T> ByName<T> {
    fn of<'n>(tree: &Tree, names: impl Iterator<Item = (&'n str, Namespace, T)>) -> Self {
        let mut all: Vec<Vec<(Namespace, T)>> = Vec::new();
        for (local, namespace, value) in names {
            let Some(local) = tree.names().find_local(local) else { continue };
            let index = local.id() as usize;
            if all.len() <= index {
                all.resize_with(index + 1, Vec::new);
            }
            all[index].push((namespace, value));
        }
        Self(all)
    }

    #[inline]
    fn get(&self, name: tree::Name, namespace: Namespace) -> Option<&T> {
        let list = self.0.get(name.local().id() as usize)?;
        list.iter().find(|(other, _)| *other == namespace).map(|(_, value)| value)
    }
}

/// The attributes of an element, as numbers.
#[derive(Debug)]
struct OwnBound {
    allowed: Option<Vec<(Namespace, LocalName)>>,
    removed: Vec<(Namespace, LocalName)>,
}

/// What becomes of an element.
#[derive(Debug)]
enum Fate {
    Allowed(OwnBound),
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
    navigating: ByName<Vec<Name>>,
    animating: ByName<Vec<Name>>,
}

impl<'c> Bound<'c> {
    pub(crate) fn new(config: &'c Config, is_safe: bool, tree: &Tree) -> Self {
        let replaced =
            config.replaced.iter().map(|name| (&*name.local, name.namespace, Fate::Replaced));
        let find = |names: &HashSet<Name>| -> Vec<(Namespace, LocalName)> {
            let found = |name: &Name| Some((name.namespace, tree.names().find_local(&name.local)?));
            names.iter().filter_map(found).collect()
        };
        let own = |own: &Own| OwnBound {
            allowed: own.allowed.as_ref().map(find),
            removed: find(&own.removed),
        };
        let elements: Vec<_> = match &config.elements {
            Elements::Allowed(elements) => {
                let fate = |(name, of): (&'c Name, &Own)| {
                    (&*name.local, name.namespace, Fate::Allowed(own(of)))
                };
                elements.iter().map(fate).collect()
            }
            Elements::Removed(elements) => {
                let fate = |name: &'c Name| (&*name.local, name.namespace, Fate::Removed);
                elements.iter().map(fate).collect()
            }
        };
        let (Listed::Allowed(attributes) | Listed::Removed(attributes)) = &config.attributes;
        let attributes = attributes.iter().map(|name| (&*name.local, name.namespace, ()));
        let special = |list: &'static [Element]| {
            list.iter().map(|(namespace, element, attributes)| {
                let names = attributes.iter().map(|attribute| Name::attribute(attribute));
                (*element, *namespace, names.collect())
            })
        };
        Self {
            config,
            is_safe,
            elements: ByName::of(tree, elements.into_iter().chain(replaced)),
            attributes: ByName::of(tree, attributes),
            navigating: ByName::of(tree, special(ELEMENTS.navigating)),
            animating: ByName::of(tree, special(ELEMENTS.animating)),
        }
    }

    /// What becomes of a node that is no element.
    pub(crate) fn other(&self, node: NodeRef<'_>) -> Verdict {
        let stays = match node.kind() {
            tree::NodeKind::Comment => self.config.comments,
            tree::NodeKind::ProcessingInstruction => {
                let (are_allowed, targets) = &self.config.instructions;
                node.target().is_some_and(|target| targets.contains(target) == *are_allowed)
            }
            _ => true,
        };
        if stays { Verdict::Stays } else { Verdict::Goes }
    }

    /// What becomes of an element.
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
            Some(Fate::Allowed(own)) => Some(own),
            _ => None,
        };
        move |attribute| {
            let of = attribute.name();
            let (id, space) = (of.id(), of.namespace());
            self.keeps(own, id, space, of.local())
                && !(self.is_safe
                    && self.is_script(name, namespace, (space, of.local()), attribute.value()))
        }
    }

    fn keeps(
        &self,
        own: Option<&OwnBound>,
        name: tree::Name,
        namespace: Namespace,
        local: &str,
    ) -> bool {
        let key = (namespace, name.local());
        if own.is_some_and(|own| own.removed.contains(&key)) {
            return false;
        }
        let is_listed = || self.attributes.get(name, namespace).is_some();
        let allowed = own.and_then(|own| own.allowed.as_ref());
        let is_own = allowed.map(|allowed| allowed.contains(&key));
        match self.config.attributes {
            Listed::Allowed(_) => {
                let is_data = || namespace == Namespace::NONE && local.starts_with("data-");
                is_listed() || is_own == Some(true) || self.config.data_attributes && is_data()
            }
            Listed::Removed(_) => is_own.unwrap_or(true) && !is_listed(),
        }
    }

    /// Whether an attribute would run a script when somebody follows it.
    fn is_script(
        &self,
        element: tree::Name,
        namespace: Namespace,
        (space, local): (Namespace, &str),
        value: &str,
    ) -> bool {
        let is_it = |name: &Name| name.namespace == space && *name.local == *local;
        let is_one = |names: &Vec<Name>| names.iter().any(is_it);
        let navigates = self.navigating.get(element, namespace).is_some_and(is_one)
            || namespace == Namespace::MATHML
                && NAMES.navigating_in_math.iter().any(|text| is_it(&Name::attribute(text)));
        let animates = || self.animating.get(element, namespace).is_some_and(is_one);
        navigates && has_scheme(value) || animates() && NAMES.animated.contains(&value)
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
