//! Lists of nodes in tree order, which find their first node inside a given node without a walk of the tree. A list is
//! sorted when it is queried, by a record of the nodes that have moved. Nodes that have left the tree are removed when
//! a query encounters them.

use super::Tree;
use super::node::NONE;
use std::cmp::Ordering;
use std::collections::VecDeque;

/// A list of nodes of a tree, added in order of creation, which usually is tree order.
#[derive(Clone, Debug, Default)]
pub(super) struct NodesInTreeOrder {
    nodes: VecDeque<u32>,
    /// Length of the prefix that is in tree order.
    sorted_len: usize,
    /// The highest node id in the sorted prefix.
    max_sorted_id: u32,
    /// Number of moves in the tree when the list was last sorted.
    move_count: u64,
    /// The index at which the last search ended and the next one starts.
    cursor: usize,
}

/// The moves of nodes within the tree since a list was first sorted.
#[derive(Clone, Debug, Default)]
pub(super) struct Moves {
    is_recording: bool,
    pub(super) count: u64,
    /// A monotonic stack of move numbers and nodes: a move is popped when its node, or a node created earlier, moves.
    moved_nodes: Vec<(u64, u32)>,
}

impl Moves {
    /// Records that a node has moved. No entries are needed for the descendants, which were created later.
    pub(super) fn record(&mut self, node: u32) {
        if self.is_recording {
            self.count += 1;
            while self.moved_nodes.pop_if(|(_, earlier)| *earlier >= node).is_some() {}
            self.moved_nodes.push((self.count, node));
        }
    }

    /// Returns the lowest id of a node that moved after the first `count` moves, or `None` if no node did.
    fn lowest_moved_after(&self, count: u64) -> Option<u32> {
        let index = self.moved_nodes.partition_point(|&(number, _)| number <= count);
        self.moved_nodes.get(index).map(|&(_, node)| node)
    }
}

/// Order labels of nodes: of two siblings, the one with the lower label comes first. Label 0 stands for no label; an
/// unlinked node has none.
#[derive(Clone, Debug, Default)]
pub(super) struct Labels(Vec<u64>);

impl Labels {
    /// Number of bits of a label.
    const LABEL_BITS: u32 = 62;
    /// Upper bound of labels, exclusive.
    const LABEL_END: u64 = 1 << Self::LABEL_BITS;
    /// Distance between labels of siblings appended in order, which is small enough for the largest tree.
    const LABEL_STEP: u64 = 1 << 30;

    /// Returns the label of a node, or 0 if it has none.
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

/// The position of a node relative to another one, the reference node.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum RelativePosition {
    /// The node precedes the reference node in tree order, or is an ancestor.
    Before,
    /// The two nodes are the same.
    Same,
    /// The node is a descendant of the reference node.
    Inside,
    /// The node follows the reference node and its descendants in tree order.
    After,
    /// The node is in a detached subtree, which the reference node is not in.
    Detached,
}

impl NodesInTreeOrder {
    /// Appends a node, which must have been created after all nodes in the list.
    pub(super) fn push(&mut self, node: u32) {
        self.nodes.push_back(node);
    }

    /// Returns the first node of the list that is inside `scope`, or `None` if there is none.
    pub(super) fn first_inside(&mut self, tree: &mut Tree, scope: u32) -> Option<u32> {
        self.sort(tree);
        let index = self.lower_bound(tree, scope);
        self.get_inside(tree, index, scope)
    }

    /// Sorts the list, and returns the index of its first node that is inside or after `node`; the length of the list
    /// if there is none.
    pub(super) fn index_after(&mut self, tree: &mut Tree, node: u32) -> usize {
        self.sort(tree);
        self.lower_bound(tree, node)
    }

    /// Returns the node at an index of the list, if it is inside `scope`.
    pub(super) fn get_inside(&self, tree: &mut Tree, index: usize, scope: u32) -> Option<u32> {
        let node = *self.nodes.get(index)?;
        (tree.position_of(node, scope) == RelativePosition::Inside).then_some(node)
    }

    /// Returns the index of the list's first node that is inside or after `node`; the length of the list if there is
    /// none.
    fn lower_bound(&mut self, tree: &mut Tree, node: u32) -> usize {
        let mut index = self.cursor.min(self.nodes.len());
        // Usually the result is close to that of the last search, so its neighborhood is tried first.
        for _ in 0..8 {
            let previous = index.checked_sub(1).and_then(|previous| self.nodes.get(previous));
            let previous_position = previous.map(|&other| tree.position_of(other, node));
            let position = self.nodes.get(index).map(|&other| tree.position_of(other, node));
            match (previous_position, position) {
                (Some(RelativePosition::Detached), _) => {
                    index -= 1;
                    self.remove(index);
                }
                (_, Some(RelativePosition::Detached)) => self.remove(index),
                (Some(RelativePosition::Inside | RelativePosition::After), _) => index -= 1,
                (_, Some(RelativePosition::Before | RelativePosition::Same)) => index += 1,
                (
                    None | Some(RelativePosition::Before | RelativePosition::Same),
                    None | Some(RelativePosition::Inside | RelativePosition::After),
                ) => {
                    self.cursor = index;
                    return index;
                }
            }
        }
        self.cursor = self.binary_search(tree, node);
        self.cursor
    }

    /// Returns what [`lower_bound`](Self::lower_bound) does, by binary search of the whole list.
    fn binary_search(&mut self, tree: &mut Tree, node: u32) -> usize {
        let (mut from, mut to) = (0, self.nodes.len());
        while from < to {
            let middle = (from + to) / 2;
            match tree.position_of(self.nodes[middle], node) {
                // A detached node has no position, so the search goes on without it.
                RelativePosition::Detached => {
                    self.remove(middle);
                    to -= 1;
                }
                RelativePosition::Before | RelativePosition::Same => from = middle + 1,
                RelativePosition::Inside | RelativePosition::After => to = middle,
            }
        }
        from
    }

    fn remove(&mut self, index: usize) {
        self.nodes.remove(index);
        self.sorted_len -= 1;
    }

    /// Sorts the list: inserts new nodes at their positions, and reinserts all nodes from the lowest moved id on.
    fn sort(&mut self, tree: &mut Tree) {
        tree.moves.is_recording = true;
        let lowest_moved = tree
            .moves
            .lowest_moved_after(self.move_count)
            .filter(|&lowest_moved| lowest_moved <= self.max_sorted_id);
        self.move_count = tree.moves.count;
        let mut unsorted: Vec<u32> = self.nodes.drain(self.sorted_len..).collect();
        if let Some(lowest_moved) = lowest_moved {
            tree.steps += self.nodes.len() as u64;
            unsorted.extend(self.nodes.iter().filter(|&&node| node >= lowest_moved));
            self.nodes.retain(|&node| node < lowest_moved);
            unsorted.sort_unstable();
        }
        self.sorted_len = self.nodes.len();
        for node in unsorted {
            self.max_sorted_id = self.max_sorted_id.max(node);
            self.insert(tree, node);
        }
    }

    /// Inserts a node at its position in the sorted list.
    fn insert(&mut self, tree: &mut Tree, node: u32) {
        let mut index = self.nodes.len();
        while let Some(&last) = self.nodes.back() {
            match tree.position_of(last, node) {
                RelativePosition::Detached => {
                    self.remove(index - 1);
                    index -= 1;
                }
                RelativePosition::Before | RelativePosition::Same => break,
                RelativePosition::Inside | RelativePosition::After => {
                    index = self.lower_bound(tree, node);
                    break;
                }
            }
        }
        self.nodes.insert(index, node);
        self.sorted_len += 1;
    }
}

impl Tree {
    /// Whether a node precedes another one in tree order.
    pub(super) fn is_before(&mut self, node: u32, other: u32) -> bool {
        self.position_of(node, other) == RelativePosition::Before
    }

    /// Returns the position of a node relative to another one. Nodes with different roots are ordered by the ids of the
    /// roots, unless the node is detached.
    fn position_of(&mut self, node: u32, other: u32) -> RelativePosition {
        if node == other {
            return RelativePosition::Same;
        }
        let parent = |tree: &Self, node: u32| tree.nodes[node as usize].parent;
        let (node_parent, other_parent) = (parent(self, node), parent(self, other));
        if node_parent != NONE && node_parent == other_parent {
            return self.position_of_sibling(node, other);
        }
        if node_parent == other {
            return RelativePosition::Inside;
        }
        if other_parent == node {
            return RelativePosition::Before;
        }
        let ([root, mut depth], [other_root, mut other_depth]) =
            (self.root_of(node), self.root_of(other));
        if root != other_root {
            return match root.cmp(&other_root) {
                _ if !self.nodes[root as usize].is_root() => RelativePosition::Detached,
                Ordering::Less => RelativePosition::Before,
                _ => RelativePosition::After,
            };
        }
        let (mut ancestor, mut other_ancestor) = (node, other);
        let is_deeper = depth > other_depth;
        while depth > other_depth {
            (ancestor, depth) = (parent(self, ancestor), depth - 1);
        }
        while other_depth > depth {
            (other_ancestor, other_depth) = (parent(self, other_ancestor), other_depth - 1);
        }
        if ancestor == other_ancestor {
            return if is_deeper { RelativePosition::Inside } else { RelativePosition::Before };
        }
        while parent(self, ancestor) != parent(self, other_ancestor) {
            self.steps += 1;
            (ancestor, other_ancestor) = (parent(self, ancestor), parent(self, other_ancestor));
        }
        self.position_of_sibling(ancestor, other_ancestor)
    }

    /// Returns the position of a node relative to a sibling.
    fn position_of_sibling(&mut self, node: u32, other: u32) -> RelativePosition {
        for node in [node, other] {
            self.label_siblings(node);
        }
        let [label, other_label] = [node, other].map(|node| self.labels.of(node));
        if label < other_label { RelativePosition::Before } else { RelativePosition::After }
    }

    /// Labels a node together with all siblings up to the nearest labeled ones, so that each sibling is visited once in
    /// total.
    fn label_siblings(&mut self, node: u32) {
        if self.labels.of(node) != 0 {
            return;
        }
        self.labels.0.resize(self.nodes.len(), 0);
        let (mut first, mut count) = (node, 1);
        let previous = loop {
            let previous = self.nodes[first as usize].previous_sibling;
            if previous == NONE || self.labels.of(previous) != 0 {
                break previous;
            }
            (first, count) = (previous, count + 1);
        };
        let mut next = self.nodes[node as usize].next_sibling;
        while next != NONE && self.labels.of(next) == 0 {
            (next, count) = (self.nodes[next as usize].next_sibling, count + 1);
        }
        self.steps += count;
        let low = if previous == NONE { 0 } else { self.labels.of(previous) };
        let high = if next == NONE { Labels::LABEL_END } else { self.labels.of(next) };
        match (high - low) / (count + 1) {
            0 => {
                // Too few labels are free, so all `count` siblings get the same label for now, and the labels around
                // them are redistributed.
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
            // Unlabeled siblings next to those in the range also get labels here.
            let is_in_range = |tree: &Self, node: u32| {
                let label = tree.labels.of(node);
                node != NONE && (label == 0 || range.contains(&label))
            };
            loop {
                let previous = self.nodes[first as usize].previous_sibling;
                let next = self.nodes[last as usize].next_sibling;
                if is_in_range(self, previous) {
                    first = previous;
                } else if is_in_range(self, next) {
                    last = next;
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

    /// Returns the root of the subtree that a node is in, and the node's depth below the root.
    fn root_of(&mut self, node: u32) -> [u32; 2] {
        let (mut root, mut depth) = (node, 0);
        while self.nodes[root as usize].parent != NONE {
            self.steps += 1;
            (root, depth) = (self.nodes[root as usize].parent, depth + 1);
        }
        [root, depth]
    }

    /// Records a move of a node to the end of `into`, an ancestor at most `levels` above, or, if `into` is `None`, to
    /// any place. A move to the end of an ancestor is not recorded if no node in that ancestor follows the moved one,
    /// because the order then stays the same.
    pub(super) fn record_move(&mut self, node: u32, into: Option<u32>, levels: usize) {
        if !self.moves.is_recording {
            return;
        }
        let (mut node, mut levels_left) = (node, levels);
        while Some(node) != into {
            let Some(&links) = self.nodes.get(node as usize).filter(|_| levels_left > 0) else {
                return self.moves.record(node);
            };
            if links.next_sibling != NONE || links.parent == NONE {
                return self.moves.record(node);
            }
            self.steps += 1;
            (node, levels_left) = (links.parent, levels_left - 1);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{RelativePosition, Tree};
    use crate::tree::{Namespace, NodeId};

    /// Checks the order of siblings that are inserted in the middle, near the start and at random positions, and checks
    /// that the number of steps per sibling is bounded.
    #[test]
    fn compares_siblings_by_current_order() {
        for strategy in 0..3 {
            let mut tree = Tree::new();
            let [parent, other_parent] =
                [0; 2].map(|_| tree.create_element(Namespace::HTML, "p").0);
            let mut random_state = 1_u64;
            let mut random_below = |bound: usize| {
                random_state = random_state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
                (random_state >> 33) as usize % bound
            };
            let mut order: Vec<u32> = Vec::new();
            for count in 0..3_000 {
                let node = tree.create_element(Namespace::HTML, "b").0;
                let index =
                    [order.len() / 2, order.len().min(1), random_below(order.len() + 1)][strategy];
                match order.get(index) {
                    Some(&sibling) => tree.link_before(sibling, node),
                    None => tree.link_last(parent, node),
                }
                order.insert(index, node);
                if count % 7 == 0 {
                    let node = order.remove(random_below(order.len()));
                    tree.link_last(other_parent, node);
                    tree.link_last(parent, node);
                    order.push(node);
                }
                for _ in 0..2 {
                    let [one, other] = [0; 2].map(|_| random_below(order.len()));
                    let position = tree.position_of(order[one], order[other]);
                    let expected = match one.cmp(&other) {
                        std::cmp::Ordering::Less => RelativePosition::Before,
                        std::cmp::Ordering::Equal => RelativePosition::Same,
                        std::cmp::Ordering::Greater => RelativePosition::After,
                    };
                    assert_eq!(
                        position,
                        expected,
                        "wrong order of siblings {one} and {other} of {}",
                        order.len()
                    );
                }
            }
            assert!(tree.steps < 200 * 3_000, "comparing 3000 siblings took {} steps", tree.steps);
            let children: Vec<NodeId> =
                tree.node(NodeId(parent)).children().map(|child| child.id()).collect();
            assert!(children.iter().map(|child| child.0).eq(order));
        }
    }
}
