//! The edits on a tree, which the edited text must be read as.

use crate::error::EditError;
use std::collections::HashSet;
use std::marker::PhantomData;
use tabulex_core::tree::{HierarchyError, Namespace, NodeId, SerializerNames, Tree};
use tabulex_core::{
    Adjacent, Construction, Dialect, Options, Parsed, insert_adjacent, set_inner, set_outer,
};

/// A parser of markup: a dialect that is a type, or one that is a value.
pub(crate) trait MarkupReader {
    fn parse(&self, input: &str, options: &Options) -> Option<Parsed>;
    fn set_inner(
        &self,
        tree: &mut Tree,
        element: NodeId,
        markup: &str,
        options: &Options,
    ) -> EditResult;
    fn set_outer(
        &self,
        tree: &mut Tree,
        node: NodeId,
        markup: &str,
        options: &Options,
    ) -> EditResult;
    fn insert(
        &self,
        tree: &mut Tree,
        element: NodeId,
        place: Adjacent,
        markup: &str,
        options: &Options,
    ) -> EditResult;
    /// The sets of elements that the serialization of the dialect names.
    fn names(&self) -> SerializerNames<'_>;
}

type EditResult = Result<Parsed, HierarchyError>;

/// A dialect that is a type.
pub(crate) struct StaticDialect<D>(pub(crate) PhantomData<D>);

impl<D: Construction> MarkupReader for StaticDialect<D> {
    fn parse(&self, input: &str, options: &Options) -> Option<Parsed> {
        Some(tabulex_core::parse::<D>(input, options))
    }

    fn set_inner(
        &self,
        tree: &mut Tree,
        element: NodeId,
        markup: &str,
        options: &Options,
    ) -> EditResult {
        set_inner::<D>(tree, element, markup, options)
    }

    fn set_outer(
        &self,
        tree: &mut Tree,
        node: NodeId,
        markup: &str,
        options: &Options,
    ) -> EditResult {
        set_outer::<D>(tree, node, markup, options)
    }

    fn insert(
        &self,
        tree: &mut Tree,
        element: NodeId,
        place: Adjacent,
        markup: &str,
        options: &Options,
    ) -> EditResult {
        insert_adjacent::<D>(tree, element, place, markup, options)
    }

    fn names(&self) -> SerializerNames<'_> {
        D::SERIALIZATION
    }
}

impl MarkupReader for Dialect {
    fn parse(&self, input: &str, options: &Options) -> Option<Parsed> {
        Some(self.parser(options)?.parse(input))
    }

    fn set_inner(
        &self,
        tree: &mut Tree,
        element: NodeId,
        markup: &str,
        options: &Options,
    ) -> EditResult {
        Self::set_inner(self, tree, element, markup, options)
    }

    fn set_outer(
        &self,
        tree: &mut Tree,
        node: NodeId,
        markup: &str,
        options: &Options,
    ) -> EditResult {
        Self::set_outer(self, tree, node, markup, options)
    }

    fn insert(
        &self,
        tree: &mut Tree,
        element: NodeId,
        place: Adjacent,
        markup: &str,
        options: &Options,
    ) -> EditResult {
        self.insert_adjacent(tree, element, place, markup, options)
    }

    fn names(&self) -> SerializerNames<'_> {
        self.serializer().map_or_else(SerializerNames::default, |serializer| *serializer.names())
    }
}

/// One requested change.
#[derive(Clone, Debug)]
pub(crate) enum Step {
    /// Sets an attribute, or removes it.
    Attribute(String, Option<String>),
    Remove,
    Replace(String),
    SetInner(String),
    SetText(String),
    Insert(Adjacent, String),
    Rename(String),
    Wrap(String),
    Unwrap,
}

impl Step {
    /// The method that was called.
    pub(crate) const fn method(&self) -> &'static str {
        match self {
            Self::Attribute(_, Some(_)) => "set_attribute",
            Self::Attribute(_, None) => "remove_attribute",
            Self::Remove => "remove",
            Self::Replace(_) => "replace",
            Self::SetInner(_) => "set_inner",
            Self::SetText(_) => "set_text",
            Self::Insert(..) => "insert",
            Self::Rename(_) => "rename",
            Self::Wrap(_) => "wrap",
            Self::Unwrap => "unwrap",
        }
    }

    /// Whether the step removes its node, after which no other step finds the node's parent.
    pub(crate) const fn is_removal(&self) -> bool {
        matches!(self, Self::Remove | Self::Replace(_))
    }

    /// Whether the step puts something beside its node.
    pub(crate) const fn is_beside(&self) -> bool {
        matches!(self, Self::Insert(Adjacent::BeforeBegin | Adjacent::AfterEnd, _))
    }

    /// Whether the step replaces all contents of its node.
    pub(crate) const fn is_refill(&self) -> bool {
        matches!(self, Self::SetInner(_) | Self::SetText(_))
    }

    /// Makes the change on a tree. Elements are unwrapped by [`unwrap_all`], and attributes and names are set by the caller.
    pub(crate) fn apply(
        &self,
        node: NodeId,
        reader: &impl MarkupReader,
        tree: &mut Tree,
        options: &Options,
    ) -> Result<(), EditError> {
        match self {
            Self::Remove => tree.detach(node),
            Self::Replace(markup) => {
                reader.set_outer(tree, node, markup, options)?;
            }
            Self::SetInner(markup) => {
                reader.set_inner(tree, node, markup, options)?;
            }
            Self::SetText(text) => tree.set_text(node, text),
            Self::Insert(place, markup) => {
                reader.insert(tree, node, *place, markup, options)?;
            }
            Self::Wrap(name) => {
                let wrapper = tree.create_element(Namespace::HTML, name);
                tree.wrap(node, wrapper)?;
            }
            Self::Attribute(..) | Self::Rename(_) | Self::Unwrap => {}
        }
        Ok(())
    }
}

/// Unwraps elements. One that is in another one comes after it, so that no node is moved more than once: the order makes no
/// other difference.
pub(crate) fn unwrap_all(elements: &[NodeId], tree: &mut Tree) {
    let mut left: HashSet<NodeId> = elements.iter().copied().collect();
    for element in elements {
        let mut nested = Vec::new();
        let mut next = Some(*element);
        while let Some(one) = next.filter(|one| left.remove(one)) {
            nested.push(one);
            next = tree.node(one).parent().map(|parent| parent.id());
        }
        nested.iter().rev().for_each(|one| tree.unwrap(*one));
    }
}
