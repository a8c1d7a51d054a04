//! Compounds joined by combinators, such as `ul > li + li a[href]`. The result of each search is memoized at the
//! elements visited, so that matching all elements of a tree takes time linear in the tree for each compound.

use crate::compound::{Compound, MatchContext, Slots};
use crate::grammar::Css;
use selectors::parser::{Combinator, RelativeSelector, Selector};
use tabulex_core::tree::{LocalName, NodeId, NodeRef, Tree};

/// The compounds of a selector in matching order: from last to first, or from first to last in `:has()`. Outside of
/// `:has()`, the element itself must match the first one in this order.
#[derive(Clone)]
pub(crate) struct Chain {
    links: Vec<Link>,
}

#[derive(Clone)]
struct Link {
    compound: Compound,
    /// The relation that leads from the element of the previous link to the element of this one.
    relation: Relation,
    /// The index of the link's results in [`Memos`].
    memo: usize,
}

/// The relation that a combinator expresses, named for matching from right to left. In `:has()`, which is matched from
/// left to right, it leads to children, descendants and later siblings instead.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Relation {
    Parent,
    Ancestor,
    /// The previous sibling.
    Previous,
    /// Any earlier sibling.
    Earlier,
}

impl Relation {
    /// Returns the relation of a combinator, or `None` for one that leads to a pseudo-element, a slot or a part.
    pub(crate) const fn of(combinator: Combinator) -> Option<Self> {
        match combinator {
            Combinator::Child => Some(Self::Parent),
            Combinator::Descendant => Some(Self::Ancestor),
            Combinator::NextSibling => Some(Self::Previous),
            Combinator::LaterSibling => Some(Self::Earlier),
            Combinator::PseudoElement | Combinator::SlotAssignment | Combinator::Part => None,
        }
    }

    const fn is_upward(self) -> bool {
        matches!(self, Self::Parent | Self::Ancestor)
    }

    /// Returns the next element to try after `node`, from right to left, or `None` if there is none.
    #[inline]
    fn next<'a>(self, node: NodeRef<'a>) -> Option<NodeRef<'a>> {
        match self.is_upward() {
            true => node.parent().filter(NodeRef::is_element),
            false => node.previous_siblings().find(NodeRef::is_element),
        }
    }

    /// Returns the number of elements inspected before results are memoized. A matching ancestor is usually near, while
    /// an unsuccessful search among siblings passes all of them.
    const fn memo_threshold(self) -> usize {
        match self {
            Self::Parent | Self::Previous => usize::MAX,
            Self::Ancestor => 4,
            Self::Earlier => 0,
        }
    }
}

impl Chain {
    pub(crate) fn of(selector: &Selector<Css>, slots: &mut Slots) -> Self {
        let mut components = selector.iter();
        let (mut links, mut relation) = (Vec::new(), Relation::Ancestor);
        loop {
            let mut compound = Compound::default();
            components.by_ref().for_each(|component| compound.add(component, slots));
            links.push(Link { compound, relation, memo: slots.add_memo() });
            match components.next_sequence().map(Relation::of) {
                None => return Self { links },
                Some(Some(next)) => relation = next,
                Some(None) => {
                    let compound = Compound::nothing();
                    return Self { links: vec![Link { compound, relation, memo: 0 }] };
                }
            }
        }
    }

    /// Compiles an argument of `:has()`: the compounds from left to right.
    pub(crate) fn forward(selector: &RelativeSelector<Css>, slots: &mut Slots) -> Self {
        let mut links = Self::of(&selector.selector, slots).links;
        // The last link is the anchor of `:has()` and is dropped. Each relation moves to the previous link, because the
        // direction is reversed.
        for index in 1..links.len() {
            links[index - 1].relation = links[index].relation;
        }
        links.pop();
        links.reverse();
        Self { links }
    }
}

/// A property that all matching elements share, by which an index finds candidates.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Key<'s> {
    Id(&'s str),
    Class(&'s str),
    /// The local name is one of these.
    Name([Option<LocalName>; 2]),
    /// The element has an attribute with one of these local names.
    Attribute([Option<LocalName>; 2]),
    /// No property is known that all matching elements share.
    None,
}

/// The result of a search for the element of a compound.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum SearchResult {
    Matched,
    /// Not found from this element, but a search from an earlier sibling or an ancestor may succeed.
    Failed,
    /// Not found from this element or any of its siblings, but a search from an ancestor may succeed.
    FailedForSiblings,
    /// Not found from this element, its siblings or any ancestor.
    FailedGlobally,
}

/// Memoized results of searches, by link and element. The list of a link is allocated on first use.
#[derive(Clone, Debug, Default)]
pub(crate) struct Memos(Vec<Vec<Option<SearchResult>>>);

impl Memos {
    #[inline]
    fn get(&self, memo: usize, node: NodeRef<'_>) -> Option<SearchResult> {
        self.0.get(memo)?.get(node.id().index()).copied().flatten()
    }

    fn set(&mut self, memo: usize, tree: &Tree, nodes: &[NodeId], result: SearchResult) {
        if nodes.is_empty() {
            return;
        }
        if self.0.len() <= memo {
            self.0.resize_with(memo + 1, Vec::new);
        }
        let results = &mut self.0[memo];
        results.resize(tree.node_count(), None);
        for node in nodes {
            results[node.index()] = Some(result);
        }
    }
}

impl Chain {
    /// Whether elements of the tree may match: the tree has the required names.
    pub(crate) fn may_match(&self, context: &MatchContext) -> bool {
        self.links.iter().all(|link| link.compound.may_match(context))
    }

    /// Returns a property that all matching elements share, preferring rare ones.
    pub(crate) fn key(&self, context: &MatchContext) -> Key<'_> {
        self.links[0].compound.key(context)
    }

    /// Returns the bits of the names that matching elements have.
    pub(crate) fn name_bits(&self, context: &MatchContext) -> u64 {
        self.links[0].compound.name_bits(context)
    }

    /// Whether an element matches the chain.
    #[inline]
    pub(crate) fn is_match(&self, node: NodeRef<'_>, context: &mut MatchContext) -> bool {
        self.links[0].compound.is_match(node, context)
            && (self.links.len() == 1
                || self.match_backward(1, node, context) == SearchResult::Matched)
    }

    /// Searches from right to left for elements that match the compounds from index `link` on; `node` is the element of
    /// the previous compound.
    fn match_backward(
        &self,
        link: usize,
        node: NodeRef<'_>,
        context: &mut MatchContext,
    ) -> SearchResult {
        let Some(Link { compound, relation, memo }) = self.links.get(link) else {
            return SearchResult::Matched;
        };
        let (mut visited, mut current, mut steps) = (Vec::new(), node, 0);
        let result = loop {
            let Some(candidate) = relation.next(current) else {
                break if relation.is_upward() {
                    SearchResult::FailedGlobally
                } else {
                    SearchResult::FailedForSiblings
                };
            };
            // The result for an element with a long tag is memoized at once, because inspecting the tag again for each
            // of the many elements that may be inside would be expensive.
            let is_expensive =
                || relation.is_upward() && !compound.is_bare() && has_long_tag(candidate);
            if steps >= relation.memo_threshold() || is_expensive() {
                if let Some(result) = context.memos.get(*memo, candidate) {
                    break result;
                }
                visited.push(candidate.id());
            }
            let result = match compound.is_match(candidate, context) {
                true => self.match_backward(link + 1, candidate, context),
                false => SearchResult::Failed,
            };
            match (result, relation) {
                (SearchResult::Matched | SearchResult::FailedGlobally, _)
                | (_, Relation::Previous) => {
                    break result;
                }
                // All siblings share the parent that does not match, so the search fails for them, too; elements with
                // other parents may still match.
                (_, Relation::Parent) | (SearchResult::FailedForSiblings, Relation::Earlier) => {
                    break SearchResult::FailedForSiblings;
                }
                (_, Relation::Ancestor | Relation::Earlier) => {
                    (current, steps) = (candidate, steps + 1)
                }
            }
        };
        context.memos.set(*memo, node.tree(), &visited, result);
        result
    }

    /// Whether elements to the right of `node` match the compounds from index `link` on; `node` is the element of the
    /// previous compound, or the anchor of `:has()`.
    pub(crate) fn matches_forward(
        &self,
        link: usize,
        node: NodeRef<'_>,
        context: &mut MatchContext,
    ) -> bool {
        let Some(Link { relation, memo, .. }) = self.links.get(link) else { return true };
        if let Some(result) = context.memos.get(*memo, node) {
            return result == SearchResult::Matched;
        }
        let mut visited = vec![node.id()];
        let is_found = match relation {
            Relation::Parent => {
                node.child_elements().any(|child| self.matches_from(link, child, context))
            }
            Relation::Previous => {
                let sibling = node.next_siblings().find(NodeRef::is_element);
                sibling.is_some_and(|sibling| self.matches_from(link, sibling, context))
            }
            Relation::Earlier => {
                let mut is_found = false;
                for sibling in node.next_siblings().filter(NodeRef::is_element) {
                    let memoized = context.memos.get(*memo, sibling);
                    is_found = memoized == Some(SearchResult::Matched)
                        || self.matches_from(link, sibling, context);
                    if is_found || memoized.is_some() {
                        break;
                    }
                    visited.push(sibling.id());
                }
                is_found
            }
            Relation::Ancestor => {
                let mut descendants = node.descendants();
                let mut matching_descendant = None;
                while let Some(descendant) = descendants.next() {
                    if !descendant.is_element() {
                        continue;
                    }
                    let memoized = context.memos.get(*memo, descendant);
                    if memoized == Some(SearchResult::Matched)
                        || self.matches_from(link, descendant, context)
                    {
                        matching_descendant = Some(descendant);
                        break;
                    }
                    match memoized {
                        Some(_) => descendants.skip_past(descendant),
                        None => visited.push(descendant.id()),
                    }
                }
                // All visited elements are recorded as searched completely; those that contain the match are corrected
                // below.
                context.memos.set(*memo, node.tree(), &visited, SearchResult::Failed);
                visited = vec![node.id()];
                let ancestors = matching_descendant.iter().flat_map(NodeRef::ancestors);
                let ancestors = ancestors.map(|ancestor| ancestor.id());
                visited.extend(ancestors.take_while(|ancestor| *ancestor != node.id()));
                matching_descendant.is_some()
            }
        };
        let result = if is_found { SearchResult::Matched } else { SearchResult::Failed };
        context.memos.set(*memo, node.tree(), &visited, result);
        is_found
    }

    /// Whether an element matches the compound of a link, and elements to its right match the links after it.
    fn matches_from(&self, link: usize, node: NodeRef<'_>, context: &mut MatchContext) -> bool {
        self.links[link].compound.is_match(node, context)
            && self.matches_forward(link + 1, node, context)
    }
}

/// Whether an element's attributes are so many or so long that inspecting them repeatedly is expensive.
fn has_long_tag(node: NodeRef<'_>) -> bool {
    const MAX_CHEAP_LENGTH: usize = 1024;
    let mut length = 0;
    node.attributes().any(|attribute| {
        length += 16 + attribute.value().len();
        length > MAX_CHEAP_LENGTH
    })
}
