//! What can be asked of an element by itself: its name, id, classes and attributes, names as numbers of a tree, where it is
//! among its siblings, its states, and which such compounds it is or is not. Most selectors ask for no more. Invariant: an
//! element that it does not admit is not selected.

use crate::chain::Key;
use crate::element::{Common, is_empty, is_root};
use crate::grammar::{Css, Value, Word};
use crate::places::{End, Places, Wanted};
use crate::pseudo_class::{Known, PseudoClass};
use selectors::attr::{AttrSelectorOperator, CaseSensitivity, ParsedCaseSensitivity};
use selectors::parser::{Component, NthSelectorData, SelectorList};
use tabulex_core::tree::{LocalName, Name, Namespace, NodeRef, Tree};

/// A compound of a selector.
#[derive(Clone, Default)]
pub(crate) struct Compound {
    /// Its name.
    name: Option<Spelled>,
    id: Option<Word>,
    classes: Vec<Word>,
    attributes: Vec<Attribute>,
    /// It is none of these.
    not: Vec<Compound>,
    /// Of each list it is one.
    any: Vec<Vec<Compound>>,
    is_first: bool,
    is_last: bool,
    /// It is at all of these places.
    places: Vec<Wanted>,
    is_root: bool,
    is_empty: bool,
    states: Vec<PseudoClass>,
    /// Whether it asks for other things as well.
    pub(crate) has_more: bool,
}

/// A name as it is written, and in lower case, which is what HTML elements and their attributes have.
#[derive(Clone)]
struct Spelled {
    written: Word,
    lower: Word,
}

/// An attribute in no namespace, with what its value must be like.
#[derive(Clone)]
struct Attribute {
    name: Spelled,
    value: Option<(AttrSelectorOperator, Value, ParsedCaseSensitivity)>,
}

impl Compound {
    /// Adds a part.
    pub(crate) fn add(&mut self, part: &Component<Css>) {
        match part {
            Component::LocalName(name) => {
                let (written, lower) = (name.name.clone(), name.lower_name.clone());
                self.name = Some(Spelled { written, lower });
            }
            Component::Class(class) => self.classes.push(class.clone()),
            Component::ID(id) if self.id.is_none() => self.id = Some(id.clone()),
            Component::AttributeInNoNamespaceExists { local_name, local_name_lower } => {
                let (written, lower) = (local_name.clone(), local_name_lower.clone());
                let name = Spelled { written, lower };
                self.attributes.push(Attribute { name, value: None });
            }
            Component::AttributeInNoNamespace { local_name, operator, value, case_sensitivity } => {
                // It is of this kind only if it is written in lower case.
                let name = Spelled { written: local_name.clone(), lower: local_name.clone() };
                let value = Some((*operator, value.clone(), *case_sensitivity));
                self.attributes.push(Attribute { name, value });
            }
            Component::Negation(list) => match Self::each_of(list) {
                Some(list) => self.not.extend(list),
                None => self.has_more = true,
            },
            Component::Is(list) | Component::Where(list) => match Self::each_of(list) {
                Some(list) => self.any.push(list),
                None => self.has_more = true,
            },
            Component::Nth(nth) => self.add_place(nth),
            Component::Root => self.is_root = true,
            Component::Empty => self.is_empty = true,
            Component::NonTSPseudoClass(class) => self.states.push(class.clone()),
            Component::ExplicitUniversalType => {}
            _ => self.has_more = true,
        }
    }

    /// A place among siblings; that of the first and the last child is found without counting.
    fn add_place(&mut self, nth: &NthSelectorData) {
        for wanted in Wanted::of(nth) {
            match wanted.end() {
                Some(End::First) => self.is_first = true,
                Some(End::Last) => self.is_last = true,
                None => self.places.push(wanted),
            }
        }
    }

    /// A list of selectors that are compounds and ask for nothing else.
    fn each_of(list: &SelectorList<Css>) -> Option<Vec<Self>> {
        let compound = |selector: &selectors::parser::Selector<Css>| {
            let (mut parts, mut compound) = (selector.iter(), Self::default());
            parts.by_ref().for_each(|part| compound.add(part));
            (parts.next_sequence().is_none() && !compound.has_more).then_some(compound)
        };
        list.slice().iter().map(compound).collect()
    }

    /// What it is for a tree; none, if nothing in the tree has a name that it asks for.
    pub(crate) fn bind<'s>(&'s self, tree: &Tree) -> Option<Bound<'s>> {
        let find = |name: &Spelled| {
            let find = |word: &Word| tree.names().find_local(word.as_str());
            let lower = find(&name.lower);
            let is_lower = name.written.as_str() == name.lower.as_str();
            let both = Both { written: if is_lower { lower } else { find(&name.written) }, lower };
            (both.written.is_some() || both.lower.is_some()).then_some(both)
        };
        let name = match &self.name {
            None => None,
            Some(name) => Some(find(name)?),
        };
        let attributes = self.attributes.iter().map(|attribute| find(&attribute.name));
        let some = |list: &'s [Self]| -> Vec<Bound<'s>> {
            list.iter().filter_map(|compound| compound.bind(tree)).collect()
        };
        let one_of = |list: &'s Vec<Self>| Some(some(list)).filter(|bound| !bound.is_empty());
        let Self { is_first, is_last, is_root, is_empty, .. } = *self;
        let is_bare = self.id.is_none()
            && self.classes.is_empty()
            && self.attributes.is_empty()
            && self.not.is_empty()
            && self.any.is_empty()
            && self.places.is_empty()
            && self.states.is_empty()
            && !(is_first || is_last || is_root || is_empty);
        Some(Bound {
            compound: self,
            is_bare,
            name,
            attributes: attributes.collect::<Option<_>>()?,
            not: some(&self.not),
            any: self.any.iter().map(one_of).collect::<Option<_>>()?,
        })
    }
}

/// A name as a tree has it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Both {
    written: Option<LocalName>,
    lower: Option<LocalName>,
}

impl Both {
    /// Its numbers, each once.
    fn numbers(self) -> [Option<LocalName>; 2] {
        [self.written, self.lower.filter(|lower| Some(*lower) != self.written)]
    }

    /// The one that counts for the element.
    #[inline]
    fn of(self, node: NodeRef<'_>) -> Option<LocalName> {
        let is_same = self.written == self.lower;
        let is_lower = is_same || node.namespace() == Some(Namespace::HTML);
        if is_lower { self.lower } else { self.written }
    }
}

/// What is asked of all elements of a tree alike, and what was found out about some.
pub(crate) struct Page {
    pub(crate) common: Common,
    /// How ids and classes are compared.
    pub(crate) case: CaseSensitivity,
    places: Places,
    pub(crate) known: Known,
}

impl Page {
    pub(crate) fn new(tree: &Tree, case: CaseSensitivity) -> Self {
        Self { common: Common::of(tree), case, places: Places::default(), known: Known::default() }
    }
}

/// A compound, names as numbers of a tree.
#[derive(Clone)]
pub(crate) struct Bound<'s> {
    compound: &'s Compound,
    /// Whether it asks for no more than a name.
    is_bare: bool,
    name: Option<Both>,
    attributes: Vec<Both>,
    not: Vec<Bound<'s>>,
    any: Vec<Vec<Bound<'s>>>,
}

impl<'s> Bound<'s> {
    /// What all elements that it admits have in common.
    pub(crate) fn key(&self) -> Key<'s> {
        let Compound { id, classes, .. } = self.compound;
        match (id, classes.first(), self.name, self.attributes.first()) {
            (Some(id), ..) => Key::Id(id.as_str()),
            (_, Some(class), ..) => Key::Class(class.as_str()),
            (_, _, Some(name), _) => Key::Name(name.numbers()),
            (_, _, _, Some(name)) => Key::Attribute(name.numbers()),
            _ => Key::None,
        }
    }

    /// Whether an element has all of it.
    #[inline]
    pub(crate) fn admits(&self, node: NodeRef<'_>, page: &mut Page) -> bool {
        if let Some(both) = self.name {
            let local = node.name().map(|name| name.id().local());
            if local.is_none() || local != both.of(node) {
                return false;
            }
        }
        self.is_bare || self.admits_whole(node, page)
    }

    /// Whether an element has all of it but the name.
    fn admits_whole(&self, node: NodeRef<'_>, page: &mut Page) -> bool {
        let Compound { id, classes, attributes, places, states, .. } = self.compound;
        let Compound { is_first, is_last, is_root: root, is_empty: empty, .. } = *self.compound;
        let (common, case) = (page.common, page.case);
        id.as_ref().is_none_or(|id| common.has_id(node, id.as_str(), case))
            && classes.iter().all(|class| common.has_class(node, class.as_str(), case))
            && attributes.iter().zip(&self.attributes).all(|(attribute, both)| {
                let value = both
                    .of(node)
                    .and_then(|local| node.named_attribute(Name::new(Namespace::NONE, local)));
                value.is_some_and(|value| attribute.is_like(value, node))
            })
            && (!is_first || !node.previous_siblings().any(|node| node.is_element()))
            && (!is_last || !node.next_siblings().any(|node| node.is_element()))
            && (!root || is_root(node))
            && (!empty || is_empty(node))
            && places.iter().all(|wanted| page.places.are(node, *wanted))
            && states.iter().all(|state| state.holds(node, &mut page.known))
            && !self.not.iter().any(|it| it.admits(node, page))
            && self.any.iter().all(|list| list.iter().any(|it| it.admits(node, page)))
    }
}

impl Attribute {
    /// Whether this is such a value.
    fn is_like(&self, value: &str, node: NodeRef<'_>) -> bool {
        let Some((operator, wanted, case)) = &self.value else { return true };
        let is_html = || node.namespace() == Some(Namespace::HTML);
        let is_any_case = match case {
            ParsedCaseSensitivity::AsciiCaseInsensitive => true,
            ParsedCaseSensitivity::AsciiCaseInsensitiveIfInHtmlElementInHtmlDocument => is_html(),
            ParsedCaseSensitivity::CaseSensitive | ParsedCaseSensitivity::ExplicitCaseSensitive => {
                false
            }
        };
        let case = match is_any_case {
            true => CaseSensitivity::AsciiCaseInsensitive,
            false => CaseSensitivity::CaseSensitive,
        };
        operator.eval_str(value, wanted.as_ref(), case)
    }
}
