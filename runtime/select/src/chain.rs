//! Compounds joined by combinators, such as `ul > li + li a[href]`. Each search notes how it ended at the elements that it
//! passed, so that matching all elements of a tree takes time linear in the tree for each compound of the selector.

use crate::compound::{Bound, Compound, Page};
use crate::grammar::Css;
use selectors::parser::{Combinator, RelativeSelector, Selector};
use tabulex_core::tree::{LocalName, NodeId, NodeRef, Tree};

/// The compounds of a selector, from the one that the asked element must match.
#[derive(Clone)]
pub(crate) struct Chain {
    links: Vec<Link>,
}

#[derive(Clone)]
struct Link {
    compound: Compound,
    /// Where its element is, as seen from that of the compound before.
    way: Way,
}

/// The combinator between two compounds. Backward, from the element that is asked, it leads to what the names say; in
/// `:has()` it leads forward, to children, descendants and later siblings.
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

    /// The next element on the way back.
    #[inline]
    fn next<'a>(self, node: NodeRef<'a>) -> Option<NodeRef<'a>> {
        match self.is_up() {
            true => node.parent().filter(NodeRef::is_element),
            false => node.previous_siblings().find(NodeRef::is_element),
        }
    }

    /// How many elements are looked at before notes are taken. The ancestor that is looked for is mostly near, while a
    /// search among siblings that finds nothing passes all of them.
    const fn unnoted(self) -> usize {
        match self {
            Self::Parent | Self::Previous => usize::MAX,
            Self::Ancestor => 4,
            Self::Earlier => 0,
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
            links.push(Link { compound, way });
            match parts.next_sequence().map(Way::of) {
                None => return Self { links },
                Some(Some(next)) => way = next,
                Some(None) => {
                    let compound = Compound::nothing();
                    return Self { links: vec![Link { compound, way }] };
                }
            }
        }
    }

    /// The compounds of an argument of `:has()`, from the one nearest to the element that is asked.
    pub(crate) fn forward(selector: &RelativeSelector<Css>) -> Self {
        let mut links = Self::of(&selector.selector).links;
        // The last compound is the element that is asked; a way leads from the compound after it, as it is read backward.
        for index in 1..links.len() {
            links[index - 1].way = links[index].way;
        }
        links.pop();
        links.reverse();
        Self { links }
    }

    /// The chain with the names of a tree; `None` if nothing in the tree can match. `memos` counts the links that
    /// take notes.
    pub(crate) fn bind<'s>(&'s self, tree: &Tree, memos: &mut usize) -> Option<BoundChain<'s>> {
        let mut bind = |link: &'s Link| {
            let compound = link.compound.bind(tree, memos)?;
            *memos += 1;
            Some(BoundLink { compound, way: link.way, memo: *memos - 1 })
        };
        Some(BoundChain(self.links.iter().map(&mut bind).collect::<Option<_>>()?))
    }
}

/// A chain with names as numbers of a tree.
#[derive(Clone)]
pub(crate) struct BoundChain<'s>(Vec<BoundLink<'s>>);

#[derive(Clone)]
struct BoundLink<'s> {
    compound: Bound<'s>,
    way: Way,
    /// The number of its notes.
    memo: usize,
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
pub(crate) enum Found {
    Yes,
    /// Not from here; from an earlier sibling or an ancestor perhaps.
    NotHere,
    /// Not from any sibling; from an ancestor perhaps.
    NotAmongSiblings,
    /// Nowhere further up either.
    Nowhere,
}

/// Cached results of searches, by link and element. The list of a link is allocated on first use.
#[derive(Clone, Debug, Default)]
pub(crate) struct Memos(Vec<Vec<Option<Found>>>);

impl Memos {
    #[inline]
    fn get(&self, memo: usize, node: NodeRef<'_>) -> Option<Found> {
        self.0.get(memo)?.get(node.id().index()).copied().flatten()
    }

    fn set(&mut self, memo: usize, tree: &Tree, nodes: &[NodeId], found: Found) {
        if nodes.is_empty() {
            return;
        }
        if self.0.len() <= memo {
            self.0.resize_with(memo + 1, Vec::new);
        }
        let list = &mut self.0[memo];
        list.resize(tree.node_count(), None);
        for node in nodes {
            list[node.index()] = Some(found);
        }
    }
}

impl<'s> BoundChain<'s> {
    /// What all elements that it admits have in common: what few elements have first.
    pub(crate) fn key(&self) -> Key<'s> {
        self.0[0].compound.key()
    }

    /// Whether the element matches.
    #[inline]
    pub(crate) fn admits(&self, node: NodeRef<'_>, page: &mut Page) -> bool {
        self.0[0].compound.admits(node, page)
            && (self.0.len() == 1 || self.lead(1, node, page) == Found::Yes)
    }

    /// Whether from a node the compounds from this one on are found on their ways back.
    fn lead(&self, link: usize, node: NodeRef<'_>, page: &mut Page) -> Found {
        let Some(BoundLink { compound, way, memo }) = self.0.get(link) else { return Found::Yes };
        let (mut passed, mut at, mut steps) = (Vec::new(), node, 0);
        let found = loop {
            let Some(next) = way.next(at) else {
                break if way.is_up() { Found::Nowhere } else { Found::NotAmongSiblings };
            };
            // Many elements may be below one whose tag is long.
            if steps >= way.unnoted() || way.is_up() && has_long_tag(next) {
                if let Some(found) = page.memos.get(*memo, next) {
                    break found;
                }
                passed.push(next.id());
            }
            let found = match compound.admits(next, page) {
                true => self.lead(link + 1, next, page),
                false => Found::NotHere,
            };
            match (found, way) {
                (Found::Yes | Found::Nowhere, _) | (_, Way::Previous) => break found,
                // The parent is wrong: siblings have the same one; the parent of an ancestor may be right.
                (_, Way::Parent) | (Found::NotAmongSiblings, Way::Earlier) => {
                    break Found::NotAmongSiblings;
                }
                (_, Way::Ancestor | Way::Earlier) => (at, steps) = (next, steps + 1),
            }
        };
        page.memos.set(*memo, node.tree(), &passed, found);
        found
    }

    /// Whether from a node the compounds from this one on are found on their ways forward.
    pub(crate) fn leads_forward(&self, link: usize, node: NodeRef<'_>, page: &mut Page) -> bool {
        let Some(BoundLink { way, memo, .. }) = self.0.get(link) else { return true };
        if let Some(found) = page.memos.get(*memo, node) {
            return found == Found::Yes;
        }
        let mut passed = vec![node.id()];
        let is_found = match way {
            Way::Parent => node.child_elements().any(|child| self.fits(link, child, page)),
            Way::Previous => {
                let next = node.next_siblings().find(NodeRef::is_element);
                next.is_some_and(|next| self.fits(link, next, page))
            }
            Way::Earlier => {
                let mut is_found = false;
                for sibling in node.next_siblings().filter(NodeRef::is_element) {
                    let known = page.memos.get(*memo, sibling);
                    is_found = known == Some(Found::Yes) || self.fits(link, sibling, page);
                    if is_found || known.is_some() {
                        break;
                    }
                    passed.push(sibling.id());
                }
                is_found
            }
            Way::Ancestor => {
                let mut below = node.descendants();
                let mut found = None;
                while let Some(inside) = below.next() {
                    if !inside.is_element() {
                        continue;
                    }
                    let known = page.memos.get(*memo, inside);
                    if known == Some(Found::Yes) || self.fits(link, inside, page) {
                        found = Some(inside);
                        break;
                    }
                    match known {
                        Some(_) => below.skip_past(inside),
                        None => passed.push(inside.id()),
                    }
                }
                // Elements that were passed have it inside of them, or all of them was looked through.
                page.memos.set(*memo, node.tree(), &passed, Found::NotHere);
                passed = vec![node.id()];
                let around = found.iter().flat_map(NodeRef::ancestors);
                passed.extend(around.map(|one| one.id()).take_while(|one| *one != node.id()));
                found.is_some()
            }
        };
        let found = if is_found { Found::Yes } else { Found::NotHere };
        page.memos.set(*memo, node.tree(), &passed, found);
        is_found
    }

    /// Whether an element is that of a link, and the other compounds are found from there.
    fn fits(&self, link: usize, node: NodeRef<'_>, page: &mut Page) -> bool {
        self.0[link].compound.admits(node, page) && self.leads_forward(link + 1, node, page)
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
