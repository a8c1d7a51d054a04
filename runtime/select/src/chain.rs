//! Compounds that are inside of each other, such as `ul > li a[href]`: the selectors that people write, matched without
//! what the others need. Invariant: where a chain is whole, it matches exactly what its selector does; where it is not,
//! its first compound rules out elements that the selector does not match.

use crate::compound::{Bound, Compound};
use crate::element::Common;
use crate::grammar::Css;
use selectors::attr::CaseSensitivity;
use selectors::parser::{Combinator, Selector};
use tabulex_core::tree::{LocalName, NodeRef, Tree};

/// The compounds of a selector from its end on, up to one that this cannot match.
#[derive(Clone)]
pub(crate) struct Chain {
    links: Vec<Link>,
    /// Whether that is all of the selector.
    is_whole: bool,
}

#[derive(Clone)]
struct Link {
    compound: Compound,
    /// Whether it is about the parent of the element of the compound before, not about any ancestor.
    is_parent: bool,
}

impl Chain {
    pub(crate) fn of(selector: &Selector<Css>) -> Self {
        let mut parts = selector.iter();
        let (mut links, mut is_parent) = (Vec::new(), false);
        loop {
            let mut compound = Compound::default();
            parts.by_ref().for_each(|part| compound.add(part));
            let has_more = compound.has_more;
            links.push(Link { compound, is_parent });
            match parts.next_sequence() {
                None => return Self { links, is_whole: !has_more },
                Some(Combinator::Child) if !has_more => is_parent = true,
                Some(Combinator::Descendant) if !has_more => is_parent = false,
                Some(_) => return Self { links, is_whole: false },
            }
        }
    }

    /// What it is for a tree; none, if nothing in the tree can match.
    pub(crate) fn bind<'s>(&'s self, tree: &Tree) -> Option<BoundChain<'s>> {
        let bind = |link: &'s Link| Some((link.compound.bind(tree)?, link.is_parent));
        let links = self.links.iter().map(bind).collect::<Option<_>>()?;
        Some(BoundChain { links, is_whole: self.is_whole })
    }
}

/// A chain, names as numbers of a tree.
#[derive(Clone)]
pub(crate) struct BoundChain<'s> {
    links: Vec<(Bound<'s>, bool)>,
    /// Whether what it admits is selected.
    pub(crate) is_whole: bool,
}

/// What all elements that match have in common.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Key<'s> {
    Id(&'s str),
    Class(&'s str),
    /// Names, as numbers of the tree; one of them.
    Name([Option<LocalName>; 2]),
    /// Local names of attributes, as numbers of the tree; one of them.
    Attribute([Option<LocalName>; 2]),
    /// Nothing that is known.
    None,
}

/// How a search among ancestors ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Found {
    Yes,
    /// Not from here; from an ancestor perhaps.
    NotHere,
    /// Nowhere further up either.
    Nowhere,
}

impl<'s> BoundChain<'s> {
    /// What all elements that it admits have in common: what few elements have first.
    pub(crate) fn key(&self) -> Key<'s> {
        self.links[0].0.key()
    }

    /// Whether the element is one of the first compound, and if the chain is whole, is where it says.
    #[inline]
    pub(crate) fn admits(&self, node: NodeRef<'_>, common: Common, case: CaseSensitivity) -> bool {
        let (first, _) = &self.links[0];
        first.admits(node, common, case)
            && (!self.is_whole
                || self.links.len() == 1
                || self.is_inside(1, node, common, case) == Found::Yes)
    }

    /// Whether the elements around a node are those of the compounds from this one on.
    fn is_inside(
        &self,
        link: usize,
        node: NodeRef<'_>,
        common: Common,
        case: CaseSensitivity,
    ) -> Found {
        let Some((compound, is_parent)) = self.links.get(link) else { return Found::Yes };
        let mut around = node.parent();
        while let Some(ancestor) = around.filter(NodeRef::is_element) {
            if compound.admits(ancestor, common, case) {
                match self.is_inside(link + 1, ancestor, common, case) {
                    // Its parent is wrong; the parent of another ancestor may be right.
                    Found::NotHere if !*is_parent => {}
                    found => return found,
                }
            } else if *is_parent {
                return Found::NotHere;
            }
            around = ancestor.parent();
        }
        Found::Nowhere
    }
}
