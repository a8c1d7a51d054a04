//! Nodes of one kind in tree order, so that a search for the first one inside of a node walks no tree. Which nodes they are
//! is the caller's business. Invariant: once a list has been brought in order, a node that is met in it and has left the
//! tree leaves the list.

use super::Tree;
use super::node::NONE;
use std::cmp::Ordering;
use std::collections::VecDeque;

/// Some nodes of a tree. They are noted in the order in which they were made, which mostly is that of the tree.
#[derive(Clone, Debug, Default)]
pub(super) struct InOrder {
    nodes: VecDeque<u32>,
    /// How many of them, from the first one on, are in tree order.
    sorted: usize,
    /// The number of the last of those that was made.
    newest: u32,
    /// How many moves there had been when they were brought in order.
    moves: u64,
    /// Where the last search has ended, as the next one often does.
    last: usize,
}

/// The nodes that changed places, with what is in them, after others may have been brought in order.
#[derive(Clone, Debug, Default)]
pub(super) struct Moves {
    /// Whether anything was brought in order; before that nothing need be known.
    is_watched: bool,
    count: u64,
    /// The number of a move, and the node. Those after which a node made earlier was moved are left out.
    earliest: Vec<(u64, u32)>,
}

impl Moves {
    /// From now on moves are noted.
    pub(super) fn watch(&mut self) {
        self.is_watched = true;
    }

    pub(super) fn is_watched(&self) -> bool {
        self.is_watched
    }

    /// How many moves there have been.
    pub(super) fn count(&self) -> u64 {
        self.count
    }

    /// The node changed its place among other nodes. What is in it was made after it.
    pub(super) fn note(&mut self, node: u32) {
        if self.is_watched {
            self.count += 1;
            while self.earliest.pop_if(|(_, earlier)| *earlier >= node).is_some() {}
            self.earliest.push((self.count, node));
        }
    }

    /// Of the nodes that were moved after this many moves, the one that was made first.
    fn first_after(&self, count: u64) -> Option<u32> {
        let index = self.earliest.partition_point(|&(number, _)| number <= count);
        self.earliest.get(index).map(|&(_, node)| node)
    }
}

/// Labels of nodes by which siblings are compared: the lower one stands before the other. 0 is none, as is that of a node
/// after the last one; a node that leaves its siblings loses its label.
#[derive(Clone, Debug, Default)]
pub(super) struct Labels(Vec<u64>);

impl Labels {
    const BITS: u32 = 62;
    const END: u64 = 1 << Self::BITS;
    /// Distance between the labels of siblings appended in order; small enough that the largest tree fits.
    const STEP: u64 = 1 << 30;

    fn of(&self, node: u32) -> u64 {
        self.0.get(node as usize).copied().unwrap_or(0)
    }

    /// The node leaves its siblings.
    #[inline]
    pub(super) fn forget(&mut self, node: u32) {
        if let Some(label) = self.0.get_mut(node as usize) {
            *label = 0;
        }
    }

    pub(super) fn heap_size(&self) -> usize {
        self.0.capacity() * size_of::<u64>()
    }
}

/// How a node stands to another one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Place {
    Before,
    Same,
    Inside,
    After,
    /// It is in no document, no fragment, and not where the other one is.
    Lost,
}

impl InOrder {
    /// Adds a node that was made after all others.
    pub(super) fn note(&mut self, node: u32) {
        self.nodes.push_back(node);
    }

    /// The first one inside of a node.
    pub(super) fn first_inside(&mut self, tree: &mut Tree, scope: u32) -> Option<u32> {
        self.sort(tree);
        let index = self.first_after(tree, scope);
        self.get_inside(tree, index, scope)
    }

    /// The index of the first one after a node.
    pub(super) fn index_after(&mut self, tree: &mut Tree, node: u32) -> usize {
        self.sort(tree);
        self.first_after(tree, node)
    }

    /// The one at this index, if it is inside of a node.
    pub(super) fn get_inside(&self, tree: &mut Tree, index: usize, scope: u32) -> Option<u32> {
        let node = *self.nodes.get(index)?;
        (tree.place_of(node, scope) == Place::Inside).then_some(node)
    }

    /// The index of the first one that is inside of a node or after it.
    fn first_after(&mut self, tree: &mut Tree, node: u32) -> usize {
        let mut index = self.last.min(self.nodes.len());
        // Mostly it is near the last one.
        for _ in 0..8 {
            let before = index.checked_sub(1).and_then(|before| self.nodes.get(before));
            let before = before.map(|&other| tree.place_of(other, node));
            let here = self.nodes.get(index).map(|&other| tree.place_of(other, node));
            match (before, here) {
                (Some(Place::Lost), _) => {
                    index -= 1;
                    self.remove(index);
                }
                (_, Some(Place::Lost)) => self.remove(index),
                (Some(Place::Inside | Place::After), _) => index -= 1,
                (_, Some(Place::Before | Place::Same)) => index += 1,
                (
                    None | Some(Place::Before | Place::Same),
                    None | Some(Place::Inside | Place::After),
                ) => {
                    self.last = index;
                    return index;
                }
            }
        }
        self.last = self.search(tree, node);
        self.last
    }

    /// The same, wherever it is.
    fn search(&mut self, tree: &mut Tree, node: u32) -> usize {
        let (mut from, mut to) = (0, self.nodes.len());
        while from < to {
            let middle = (from + to) / 2;
            match tree.place_of(self.nodes[middle], node) {
                // Where one stood that is lost says nothing.
                Place::Lost => {
                    self.remove(middle);
                    to -= 1;
                }
                Place::Before | Place::Same => from = middle + 1,
                Place::Inside | Place::After => to = middle,
            }
        }
        from
    }

    fn remove(&mut self, index: usize) {
        self.nodes.remove(index);
        self.sorted -= 1;
    }

    /// Brings the nodes in order: those that are new, and those that were moved or made after one that was.
    fn sort(&mut self, tree: &mut Tree) {
        tree.moves.watch();
        let moved = tree.moves.first_after(self.moves).filter(|&moved| moved <= self.newest);
        self.moves = tree.moves.count;
        let mut loose: Vec<u32> = self.nodes.drain(self.sorted..).collect();
        if let Some(moved) = moved {
            tree.steps += self.nodes.len() as u64;
            loose.extend(self.nodes.iter().filter(|&&node| node >= moved));
            self.nodes.retain(|&node| node < moved);
            loose.sort_unstable();
        }
        self.sorted = self.nodes.len();
        for node in loose {
            self.newest = self.newest.max(node);
            self.insert(tree, node);
        }
    }

    fn insert(&mut self, tree: &mut Tree, node: u32) {
        let mut index = self.nodes.len();
        while let Some(&last) = self.nodes.back() {
            match tree.place_of(last, node) {
                Place::Lost => {
                    self.remove(index - 1);
                    index -= 1;
                }
                Place::Before | Place::Same => break,
                Place::Inside | Place::After => {
                    index = self.first_after(tree, node);
                    break;
                }
            }
        }
        self.nodes.insert(index, node);
        self.sorted += 1;
    }
}

/// Where nodes stand.
impl Tree {
    /// Whether a node stands before another one, which is not around it.
    pub(super) fn is_before(&mut self, node: u32, other: u32) -> bool {
        self.place_of(node, other) == Place::Before
    }

    /// How a node stands to another one. Those of different trees are as their roots are, in the order of making.
    fn place_of(&mut self, node: u32, other: u32) -> Place {
        if node == other {
            return Place::Same;
        }
        let parent = |tree: &Self, node: u32| tree.nodes[node as usize].parent;
        let (outer, other_outer) = (parent(self, node), parent(self, other));
        if outer != NONE && outer == other_outer {
            return self.place_of_sibling(node, other);
        }
        if outer == other {
            return Place::Inside;
        }
        if other_outer == node {
            return Place::Before;
        }
        let ([root, mut depth], [other_root, mut other_depth]) =
            (self.root_of(node), self.root_of(other));
        if root != other_root {
            return match root.cmp(&other_root) {
                _ if !self.nodes[root as usize].is_root() => Place::Lost,
                Ordering::Less => Place::Before,
                _ => Place::After,
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
            return if is_deeper { Place::Inside } else { Place::Before };
        }
        while parent(self, at) != parent(self, other_at) {
            self.steps += 1;
            (at, other_at) = (parent(self, at), parent(self, other_at));
        }
        self.place_of_sibling(at, other_at)
    }

    /// Compares the positions of two siblings.
    fn place_of_sibling(&mut self, node: u32, other: u32) -> Place {
        for node in [node, other] {
            self.label(node);
        }
        let [label, other] = [node, other].map(|node| self.labels.of(node));
        if label < other { Place::Before } else { Place::After }
    }

    /// Labels a node, and with it all siblings between it and the nearest ones that have labels: so each is passed once,
    /// however often it is asked about.
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
        let high = if after == NONE { Labels::END } else { self.labels.of(after) };
        match (high - low) / (count + 1) {
            0 => {
                // They count as new ones at one place where siblings are dense, which then get labels farther apart.
                self.spread(first, count, low.max(1), 0);
                self.make_sparse(first);
            }
            step => self.spread(first, count, low, step.min(Labels::STEP)),
        }
    }

    /// Labels this many siblings from the first one on, each with a label so much higher than the one before.
    fn spread(&mut self, first: u32, count: u64, low: u64, step: u64) {
        let mut node = first;
        for number in 1..=count {
            self.labels.0[node as usize] = low + step * number;
            node = self.nodes[node as usize].next_sibling;
        }
    }

    /// Spreads labels evenly over the smallest range around that of a node in which they are sparse: "Two Simplified
    /// Algorithms for Maintaining Order in a List" (Bender and others, 2002). That is a logarithm of steps for each new
    /// sibling, in the long run.
    fn make_sparse(&mut self, node: u32) {
        let label = self.labels.of(node);
        let (mut first, mut last, mut count, mut capacity) = (node, node, 1, 1.0);
        for bits in 1..=Labels::BITS {
            let low = label >> bits << bits;
            let range = low..low + (1 << bits);
            capacity *= 4.0 / 3.0;
            // Siblings without labels get theirs here, as they stand between others.
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
            if count as f64 <= capacity && step > 0 || bits == Labels::BITS {
                self.steps += count;
                return self.spread(first, count, low, step);
            }
        }
    }

    /// The outermost node around a node, and how many there are.
    fn root_of(&mut self, node: u32) -> [u32; 2] {
        let (mut root, mut depth) = (node, 0);
        while self.nodes[root as usize].parent != NONE {
            self.steps += 1;
            (root, depth) = (self.nodes[root as usize].parent, depth + 1);
        }
        [root, depth]
    }

    /// A node is about to be moved to the end of one that is around it, no more than this many levels above; of no one,
    /// if it goes elsewhere. Only if something stands after it there, its place among other nodes is another one then.
    pub(super) fn move_outward(&mut self, node: u32, into: Option<u32>, levels: usize) {
        if !self.moves.is_watched() {
            return;
        }
        let (mut at, mut left) = (node, levels);
        while Some(at) != into {
            let Some(&outer) = self.nodes.get(at as usize).filter(|_| left > 0) else {
                return self.moves.note(node);
            };
            if outer.next_sibling != NONE || outer.parent == NONE {
                return self.moves.note(node);
            }
            self.steps += 1;
            (at, left) = (outer.parent, left - 1);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{Place, Tree};
    use crate::tree::{Namespace, NodeId};

    /// Siblings that are put between others, at one place and at any, are compared as they stand; each in a few steps.
    #[test]
    fn siblings_are_compared_as_they_stand() {
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
                let at = [order.len() / 2, order.len().min(1), below(order.len() + 1)][place];
                match order.get(at) {
                    Some(&sibling) => tree.link_before(sibling, node),
                    None => tree.link_last(parent, node),
                }
                order.insert(at, node);
                if count % 7 == 0 {
                    let node = order.remove(below(order.len()));
                    tree.link_last(other, node);
                    tree.link_last(parent, node);
                    order.push(node);
                }
                for _ in 0..2 {
                    let [one, another] = [0; 2].map(|_| below(order.len()));
                    let found = tree.place_of(order[one], order[another]);
                    let wanted = match one.cmp(&another) {
                        std::cmp::Ordering::Less => Place::Before,
                        std::cmp::Ordering::Equal => Place::Same,
                        std::cmp::Ordering::Greater => Place::After,
                    };
                    assert_eq!(found, wanted, "{one}, {another} of {}", order.len());
                }
            }
            assert!(tree.steps < 200 * 3_000, "{} steps", tree.steps);
            let children: Vec<NodeId> =
                tree.node(NodeId(parent)).children().map(|it| it.id()).collect();
            assert!(children.iter().map(|it| it.0).eq(order));
        }
    }
}
