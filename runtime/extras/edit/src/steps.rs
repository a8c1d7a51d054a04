//! Application of edits to a tree, to which the edited text must then parse.

use crate::error::EditError;
use std::collections::BTreeSet;
use tabulex_core::tree::{HierarchyError, Namespace, NodeId, Tree};
use tabulex_core::{Adjacent, Dialect, Options};

/// A requested edit of one node, as a value.
#[derive(Clone, Debug)]
pub enum EditKind {
    /// Sets an attribute, or removes it if the value is `None`.
    Attribute(String, Option<String>),
    /// Removes the node.
    Remove,
    /// Replaces the node with markup.
    Replace(String),
    /// Replaces the contents with markup.
    SetInner(String),
    /// Replaces the contents with text.
    SetText(String),
    /// Inserts markup at a place.
    Insert(Adjacent, String),
    /// Renames the element.
    Rename(String),
    /// Wraps the node in a new element of this name.
    Wrap(String),
    /// Removes the tags of the element.
    Unwrap,
}

impl EditKind {
    /// Returns the name of the method of `Edits` that requests this edit.
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

    /// Whether the edit detaches its node, after which no other edit can find the node's parent.
    pub(crate) const fn is_removal(&self) -> bool {
        matches!(self, Self::Remove | Self::Replace(_))
    }

    /// Whether the edit inserts markup beside its node.
    pub(crate) const fn inserts_outside(&self) -> bool {
        matches!(self, Self::Insert(Adjacent::BeforeBegin | Adjacent::AfterEnd, _))
    }

    /// Whether the edit replaces all contents of its node.
    pub(crate) const fn replaces_contents(&self) -> bool {
        matches!(self, Self::SetInner(_) | Self::SetText(_))
    }

    /// Applies the edit to a tree, except for unwrapping (see [`unwrap_all`]), and attributes and names, which the
    /// caller sets.
    pub(crate) fn apply(
        &self,
        node: NodeId,
        dialect: &Dialect,
        tree: &mut Tree,
        options: &Options,
    ) -> Result<(), EditError> {
        let fragments = || dialect.fragments().ok_or(HierarchyError::NoFragments);
        match self {
            Self::Remove => tree.detach(node),
            Self::Replace(markup) => {
                fragments()?.set_outer(tree, node, markup, options)?;
            }
            Self::SetInner(markup) => {
                fragments()?.set_inner(tree, node, markup, options)?;
            }
            Self::SetText(text) => tree.set_text(node, text),
            Self::Insert(place, markup) => {
                fragments()?.insert_adjacent(tree, node, *place, markup, options)?;
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

/// Unwraps elements, outer ones before inner ones, so that no node is moved more than once.
pub(crate) fn unwrap_all(elements: &BTreeSet<NodeId>, tree: &mut Tree) {
    let mut remaining = elements.clone();
    for element in elements {
        let mut nested = Vec::new();
        let mut next = Some(*element);
        while let Some(node) = next.filter(|node| remaining.remove(node)) {
            nested.push(node);
            next = tree.node(node).parent().map(|parent| parent.id());
        }
        nested.iter().rev().for_each(|node| tree.unwrap(*node));
    }
}
