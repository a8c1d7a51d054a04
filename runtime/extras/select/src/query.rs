//! Selection of a node's descendants and ancestors.

use crate::selector::{Matcher, Selector};
use std::iter::FusedIterator;
use tabulex_core::tree::{Descendants, NodeRef};

/// Selection relative to a node, as in the DOM.
pub trait Query<'a> {
    /// Returns the descendants of this node that match, in tree order. As with `querySelectorAll`, combinators may
    /// match elements outside of this node, and `:scope` is this node.
    #[doc(alias = "query_selector_all")]
    #[doc(alias = "css")]
    #[doc(alias = "find_all")]
    fn select<'s>(&self, selector: &'s Selector) -> Selected<'a, 's>;

    /// Returns the first descendant of this node that matches, or `None` if none does.
    #[doc(alias = "query_selector")]
    #[doc(alias = "css_first")]
    #[doc(alias = "find")]
    fn select_first(&self, selector: &Selector) -> Option<NodeRef<'a>>;

    /// Returns the nearest matching element among this node and its ancestors, or `None` if none matches.
    fn closest(&self, selector: &Selector) -> Option<NodeRef<'a>>;

    /// Whether this node is an element that matches.
    fn matches(&self, selector: &Selector) -> bool;
}

impl<'a> Query<'a> for NodeRef<'a> {
    fn select<'s>(&self, selector: &'s Selector) -> Selected<'a, 's> {
        let matcher = selector.matcher(self.tree(), Some(*self));
        let descendants = (!matcher.never_matches()).then(|| self.descendants());
        Selected { descendants, matcher }
    }

    fn select_first(&self, selector: &Selector) -> Option<NodeRef<'a>> {
        self.select(selector).next()
    }

    fn closest(&self, selector: &Selector) -> Option<NodeRef<'a>> {
        let mut matcher = selector.matcher(self.tree(), Some(*self));
        let mut inclusive_ancestors = std::iter::once(*self).chain(self.ancestors());
        inclusive_ancestors.find(|node| matcher.matches(*node))
    }

    fn matches(&self, selector: &Selector) -> bool {
        selector.matches_within(*self, Some(*self))
    }
}

/// Iterator over the descendants that match, from [`Query::select`].
pub struct Selected<'a, 's> {
    descendants: Option<Descendants<'a>>,
    matcher: Matcher<'a, 's>,
}

impl<'a> Iterator for Selected<'a, '_> {
    type Item = NodeRef<'a>;

    fn next(&mut self) -> Option<NodeRef<'a>> {
        let (descendants, matcher) = (self.descendants.as_mut()?, &mut self.matcher);
        descendants.find(|node| matcher.matches(*node))
    }
}

impl FusedIterator for Selected<'_, '_> {}
