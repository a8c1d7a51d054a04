//! Compounds that are inside of each other or side by side, such as `ul > li + li a[href]`: the selectors that people
//! write, matched without what the others need. Invariant: where a chain is whole, it matches exactly what its selector
//! does; where it is not, its first compound rules out elements that the selector does not match.

use crate::compound::{Bound, Compound, Page};
use crate::grammar::Css;
use selectors::parser::{Combinator, Selector};
use std::collections::HashMap;
use tabulex_core::tree::{LocalName, NodeId, NodeRef, Tree};

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
    /// Where its element is, as seen from that of the compound before.
    way: Way,
}

/// From an element to the one that the next compound is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Way {
    Parent,
    Ancestor,
    /// The sibling directly before it.
    Previous,
    /// A sibling before it.
    Earlier,
}

impl Way {
    /// That of a combinator, if it is one of documents.
    const fn of(combinator: Combinator) -> Option<Self> {
        match combinator {
            Combinator::Child => Some(Self::Parent),
            Combinator::Descendant => Some(Self::Ancestor),
            Combinator::NextSibling => Some(Self::Previous),
            Combinator::LaterSibling => Some(Self::Earlier),
            Combinator::PseudoElement | Combinator::SlotAssignment | Combinator::Part => None,
        }
    }

    const fn is_up(self) -> bool {
        matches!(self, Self::Parent | Self::Ancestor)
    }

    /// The next element on the way.
    #[inline]
    fn next<'a>(self, node: NodeRef<'a>) -> Option<NodeRef<'a>> {
        match self.is_up() {
            true => node.parent().filter(NodeRef::is_element),
            false => node.previous_siblings().find(NodeRef::is_element),
        }
    }
}

impl Chain {
    pub(crate) fn of(selector: &Selector<Css>) -> Self {
        let mut parts = selector.iter();
        let (mut links, mut way) = (Vec::new(), Way::Ancestor);
        loop {
            let mut compound = Compound::default();
            parts.by_ref().for_each(|part| compound.add(part));
            let has_more = compound.has_more;
            links.push(Link { compound, way });
            let Some(combinator) = parts.next_sequence() else {
                return Self { links, is_whole: !has_more };
            };
            match Way::of(combinator).filter(|_| !has_more) {
                Some(next) => way = next,
                None => return Self { links, is_whole: false },
            }
        }
    }

    /// What it is for a tree; none, if nothing in the tree can match.
    pub(crate) fn bind<'s>(&'s self, tree: &Tree) -> Option<BoundChain<'s>> {
        let bind = |link: &'s Link| Some((link.compound.bind(tree)?, link.way));
        let links: Vec<_> = self.links.iter().map(bind).collect::<Option<_>>()?;
        let asked = vec![Asked::default(); links.len()];
        Some(BoundChain { links, asked, long: HashMap::new(), is_whole: self.is_whole })
    }
}

/// A chain, names as numbers of a tree.
#[derive(Clone)]
pub(crate) struct BoundChain<'s> {
    links: Vec<(Bound<'s>, Way)>,
    /// For each link to earlier siblings how searches among them ended.
    asked: Vec<Asked>,
    /// Whether elements above others whose tags are long are admitted by a link.
    long: HashMap<(usize, NodeId), bool>,
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

/// How a search on the way of a compound ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Found {
    Yes,
    /// Not from here; from an earlier sibling or an ancestor perhaps.
    NotHere,
    /// Not from any sibling; from an ancestor perhaps.
    NotAmongSiblings,
    /// Nowhere further up either.
    Nowhere,
}

/// Of the children of each parent the one from which earlier siblings were searched last, and how that ended: as elements are
/// asked in the order of the tree, no sibling is looked at twice.
#[derive(Clone, Default)]
struct Asked {
    /// Most elements that are asked are siblings of the one before.
    parent: Option<NodeId>,
    last: Option<(NodeId, Found)>,
    /// Those of other parents.
    others: HashMap<Option<NodeId>, (NodeId, Found)>,
}

impl Asked {
    /// The last one of this parent's children.
    fn among(&mut self, parent: Option<NodeId>) -> Option<(NodeId, Found)> {
        if parent != self.parent {
            if let Some(last) = self.last.take() {
                self.others.insert(self.parent, last);
            }
            self.parent = parent;
            self.last = self.others.get(&parent).copied();
        }
        self.last
    }
}

impl<'s> BoundChain<'s> {
    /// What all elements that it admits have in common: what few elements have first.
    pub(crate) fn key(&self) -> Key<'s> {
        self.links[0].0.key()
    }

    /// Whether the element is one of the first compound, and if the chain is whole, is where it says.
    #[inline]
    pub(crate) fn admits(&mut self, node: NodeRef<'_>, page: &mut Page) -> bool {
        let (first, _) = &self.links[0];
        if !first.admits(node, page) {
            return false;
        }
        if !self.is_whole || self.links.len() == 1 {
            return true;
        }
        let Self { links, asked, long, .. } = self;
        let mut ways = Ways { links, asked, long, page };
        ways.lead(1, node) == Found::Yes
    }
}

/// A search from an element on.
struct Ways<'c, 's> {
    links: &'c [(Bound<'s>, Way)],
    asked: &'c mut [Asked],
    long: &'c mut HashMap<(usize, NodeId), bool>,
    page: &'c mut Page,
}

impl Ways<'_, '_> {
    /// Whether from a node the compounds from this one on are found on their ways.
    fn lead(&mut self, link: usize, node: NodeRef<'_>) -> Found {
        let Some((compound, way)) = self.links.get(link) else { return Found::Yes };
        if *way == Way::Earlier {
            let last = self.asked[link].among(node.parent().map(|parent| parent.id()));
            let found = self.lead_among_siblings(link, node, last);
            self.asked[link].last = Some((node.id(), found));
            return found;
        }
        let mut at = node;
        while let Some(next) = way.next(at) {
            let is_admitted = match way.is_up() && has_long_tag(next) {
                true => self.admits_long(link, next),
                false => compound.admits(next, self.page),
            };
            let found = match is_admitted {
                true => self.lead(link + 1, next),
                false => Found::NotHere,
            };
            match (found, way) {
                (Found::Yes | Found::Nowhere, _) | (_, Way::Previous) => return found,
                // The parent is wrong: siblings have the same one; the parent of an ancestor may be right.
                (_, Way::Parent) => return Found::NotAmongSiblings,
                (_, Way::Ancestor | Way::Earlier) => at = next,
            }
        }
        if way.is_up() { Found::Nowhere } else { Found::NotAmongSiblings }
    }

    /// Whether a link admits an element whose tag is long, which is asked about once: many elements may be below it.
    fn admits_long(&mut self, link: usize, node: NodeRef<'_>) -> bool {
        let (compound, page) = (&self.links[link].0, &mut *self.page);
        *self.long.entry((link, node.id())).or_insert_with(|| compound.admits(node, page))
    }

    /// As [`lead`](Self::lead), to any sibling before the node; from the last one that was asked the end is known.
    fn lead_among_siblings(
        &mut self,
        link: usize,
        node: NodeRef<'_>,
        last: Option<(NodeId, Found)>,
    ) -> Found {
        let mut at = node;
        loop {
            // From a sibling before, the same siblings were searched.
            if let Some((_, found)) = last.filter(|(asked, _)| *asked == at.id()) {
                return found;
            }
            let Some(next) = Way::Earlier.next(at) else { return Found::NotAmongSiblings };
            let found = match self.links[link].0.admits(next, self.page) {
                true => self.lead(link + 1, next),
                false => Found::NotHere,
            };
            if found != Found::NotHere {
                return found;
            }
            at = next;
        }
    }
}

/// Whether an element has so many attributes, or so long ones, that it takes long to look at them.
fn has_long_tag(node: NodeRef<'_>) -> bool {
    const LONG: usize = 1024;
    let mut length = 0;
    node.attributes().any(|attribute| {
        length += 16 + attribute.value().len();
        length > LONG
    })
}
