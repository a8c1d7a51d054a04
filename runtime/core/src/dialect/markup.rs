//! Markup into trees of a dialect that is chosen at run time: what `construct/inner.rs` does for one that is a type. It
//! parses nothing itself. Invariant: a call that fails changes nothing.

use super::Dialect;
use crate::construct::{
    Adjacent, FragmentContext, Options, Parsed, insert_adjacent_with, set_inner_with,
    set_outer_with,
};
use crate::tree::{HierarchyError, NodeId, Tree};

impl Dialect {
    /// The nodes of a fragment: the children of the document's element; of a dialect without fragments, those of a document.
    /// `None` if the dialect builds no trees.
    pub fn parse_fragment(
        &self,
        input: &str,
        context: &FragmentContext,
        options: &Options,
    ) -> Option<Parsed> {
        Some(self.fragment_parser(context, options)?.parse(input))
    }

    /// Replaces the contents of an element by markup: see [`set_inner`](crate::set_inner).
    ///
    /// # Errors
    ///
    /// If the node is no element, or the dialect has no fragments.
    pub fn set_inner(
        &self,
        tree: &mut Tree,
        element: NodeId,
        markup: &str,
        options: &Options,
    ) -> Result<Parsed, HierarchyError> {
        self.check_fragments()?;
        set_inner_with(tree, element, |context| self.parsed(markup, context, options))
    }

    /// Replaces a node by markup: see [`set_outer`](crate::set_outer).
    ///
    /// # Errors
    ///
    /// If the node's parent is neither an element nor a fragment, or the dialect has no fragments.
    pub fn set_outer(
        &self,
        tree: &mut Tree,
        node: NodeId,
        markup: &str,
        options: &Options,
    ) -> Result<Parsed, HierarchyError> {
        self.check_fragments()?;
        set_outer_with(tree, node, |context| self.parsed(markup, context, options))
    }

    /// Puts markup beside an element or into it: see [`insert_adjacent`](crate::insert_adjacent).
    ///
    /// # Errors
    ///
    /// If the node that the markup would be put into is neither an element nor a fragment, or the dialect has no fragments.
    pub fn insert_adjacent(
        &self,
        tree: &mut Tree,
        element: NodeId,
        place: Adjacent,
        markup: &str,
        options: &Options,
    ) -> Result<Parsed, HierarchyError> {
        let root = self.check_fragments()?;
        let parse = |context: &FragmentContext| self.parsed(markup, context, options);
        insert_adjacent_with(tree, element, place, root, parse)
    }

    /// The name of the root element of fragments.
    fn check_fragments(&self) -> Result<&'static str, HierarchyError> {
        let root = self.trees.and_then(|trees| trees.fragment_root);
        root.ok_or(HierarchyError::NoFragments)
    }

    /// What is parsed where it is known that the dialect builds trees.
    fn parsed(&self, markup: &str, context: &FragmentContext, options: &Options) -> Parsed {
        let parsed = self.parse_fragment(markup, context, options);
        parsed.expect("a dialect that builds trees")
    }
}
