//! Ranges of a document that processing instructions mark, to be filled with content that arrives later. The table
//! gives the names of the instructions.

use super::Tree;
use super::in_order::NodesInTreeOrder;
use super::node::NodeId;
use super::node_ref::NodeRef;
use super::pseudo_attributes::pseudo_attribute;
use super::words::Patching;
use std::borrow::Cow;
use std::collections::HashMap;

/// An index by name of the instructions that mark ranges, so that finding a range needs no walk of the tree.
#[derive(Clone, Debug, Default)]
pub(super) struct Marks {
    /// Number of nodes indexed so far.
    indexed_nodes: usize,
    by_name: HashMap<String, NodesInTreeOrder>,
}

/// Returns the name of the range that the node marks or starts; `None` if it is not an instruction that does so.
fn mark_name<'t>(node: &NodeRef<'t>, names: &Patching) -> Option<Cow<'t, str>> {
    node.target().filter(|&target| target == names.marker || target == names.start)?;
    pseudo_attribute(node.data()?, names.name)
}

impl Tree {
    /// Returns the first instruction inside `scope` that marks or starts a range called `name`, and whether it starts
    /// one; `None` if there is no such instruction.
    fn find_mark(&mut self, scope: NodeId, name: &str, names: &Patching) -> Option<(NodeId, bool)> {
        if self.instructions.is_empty() {
            return None;
        }
        let mut marks = std::mem::take(&mut self.marks);
        self.steps += (self.nodes.len() - marks.indexed_nodes) as u64;
        for index in marks.indexed_nodes..self.nodes.len() {
            if let Some(name) = mark_name(&NodeRef::new(self, index as u32), names) {
                marks.by_name.entry(name.into_owned()).or_default().push(index as u32);
            }
        }
        marks.indexed_nodes = self.nodes.len();
        let nodes = marks.by_name.get_mut(name);
        let mark = nodes.and_then(|nodes| nodes.first_inside(self, scope.0)).map(NodeId);
        self.marks = marks;
        let is_start = self.node(mark?).target() == Some(names.start);
        mark.map(|mark| (mark, is_start))
    }

    /// Finds the first range called `name` inside `scope`, and removes its contents. Returns the parent, the
    /// instruction at the start, and the instruction at the end, if any; an empty range has one instruction for both.
    /// Returns `None` if there is no such range.
    pub(super) fn open_range(
        &mut self,
        scope: NodeId,
        name: &str,
        names: &Patching,
    ) -> Option<(NodeId, NodeId, Option<NodeId>)> {
        if let Some(steps) = names.steps {
            return self.open_range_by_steps(scope, name, names, steps);
        }
        let (mark, is_start) = self.find_mark(scope, name, names)?;
        let mark = self.node(mark);
        let (start, parent) = (mark.id(), mark.parent()?.id());
        if !is_start {
            return Some((parent, start, Some(start)));
        }
        let (mut level, mut steps) = (0, 0);
        let end = mark.next_siblings().find(|node| {
            steps += 1;
            let target = node.target();
            if target == Some(names.start) {
                level += 1;
            } else if target == Some(names.end) {
                level -= 1;
            }
            level < 0
        });
        let end = end.map(|node| node.id());
        self.steps += steps;
        while let Some(next) = self.node(start).next_sibling().map(|node| node.id())
            && Some(next) != end
        {
            // Lists in tree order must be updated, but `unlink` does not record that the element moved.
            if self.nodes[next.index()].is_element() {
                self.moves.record(next.0);
            }
            self.unlink(next.0);
        }
        Some((parent, start, end))
    }
}
