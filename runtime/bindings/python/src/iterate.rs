//! Iteration over nodes. Threads that share an iterator get each node once.

use crate::document::{Document, node};
use crate::lock;
use crate::node::Node;
use pyo3::prelude::*;
use std::sync::Mutex;
use tabulex::tree::NodeId;

/// An iterator over the descendants of a node, in document order.
#[pyclass(frozen, module = "pytabulex")]
pub(crate) struct Nodes {
    document: Py<Document>,
    root: NodeId,
    next_id: Mutex<Option<NodeId>>,
}

impl Nodes {
    /// Creates an iterator over the descendants of a node.
    pub(crate) fn below(document: &Bound<'_, Document>, root: NodeId) -> Self {
        let first_child = document.get().parsed.tree.node(root).first_child();
        let next_id = Mutex::new(first_child.map(|child| child.id()));
        Self { document: document.clone().unbind(), root, next_id }
    }
}

#[pymethods]
impl Nodes {
    fn __iter__(slf: Bound<'_, Self>) -> Bound<'_, Self> {
        slf
    }

    fn __next__(&self, py: Python<'_>) -> Option<Node> {
        let document = self.document.bind(py);
        let id = {
            // No Python code runs while the lock is held, so it cannot deadlock with the GIL.
            let mut next_id = lock(&self.next_id);
            let id = (*next_id)?;
            let current = document.get().parsed.tree.node(id);
            let next_outside = || {
                let inclusive_ancestors = std::iter::once(current).chain(current.ancestors());
                inclusive_ancestors
                    .take_while(|node| node.id() != self.root)
                    .find_map(|node| node.next_sibling())
            };
            *next_id = current.first_child().or_else(next_outside).map(|node| node.id());
            id
        };
        Some(node(document, id))
    }
}
