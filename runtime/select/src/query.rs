//! Questions to a tree: which of a node's descendants match, which of its ancestors. Invariant: elements come in the order
//! of the tree, each once.

use crate::selector::{Matcher, Selector};
use std::iter::FusedIterator;
use tabulex_core::tree::{Descendants, NodeRef};

/// Selecting from a node.
pub trait Query<'a> {
    /// The elements below this node that match, in the order of the tree. As with `querySelectorAll` of DOM the whole
    /// tree counts for what is around them, and `:scope` is this node.
    fn select<'s>(&self, selector: &'s Selector) -> Selected<'a, 's>;

    /// The first of them.
    fn select_first(&self, selector: &Selector) -> Option<NodeRef<'a>>;

    /// The nearest of this element and the elements around it that matches.
    fn closest(&self, selector: &Selector) -> Option<NodeRef<'a>>;

    /// Whether this node is an element that matches.
    fn matches(&self, selector: &Selector) -> bool;
}

impl<'a> Query<'a> for NodeRef<'a> {
    fn select<'s>(&self, selector: &'s Selector) -> Selected<'a, 's> {
        let matcher = selector.matcher(self.tree(), Some(*self));
        let below = (!matcher.is_hopeless()).then(|| self.descendants());
        Selected { below, matcher }
    }

    fn select_first(&self, selector: &Selector) -> Option<NodeRef<'a>> {
        self.select(selector).next()
    }

    fn closest(&self, selector: &Selector) -> Option<NodeRef<'a>> {
        let mut matcher = selector.matcher(self.tree(), Some(*self));
        let mut around = std::iter::once(*self).chain(self.ancestors());
        around.find(|node| matcher.matches(*node))
    }

    fn matches(&self, selector: &Selector) -> bool {
        selector.matches_within(*self, Some(*self))
    }
}

/// The elements below a node that match: what [`Query::select`] returns.
pub struct Selected<'a, 's> {
    below: Option<Descendants<'a>>,
    matcher: Matcher<'a, 's>,
}

impl<'a> Iterator for Selected<'a, '_> {
    type Item = NodeRef<'a>;

    fn next(&mut self) -> Option<NodeRef<'a>> {
        let matcher = &mut self.matcher;
        self.below.as_mut()?.find(|node| matcher.matches(*node))
    }
}

impl FusedIterator for Selected<'_, '_> {}
