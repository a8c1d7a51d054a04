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
        loop {
            let before = index.checked_sub(1).and_then(|before| self.nodes.get(before));
            let before = before.map(|&other| tree.place_of(other, node));
            let here = self.nodes.get(index).map(|&other| tree.place_of(other, node));
            match (before, here) {
                (Some(Place::Lost), _) => {
                    index -= 1;
                    self.remove(index);
                }
                (_, Some(Place::Lost)) => self.remove(index),
                (
                    None | Some(Place::Before | Place::Same),
                    None | Some(Place::Inside | Place::After),
                ) => {
                    self.last = index;
                    return index;
                }
                _ => break,
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

    /// How a node stands to another child of its parent. Both are walked from by turns, as mostly one is near the end.
    fn place_of_sibling(&mut self, node: u32, other: u32) -> Place {
        let next = |tree: &Self, node: u32| tree.nodes[node as usize].next_sibling;
        let (mut at, mut other_at) = (node, other);
        loop {
            self.steps += 1;
            (at, other_at) = (next(self, at), next(self, other_at));
            if at == other || other_at == NONE {
                return Place::Before;
            }
            if other_at == node || at == NONE {
                return Place::After;
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
