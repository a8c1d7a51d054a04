//! Nodes that are made of no tag and by no algorithm: those of fields that a table declares. Invariant: as for the rest of the
//! builder.

use super::{Node, NodeId, NodeKind, TreeBuilder};
use crate::interpreter::Span;

impl TreeBuilder<'_> {
    /// Makes a node, the last child of the topmost open element or of the document.
    pub(super) fn append(&mut self, kind: NodeKind, span: Span) -> NodeId {
        let parent = self.open.last().copied().unwrap_or(0);
        let node = self.tree.nodes.len();
        self.tree.nodes.push(Node::new(kind, span));
        self.tree.insert(parent, None, node);
        node
    }
}
