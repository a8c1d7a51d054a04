//! Lists of nodes in tree order, so that the first one inside a given node is found without walking the tree. A list is
//! sorted lazily, from the record of nodes that have moved, and nodes that have left the tree are removed when they are
//! encountered.

use super::Tree;
use super::node::NONE;
use std::cmp::Ordering;
use std::collections::VecDeque;

/// A list of nodes of a tree, added in order of creation, which usually is tree order.
#[derive(Clone, Debug, Default)]
pub(super) struct NodesInTreeOrder {
    nodes: VecDeque<u32>,
    /// The length of the prefix that is in tree order.
    sorted: usize,
    /// The highest node id in the sorted prefix.
    max_sorted_id: u32,
    /// The number of moves when the list was last sorted.
    moves: u64,
    /// The index at which the last search ended and the next one starts.
    cursor: usize,
}

/// The moves of nodes within the tree, recorded once a list has been sorted.
#[derive(Clone, Debug, Default)]
pub(super) struct Moves {
    is_recording: bool,
    count: u64,
    /// A monotonic stack of move numbers and nodes: a move is popped when that node, or one created earlier, moves
    /// again.
    moved_nodes: Vec<(u64, u32)>,
}

impl Moves {
    pub(super) fn start_recording(&mut self) {
        self.is_recording = true;
    }

    pub(super) fn is_recording(&self) -> bool {
        self.is_recording
    }

    pub(super) fn count(&self) -> u64 {
        self.count
    }

    /// Records that the node moved. Its descendants were created after it, so they need no entries.
    pub(super) fn record(&mut self, node: u32) {
        if self.is_recording {
            self.count += 1;
            while self.moved_nodes.pop_if(|(_, earlier)| *earlier >= node).is_some() {}
            self.moved_nodes.push((self.count, node));
        }
    }

    /// Returns the lowest node id among nodes moved after the first `count` moves.
    fn lowest_moved_after(&self, count: u64) -> Option<u32> {
        let index = self.moved_nodes.partition_point(|&(number, _)| number <= count);
        self.moved_nodes.get(index).map(|&(_, node)| node)
    }
}

/// Order labels of nodes: of two siblings, the one with the lower label is first. Label 0 means none; a node that is
/// unlinked loses its label.
#[derive(Clone, Debug, Default)]
pub(super) struct Labels(Vec<u64>);

impl Labels {
    const LABEL_BITS: u32 = 62;
    const LABEL_END: u64 = 1 << Self::LABEL_BITS;
    /// The distance between labels of siblings appended in order, small enough for the largest tree.
    const LABEL_STEP: u64 = 1 << 30;

    fn of(&self, node: u32) -> u64 {
        self.0.get(node as usize).copied().unwrap_or(0)
    }

    /// Removes the label of a node that is being unlinked.
    #[inline]
    pub(super) fn clear(&mut self, node: u32) {
        if let Some(label) = self.0.get_mut(node as usize) {
            *label = 0;
        }
    }

    pub(super) fn heap_size(&self) -> usize {
        self.0.capacity() * size_of::<u64>()
    }
}

/// The position of a node relative to another one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum SiblingOrder {
    Before,
    Same,
    Inside,
    After,
    /// Detached: its root is neither a document nor a fragment, nor that of the other node.
    Detached,
}

impl NodesInTreeOrder {
    /// Adds a node that was created after all others in the list.
    pub(super) fn push(&mut self, node: u32) {
        self.nodes.push_back(node);
    }

    /// Returns the first node in the list inside `scope`.
    pub(super) fn first_inside(&mut self, tree: &mut Tree, scope: u32) -> Option<u32> {
        self.sort(tree);
        let index = self.lower_bound(tree, scope);
        self.get_inside(tree, index, scope)
    }

    /// Returns the index of the first node in the list inside `node` or after it.
    pub(super) fn index_after(&mut self, tree: &mut Tree, node: u32) -> usize {
        self.sort(tree);
        self.lower_bound(tree, node)
    }

    /// Returns the node at an index of the list, if it is inside `scope`.
    pub(super) fn get_inside(&self, tree: &mut Tree, index: usize, scope: u32) -> Option<u32> {
        let node = *self.nodes.get(index)?;
        (tree.position_of(node, scope) == SiblingOrder::Inside).then_some(node)
    }

    /// Returns the index of the first node inside `node` or after it.
    fn lower_bound(&mut self, tree: &mut Tree, node: u32) -> usize {
        let mut index = self.cursor.min(self.nodes.len());
        // Usually the result is close to the last one.
        for _ in 0..8 {
            let before = index.checked_sub(1).and_then(|before| self.nodes.get(before));
            let before = before.map(|&other| tree.position_of(other, node));
            let here = self.nodes.get(index).map(|&other| tree.position_of(other, node));
            match (before, here) {
                (Some(SiblingOrder::Detached), _) => {
                    index -= 1;
                    self.remove(index);
                }
                (_, Some(SiblingOrder::Detached)) => self.remove(index),
                (Some(SiblingOrder::Inside | SiblingOrder::After), _) => index -= 1,
                (_, Some(SiblingOrder::Before | SiblingOrder::Same)) => index += 1,
                (
                    None | Some(SiblingOrder::Before | SiblingOrder::Same),
                    None | Some(SiblingOrder::Inside | SiblingOrder::After),
                ) => {
                    self.cursor = index;
                    return index;
                }
            }
        }
        self.cursor = self.search(tree, node);
        self.cursor
    }

    /// Returns the index of the first node inside `node` or after it, by binary search of the whole list.
    fn search(&mut self, tree: &mut Tree, node: u32) -> usize {
        let (mut from, mut to) = (0, self.nodes.len());
        while from < to {
            let middle = (from + to) / 2;
            match tree.position_of(self.nodes[middle], node) {
                // A detached node gives no information about the order.
                SiblingOrder::Detached => {
                    self.remove(middle);
                    to -= 1;
                }
                SiblingOrder::Before | SiblingOrder::Same => from = middle + 1,
                SiblingOrder::Inside | SiblingOrder::After => to = middle,
            }
        }
        from
    }

    fn remove(&mut self, index: usize) {
        self.nodes.remove(index);
        self.sorted -= 1;
    }

    /// Sorts the list: inserts new nodes, and re-inserts all nodes from the lowest moved id on.
    fn sort(&mut self, tree: &mut Tree) {
        tree.moves.start_recording();
        let moved =
            tree.moves.lowest_moved_after(self.moves).filter(|&moved| moved <= self.max_sorted_id);
        self.moves = tree.moves.count;
        let mut unsorted: Vec<u32> = self.nodes.drain(self.sorted..).collect();
        if let Some(moved) = moved {
            tree.steps += self.nodes.len() as u64;
            unsorted.extend(self.nodes.iter().filter(|&&node| node >= moved));
            self.nodes.retain(|&node| node < moved);
            unsorted.sort_unstable();
        }
        self.sorted = self.nodes.len();
        for node in unsorted {
            self.max_sorted_id = self.max_sorted_id.max(node);
            self.insert(tree, node);
        }
    }

    fn insert(&mut self, tree: &mut Tree, node: u32) {
        let mut index = self.nodes.len();
        while let Some(&last) = self.nodes.back() {
            match tree.position_of(last, node) {
                SiblingOrder::Detached => {
                    self.remove(index - 1);
                    index -= 1;
                }
                SiblingOrder::Before | SiblingOrder::Same => break,
                SiblingOrder::Inside | SiblingOrder::After => {
                    index = self.lower_bound(tree, node);
                    break;
                }
            }
        }
        self.nodes.insert(index, node);
        self.sorted += 1;
    }
}

impl Tree {
    /// Whether a node is before another one, of which it is not a descendant.
    pub(super) fn is_before(&mut self, node: u32, other: u32) -> bool {
        self.position_of(node, other) == SiblingOrder::Before
    }

    /// Returns the position of a node relative to another one. Nodes in different trees are ordered by the ids of the
    /// roots.
    fn position_of(&mut self, node: u32, other: u32) -> SiblingOrder {
        if node == other {
            return SiblingOrder::Same;
        }
        let parent = |tree: &Self, node: u32| tree.nodes[node as usize].parent;
        let (outer, other_outer) = (parent(self, node), parent(self, other));
        if outer != NONE && outer == other_outer {
            return self.position_of_sibling(node, other);
        }
        if outer == other {
            return SiblingOrder::Inside;
        }
        if other_outer == node {
            return SiblingOrder::Before;
        }
        let ([root, mut depth], [other_root, mut other_depth]) =
            (self.root_of(node), self.root_of(other));
        if root != other_root {
            return match root.cmp(&other_root) {
                _ if !self.nodes[root as usize].is_root() => SiblingOrder::Detached,
                Ordering::Less => SiblingOrder::Before,
                _ => SiblingOrder::After,
            };
        }
        let (mut at, mut other_at) = (node, other);
        let is_deeper = depth > other_depth;
        while depth > other_depth {
            (at, depth) = (parent(self, at), depth - 1);
        }
        while other_depth > depth {
            (other_at, other_depth) = (parent(self, other_at), other_depth - 1);
        }
        if at == other_at {
            return if is_deeper { SiblingOrder::Inside } else { SiblingOrder::Before };
        }
        while parent(self, at) != parent(self, other_at) {
            self.steps += 1;
            (at, other_at) = (parent(self, at), parent(self, other_at));
        }
        self.position_of_sibling(at, other_at)
    }

    /// Compares the positions of two siblings.
    fn position_of_sibling(&mut self, node: u32, other: u32) -> SiblingOrder {
        for node in [node, other] {
            self.label(node);
        }
        let [label, other] = [node, other].map(|node| self.labels.of(node));
        if label < other { SiblingOrder::Before } else { SiblingOrder::After }
    }

    /// Labels a node and all siblings between it and the nearest labeled ones, so that each sibling is passed once in
    /// total.
    fn label(&mut self, node: u32) {
        if self.labels.of(node) != 0 {
            return;
        }
        self.labels.0.resize(self.nodes.len(), 0);
        let (mut first, mut count) = (node, 1);
        let before = loop {
            let before = self.nodes[first as usize].previous_sibling;
            if before == NONE || self.labels.of(before) != 0 {
                break before;
            }
            (first, count) = (before, count + 1);
        };
        let mut after = self.nodes[node as usize].next_sibling;
        while after != NONE && self.labels.of(after) == 0 {
            (after, count) = (self.nodes[after as usize].next_sibling, count + 1);
        }
        self.steps += count;
        let low = if before == NONE { 0 } else { self.labels.of(before) };
        let high = if after == NONE { Labels::LABEL_END } else { self.labels.of(after) };
        match (high - low) / (count + 1) {
            0 => {
                // Dense siblings: the new ones get one label each, and labels around them are then spread further
                // apart.
                self.assign_labels(first, count, low.max(1), 0);
                self.relabel(first);
            }
            step => self.assign_labels(first, count, low, step.min(Labels::LABEL_STEP)),
        }
    }

    /// Assigns labels to `count` siblings from `first` on, in increments of `step` above `low`.
    fn assign_labels(&mut self, first: u32, count: u64, low: u64, step: u64) {
        let mut node = first;
        for number in 1..=count {
            self.labels.0[node as usize] = low + step * number;
            node = self.nodes[node as usize].next_sibling;
        }
    }

    /// Redistributes labels evenly over the smallest enclosing label range that is sparse enough: "Two Simplified
    /// Algorithms for Maintaining Order in a List" (Bender and others, 2002). The amortized cost is logarithmic per new
    /// sibling.
    fn relabel(&mut self, node: u32) {
        let label = self.labels.of(node);
        let (mut first, mut last, mut count, mut capacity) = (node, node, 1, 1.0);
        for bits in 1..=Labels::LABEL_BITS {
            let low = label >> bits << bits;
            let range = low..low + (1 << bits);
            capacity *= 4.0 / 3.0;
            // Siblings without labels that lie between labeled ones also get labels here.
            let is_in = |tree: &Self, node: u32| {
                let label = tree.labels.of(node);
                node != NONE && (label == 0 || range.contains(&label))
            };
            loop {
                let before = self.nodes[first as usize].previous_sibling;
                let after = self.nodes[last as usize].next_sibling;
                if is_in(self, before) {
                    first = before;
                } else if is_in(self, after) {
                    last = after;
                } else {
                    break;
                }
                (self.steps, count) = (self.steps + 1, count + 1);
            }
            let step = (1 << bits) / (count + 1);
            if count as f64 <= capacity && step > 0 || bits == Labels::LABEL_BITS {
                self.steps += count;
                return self.assign_labels(first, count, low, step);
            }
        }
    }

    /// Returns the outermost ancestor of a node (or the node itself), and the node's depth below it.
    fn root_of(&mut self, node: u32) -> [u32; 2] {
        let (mut root, mut depth) = (node, 0);
        while self.nodes[root as usize].parent != NONE {
            self.steps += 1;
            (root, depth) = (self.nodes[root as usize].parent, depth + 1);
        }
        [root, depth]
    }

    /// Records a move of a node to the end of an ancestor at most `levels` above it, or anywhere if `into` is `None`. A
    /// move to the end of an ancestor changes the order only if something follows the node there.
    pub(super) fn move_outward(&mut self, node: u32, into: Option<u32>, levels: usize) {
        if !self.moves.is_recording() {
            return;
        }
        let (mut node, mut levels_left) = (node, levels);
        while Some(node) != into {
            let Some(&outer) = self.nodes.get(node as usize).filter(|_| levels_left > 0) else {
                return self.moves.record(node);
            };
            if outer.next_sibling != NONE || outer.parent == NONE {
                return self.moves.record(node);
            }
            self.steps += 1;
            (node, levels_left) = (outer.parent, levels_left - 1);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{SiblingOrder, Tree};
    use crate::tree::{Namespace, NodeId};

    /// Compares siblings inserted at the middle, near the start and at random places; each takes a bounded number of
    /// steps.
    #[test]
    fn compares_siblings_by_current_order() {
        for place in 0..3 {
            let mut tree = Tree::new();
            let [parent, other] = [0; 2].map(|_| tree.create_element(Namespace::HTML, "p").0);
            let mut state = 1_u64;
            let mut below = |bound: usize| {
                state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
                (state >> 33) as usize % bound
            };
            let mut order: Vec<u32> = Vec::new();
            for count in 0..3_000 {
                let node = tree.create_element(Namespace::HTML, "b").0;
                let index = [order.len() / 2, order.len().min(1), below(order.len() + 1)][place];
                match order.get(index) {
                    Some(&sibling) => tree.link_before(sibling, node),
                    None => tree.link_last(parent, node),
                }
                order.insert(index, node);
                if count % 7 == 0 {
                    let node = order.remove(below(order.len()));
                    tree.link_last(other, node);
                    tree.link_last(parent, node);
                    order.push(node);
                }
                for _ in 0..2 {
                    let [one, another] = [0; 2].map(|_| below(order.len()));
                    let found = tree.position_of(order[one], order[another]);
                    let expected = match one.cmp(&another) {
                        std::cmp::Ordering::Less => SiblingOrder::Before,
                        std::cmp::Ordering::Equal => SiblingOrder::Same,
                        std::cmp::Ordering::Greater => SiblingOrder::After,
                    };
                    assert_eq!(found, expected, "{one}, {another} of {}", order.len());
                }
            }
            assert!(tree.steps < 200 * 3_000, "{} steps", tree.steps);
            let children: Vec<NodeId> =
                tree.node(NodeId(parent)).children().map(|it| it.id()).collect();
            assert!(children.iter().map(|it| it.0).eq(order));
        }
    }
}
