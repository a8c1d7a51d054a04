//! What can be told of an element at a glance: its name, classes and id. Most elements of a page are ruled out by that,
//! and most selectors ask no more. Invariant: what it rules out, the selector does not match.

use crate::element::Common;
use crate::grammar::{Css, Word};
use selectors::attr::CaseSensitivity;
use selectors::parser::{Component, Selector};
use tabulex_core::tree::{LocalName, Namespace};
use tabulex_core::tree::{NodeRef, Tree};

/// What the last part of a selector, which is about the element itself, asks for.
#[derive(Clone, Debug)]
pub(crate) struct Quick {
    /// Its name, as it is written and in lower case.
    name: Option<(Word, Word)>,
    id: Option<Word>,
    classes: Vec<Word>,
    /// Whether the selector asks for nothing else.
    pub(crate) is_all: bool,
}

impl Quick {
    pub(crate) fn of(selector: &Selector<Css>) -> Self {
        let mut quick = Self { name: None, id: None, classes: Vec::new(), is_all: true };
        let mut parts = selector.iter();
        for part in parts.by_ref() {
            match part {
                Component::LocalName(name) => {
                    quick.name = Some((name.name.clone(), name.lower_name.clone()));
                }
                Component::Class(class) => quick.classes.push(class.clone()),
                Component::ID(id) if quick.id.is_none() => quick.id = Some(id.clone()),
                Component::ExplicitUniversalType => {}
                _ => quick.is_all = false,
            }
        }
        quick.is_all &= parts.next_sequence().is_none();
        quick
    }

    /// What it is for a tree; none, if the tree has no element of the name.
    pub(crate) fn bind<'s>(&'s self, tree: &Tree) -> Option<Bound<'s>> {
        let find = |word: &Word| tree.names().find_local(word.as_str());
        let name = match &self.name {
            None => None,
            Some((written, lower)) => {
                let both = (find(written), find(lower));
                if both == (None, None) {
                    return None;
                }
                Some(both)
            }
        };
        Some(Bound { quick: self, name })
    }
}

/// What is asked for, names as numbers of a tree.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Bound<'s> {
    quick: &'s Quick,
    name: Option<(Option<LocalName>, Option<LocalName>)>,
}

impl Bound<'_> {
    /// Whether an element can match.
    #[inline]
    pub(crate) fn admits(&self, node: NodeRef<'_>, common: Common, case: CaseSensitivity) -> bool {
        if let Some((written, lower)) = self.name {
            let Some(name) = node.name().map(|name| name.id()) else { return false };
            let local = Some(name.local());
            if local != written && local != lower {
                return false;
            }
            if written != lower {
                let is_html = node.namespace() == Some(Namespace::HTML);
                if local != (if is_html { lower } else { written }) {
                    return false;
                }
            }
        }
        self.quick.id.as_ref().is_none_or(|id| common.has_id(node, id.as_str(), case))
            && self.quick.classes.iter().all(|class| common.has_class(node, class.as_str(), case))
    }
}
