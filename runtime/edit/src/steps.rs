//! The same edits on a tree: what the edited text must be read as. Invariant: a step changes what its method of `Edits`
//! says, by the methods of the tree.

use crate::error::EditError;
use std::collections::HashSet;
use std::marker::PhantomData;
use tabulex_core::tree::{HierarchyError, Namespace, NodeId, Tree};
use tabulex_core::{
    Adjacent, Construction, Dialect, Options, Parsed, insert_adjacent, set_inner, set_outer,
};

/// What reads markup: a dialect that is a type, or one that is a value.
pub(crate) trait Reader {
    fn parse(&self, input: &str, options: &Options) -> Option<Parsed>;
    fn set_inner(&self, tree: &mut Tree, element: NodeId, markup: &str, options: &Options) -> Done;
    fn set_outer(&self, tree: &mut Tree, node: NodeId, markup: &str, options: &Options) -> Done;
    fn insert(
        &self,
        tree: &mut Tree,
        element: NodeId,
        place: Adjacent,
        markup: &str,
        options: &Options,
    ) -> Done;
    fn void(&self) -> &[&str];
}

type Done = Result<Parsed, HierarchyError>;

/// A dialect that is a type.
pub(crate) struct Typed<D>(pub(crate) PhantomData<D>);

impl<D: Construction> Reader for Typed<D> {
    fn parse(&self, input: &str, options: &Options) -> Option<Parsed> {
        Some(tabulex_core::parse::<D>(input, options))
    }

    fn set_inner(&self, tree: &mut Tree, element: NodeId, markup: &str, options: &Options) -> Done {
        set_inner::<D>(tree, element, markup, options)
    }

    fn set_outer(&self, tree: &mut Tree, node: NodeId, markup: &str, options: &Options) -> Done {
        set_outer::<D>(tree, node, markup, options)
    }

    fn insert(
        &self,
        tree: &mut Tree,
        element: NodeId,
        place: Adjacent,
        markup: &str,
        options: &Options,
    ) -> Done {
        insert_adjacent::<D>(tree, element, place, markup, options)
    }

    fn void(&self) -> &[&str] {
        D::SERIALIZATION.void
    }
}

impl Reader for Dialect {
    fn parse(&self, input: &str, options: &Options) -> Option<Parsed> {
        Some(self.parser(options)?.parse(input))
    }

    fn set_inner(&self, tree: &mut Tree, element: NodeId, markup: &str, options: &Options) -> Done {
        Self::set_inner(self, tree, element, markup, options)
    }

    fn set_outer(&self, tree: &mut Tree, node: NodeId, markup: &str, options: &Options) -> Done {
        Self::set_outer(self, tree, node, markup, options)
    }

    fn insert(
        &self,
        tree: &mut Tree,
        element: NodeId,
        place: Adjacent,
        markup: &str,
        options: &Options,
    ) -> Done {
        self.insert_adjacent(tree, element, place, markup, options)
    }

    fn void(&self) -> &[&str] {
        self.serializer().map_or(&[], |serializer| serializer.names().void)
    }
}

/// One edit, or several that unwrap.
#[derive(Clone, Debug)]
pub(crate) enum Step {
    SetAttribute(NodeId, String, String),
    RemoveAttribute(NodeId, String),
    Remove(NodeId),
    Replace(NodeId, String),
    SetInner(NodeId, String),
    SetText(NodeId, String),
    Insert(NodeId, Adjacent, String),
    Rename(NodeId, String),
    Wrap(NodeId, String),
    Unwrap(Vec<NodeId>),
}

impl Step {
    pub(crate) fn take(
        &self,
        reader: &impl Reader,
        tree: &mut Tree,
        options: &Options,
    ) -> Result<(), EditError> {
        match self {
            Self::SetAttribute(node, name, value) => tree.set_attribute(*node, name, value),
            Self::RemoveAttribute(node, name) => {
                tree.remove_attribute(*node, name);
            }
            Self::Remove(node) => tree.detach(*node),
            Self::Replace(node, markup) => {
                reader.set_outer(tree, *node, markup, options)?;
            }
            Self::SetInner(node, markup) => {
                reader.set_inner(tree, *node, markup, options)?;
            }
            Self::SetText(node, text) => tree.set_text(*node, text),
            Self::Insert(node, place, markup) => {
                reader.insert(tree, *node, *place, markup, options)?;
            }
            Self::Rename(node, name) => {
                let name = tree.names_mut().name(Namespace::HTML, "", name);
                tree.set_name(*node, name);
            }
            Self::Wrap(node, name) => {
                let wrapper = tree.create_element(Namespace::HTML, name);
                tree.wrap(*node, wrapper)?;
            }
            Self::Unwrap(elements) => unwrap_all(elements, tree),
        }
        Ok(())
    }
}

/// Unwraps elements. One that is in another one comes after it, so that no node is moved more than once: the order makes no
/// other difference.
fn unwrap_all(elements: &[NodeId], tree: &mut Tree) {
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
