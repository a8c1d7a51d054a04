//! Ranges of a document marked by processing instructions, to be filled by content that arrives later. The table gives
//! the names of the instructions.

use super::Tree;
use super::in_order::InOrder;
use super::node::NodeId;
use super::node_ref::NodeRef;
use super::pseudo_attributes::pseudo_attribute;
use super::words::Patching;
use std::borrow::Cow;
use std::collections::HashMap;

/// The marks found so far by name, so that a lookup needs no walk of the tree.
#[derive(Clone, Debug, Default)]
pub(super) struct Marks {
    /// The number of nodes searched.
    indexed: usize,
    by_name: HashMap<String, InOrder>,
}

/// Returns the name of a mark, if the node is one.
fn mark<'t>(node: &NodeRef<'t>, words: &Patching) -> Option<Cow<'t, str>> {
    node.target().filter(|&it| it == words.marker || it == words.start)?;
    pseudo_attribute(node.data()?, words.name)
}

impl Tree {
    /// Returns the first mark with this name inside a node, and whether it starts a range.
    fn find_mark(
        &mut self,
        scope: NodeId,
        wanted: &str,
        words: &Patching,
    ) -> Option<(NodeId, bool)> {
        if self.instructions.is_empty() {
            return None;
        }
        let mut marks = std::mem::take(&mut self.marks);
        self.steps += (self.nodes.len() - marks.indexed) as u64;
        for index in marks.indexed..self.nodes.len() {
            if let Some(name) = mark(&NodeRef::new(self, index as u32), words) {
                marks.by_name.entry(name.into_owned()).or_default().note(index as u32);
            }
        }
        marks.indexed = self.nodes.len();
        let found = marks.by_name.get_mut(wanted);
        let found = found.and_then(|nodes| nodes.first_inside(self, scope.0)).map(NodeId);
        self.marks = marks;
        let begins = self.node(found?).target() == Some(words.start);
        found.map(|mark| (mark, begins))
    }

    /// Finds the first range with this name inside a node and removes its contents. Returns the parent, the mark at the
    /// start, and the mark at the end, if any.
    pub(super) fn open_place(
        &mut self,
        scope: NodeId,
        wanted: &str,
        words: &Patching,
    ) -> Option<(NodeId, NodeId, Option<NodeId>)> {
        if let Some(steps) = words.steps {
            return self.open_by_steps(scope, wanted, words, steps);
        }
        let (mark, begins) = self.find_mark(scope, wanted, words)?;
        let mark = self.node(mark);
        let (start, target) = (mark.id(), mark.parent()?.id());
        if !begins {
            return Some((target, start, Some(start)));
        }
        let (mut level, mut steps) = (0, 0);
        let end = mark.next_siblings().find(|node| {
            steps += 1;
            let target = node.target();
            if target == Some(words.start) {
                level += 1;
            } else if target == Some(words.end) {
                level -= 1;
            }
            level < 0
        });
        let end = end.map(|node| node.id());
        self.steps += steps;
        while let Some(next) = self.node(start).next_sibling().map(|node| node.id())
            && Some(next) != end
        {
            // Record the move, so that lists in tree order are updated.
            if self.nodes[next.index()].is_element() {
                self.moves.note(next.0);
            }
            self.unlink(next.0);
        }
        Some((target, start, end))
    }
}
