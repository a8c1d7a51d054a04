//! Nodes one after the other. It keeps no stack and no list. Invariant: what it iterates over never changes.

use crate::document::{Document, node};
use crate::node::Node;
use pyo3::prelude::*;
use tabulex::tree::NodeId;

/// An iterator over the nodes below one, in the order of the document.
#[pyclass(module = "tabulex")]
pub(crate) struct Nodes {
    document: Py<Document>,
    root: NodeId,
    next: Option<NodeId>,
}

impl Nodes {
    /// The nodes below this one.
    pub(crate) fn below(document: &Bound<'_, Document>, root: NodeId) -> Self {
        let first = document.get().parsed.tree.node(root).first_child();
        Self { document: document.clone().unbind(), root, next: first.map(|first| first.id()) }
    }
}

#[pymethods]
impl Nodes {
    fn __iter__(slf: Bound<'_, Self>) -> Bound<'_, Self> {
        slf
    }

    fn __next__(&mut self, py: Python<'_>) -> Option<Node> {
        let id = self.next?;
        let document = self.document.bind(py);
        let here = document.get().parsed.tree.node(id);
        let around = || {
            let inside = std::iter::once(here).chain(here.ancestors());
            inside.take_while(|node| node.id() != self.root).find_map(|node| node.next_sibling())
        };
        self.next = here.first_child().or_else(around).map(|next| next.id());
        Some(node(document, id))
    }
}
