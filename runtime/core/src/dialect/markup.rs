//! Insertion of markup into trees in a dialect chosen at run time. `construct/inner.rs` does the same for a dialect
//! given as a type. A call that fails leaves the tree unchanged.

use super::Dialect;
use crate::construct::{
    Adjacent, FragmentContext, FragmentTraits, Options, Parsed, insert_adjacent_with,
    set_inner_with, set_outer_with,
};
use crate::tree::{HierarchyError, NodeId, Tree};

impl Dialect {
    /// Parses a fragment; its nodes are the children of the document element. If the dialect has no fragments, parses a
    /// document. Returns `None` if the dialect builds no trees.
    pub fn parse_fragment(
        &self,
        input: &str,
        context: &FragmentContext,
        options: &Options,
    ) -> Option<Parsed> {
        Some(self.fragment_parser(context, options)?.parse(input))
    }

    /// Replaces the contents of an element with markup; see [`set_inner`](crate::set_inner).
    ///
    /// # Errors
    ///
    /// If the node is not an element, or the dialect has no fragments.
    pub fn set_inner(
        &self,
        tree: &mut Tree,
        element: NodeId,
        markup: &str,
        options: &Options,
    ) -> Result<Parsed, HierarchyError> {
        let traits = self.check_fragments()?;
        set_inner_with(tree, element, traits, |context| self.parse_markup(markup, context, options))
    }

    /// Replaces a node with markup; see [`set_outer`](crate::set_outer).
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
        let traits = self.check_fragments()?;
        set_outer_with(tree, node, traits, |context| self.parse_markup(markup, context, options))
    }

    /// Inserts markup next to an element or into it; see [`insert_adjacent`](crate::insert_adjacent).
    ///
    /// # Errors
    ///
    /// If the node to insert into is neither an element nor a fragment, or the dialect has no fragments.
    pub fn insert_adjacent(
        &self,
        tree: &mut Tree,
        element: NodeId,
        place: Adjacent,
        markup: &str,
        options: &Options,
    ) -> Result<Parsed, HierarchyError> {
        let traits = self.check_fragments()?;
        let parse = |context: &FragmentContext| self.parse_markup(markup, context, options);
        insert_adjacent_with(tree, element, place, traits, parse)
    }

    fn check_fragments(&self) -> Result<FragmentTraits, HierarchyError> {
        let traits = self.trees.and_then(|trees| trees.fragment_traits);
        traits.ok_or(HierarchyError::NoFragments)
    }

    /// Parses a fragment of a dialect that is known to build trees.
    fn parse_markup(&self, markup: &str, context: &FragmentContext, options: &Options) -> Parsed {
        let parsed = self.parse_fragment(markup, context, options);
        parsed.expect("a dialect with fragments builds trees")
    }
}
