//! What can be asked of an element by itself: its name, id, classes and attributes, names as numbers of a tree. Most
//! selectors ask for no more. Invariant: an element that it does not admit is not selected.

use crate::chain::Key;
use crate::element::Common;
use crate::grammar::{Css, Value, Word};
use selectors::attr::{AttrSelectorOperator, CaseSensitivity, ParsedCaseSensitivity};
use selectors::parser::Component;
use tabulex_core::tree::{LocalName, Name, Namespace, NodeRef, Tree};

/// A compound of a selector.
#[derive(Clone, Default)]
pub(crate) struct Compound {
    /// Its name.
    name: Option<Spelled>,
    id: Option<Word>,
    classes: Vec<Word>,
    attributes: Vec<Attribute>,
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
            Component::ExplicitUniversalType => {}
            _ => self.has_more = true,
        }
    }

    /// What it is for a tree; none, if nothing in the tree has a name that it asks for.
    pub(crate) fn bind<'s>(&'s self, tree: &Tree) -> Option<Bound<'s>> {
        let find = |name: &Spelled| {
            let find = |word: &Word| tree.names().find_local(word.as_str());
            let both = Both { written: find(&name.written), lower: find(&name.lower) };
            (both.written.is_some() || both.lower.is_some()).then_some(both)
        };
        let name = match &self.name {
            None => None,
            Some(name) => Some(find(name)?),
        };
        let attributes = self.attributes.iter().map(|attribute| find(&attribute.name));
        Some(Bound { compound: self, name, attributes: attributes.collect::<Option<_>>()? })
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

/// A compound, names as numbers of a tree.
#[derive(Clone)]
pub(crate) struct Bound<'s> {
    compound: &'s Compound,
    name: Option<Both>,
    attributes: Vec<Both>,
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
    pub(crate) fn admits(&self, node: NodeRef<'_>, common: Common, case: CaseSensitivity) -> bool {
        if let Some(both) = self.name {
            let local = node.name().map(|name| name.id().local());
            if local.is_none() || local != both.of(node) {
                return false;
            }
        }
        let Compound { id, classes, attributes, .. } = self.compound;
        id.as_ref().is_none_or(|id| common.has_id(node, id.as_str(), case))
            && classes.iter().all(|class| common.has_class(node, class.as_str(), case))
            && attributes.iter().zip(&self.attributes).all(|(attribute, both)| {
                let value = both
                    .of(node)
                    .and_then(|local| node.named_attribute(Name::new(Namespace::NONE, local)));
                value.is_some_and(|value| attribute.is_like(value, node))
            })
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
