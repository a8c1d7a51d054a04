//! The same edits on a tree: what the edited text must be read as. Invariant: a step changes what its method of `Edits`
//! says, by the methods of the tree.

use crate::error::EditError;
use tabulex_core::tree::{Namespace, NodeId, Tree};
use tabulex_core::{Adjacent, Construction, Options, insert_adjacent, set_inner, set_outer};

/// One edit.
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
    Unwrap(NodeId),
}

impl Step {
    pub(crate) fn take<D: Construction>(
        &self,
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
                set_outer::<D>(tree, *node, markup, options)?;
            }
            Self::SetInner(node, markup) => {
                set_inner::<D>(tree, *node, markup, options)?;
            }
            Self::SetText(node, text) => tree.set_text(*node, text),
            Self::Insert(node, place, markup) => {
                insert_adjacent::<D>(tree, *node, *place, markup, options)?;
            }
            Self::Rename(node, name) => {
                let name = tree.names_mut().name(Namespace::HTML, "", name);
                tree.set_name(*node, name);
            }
            Self::Wrap(node, name) => {
                let wrapper = tree.create_element(Namespace::HTML, name);
                tree.wrap(*node, wrapper)?;
            }
            Self::Unwrap(node) => tree.unwrap(*node),
        }
        Ok(())
    }
}
