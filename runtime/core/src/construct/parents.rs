//! Parents of nodes, recorded for sinks that do not keep parents.

use super::{Builder, Construction};
use crate::tree::TreeSink;
use std::collections::HashMap;
use std::hash::Hash;

/// Number that stands for no node.
const NONE: u32 = u32::MAX;

/// Links of a node, as node numbers. The children of a node are linked in no particular order.
#[derive(Clone, Copy, Debug)]
struct Links {
    parent: u32,
    first_child: u32,
    next_sibling: u32,
    previous_sibling: u32,
}

/// The recorded parents of nodes.
#[derive(Debug)]
pub(super) struct Parents<N> {
    numbers: HashMap<N, u32>,
    nodes: Vec<N>,
    links: Vec<Links>,
}

impl<N> Default for Parents<N> {
    fn default() -> Self {
        Self { numbers: HashMap::new(), nodes: Vec::new(), links: Vec::new() }
    }
}

impl<N: Copy + Eq + Hash> Parents<N> {
    /// Returns the number of a node, and assigns one if the node has none.
    fn number(&mut self, node: N) -> u32 {
        *self.numbers.entry(node).or_insert_with(|| {
            self.nodes.push(node);
            self.links.push(Links {
                parent: NONE,
                first_child: NONE,
                next_sibling: NONE,
                previous_sibling: NONE,
            });
            self.links.len() as u32 - 1
        })
    }

    fn links(&mut self, number: u32) -> &mut Links {
        &mut self.links[number as usize]
    }

    fn parent_of(&self, node: N) -> Option<N> {
        let parent = self.links[*self.numbers.get(&node)? as usize].parent;
        self.nodes.get(parent as usize).copied()
    }

    fn unlink(&mut self, node: N) {
        let number = self.number(node);
        let Links { parent, next_sibling: next, previous_sibling: previous, .. } =
            *self.links(number);
        if parent == NONE {
            return;
        }
        match previous {
            NONE => self.links(parent).first_child = next,
            previous => self.links(previous).next_sibling = next,
        }
        if next != NONE {
            self.links(next).previous_sibling = previous;
        }
        let links = self.links(number);
        (links.parent, links.next_sibling, links.previous_sibling) = (NONE, NONE, NONE);
    }

    fn link(&mut self, parent: N, child: N) {
        self.unlink(child);
        let (parent, child) = (self.number(parent), self.number(child));
        let next_sibling = std::mem::replace(&mut self.links(parent).first_child, child);
        let links = self.links(child);
        (links.parent, links.next_sibling) = (parent, next_sibling);
        if next_sibling != NONE {
            self.links(next_sibling).previous_sibling = child;
        }
    }

    /// Moves all children of `from` to `to`; returns their number.
    fn link_children(&mut self, from: N, to: N) -> u64 {
        let from = self.number(from);
        let mut count = 0;
        loop {
            let first_child = self.links(from).first_child;
            let Some(&child) = self.nodes.get(first_child as usize) else { return count };
            self.link(to, child);
            count += 1;
        }
    }

    pub(super) fn memory_usage(&self) -> usize {
        // A hash map keeps an eighth of its slots free and has a control byte per slot.
        self.numbers.capacity() * (size_of::<(N, u32)>() + 1) * 8 / 7
            + self.nodes.capacity() * size_of::<N>()
            + self.links.capacity() * size_of::<Links>()
    }
}

/// Operations on parents of nodes. Changes are also recorded here if the sink does not keep parents.
impl<C: Construction, S: TreeSink> Builder<C, S> {
    #[inline]
    pub(super) fn parent_of(&self, node: S::Node) -> Option<S::Node> {
        if S::KEEPS_PARENTS { self.sink.parent_of(node) } else { self.parents.parent_of(node) }
    }

    /// Records that the sink has appended a new node to `parent`, if the sink does not keep parents.
    #[inline(always)]
    pub(super) fn record_appended(&mut self, parent: S::Node, node: S::Node) {
        if !S::KEEPS_PARENTS {
            self.parents.link(parent, node);
        }
    }

    /// Makes `node` the last child of `parent`.
    #[inline]
    pub(super) fn link_last(&mut self, parent: S::Node, node: S::Node) {
        self.record_appended(parent, node);
        self.sink.append_node(parent, node);
    }

    #[inline]
    pub(super) fn link_before(&mut self, sibling: S::Node, node: S::Node) {
        if !S::KEEPS_PARENTS
            && let Some(parent) = self.parents.parent_of(sibling)
        {
            self.parents.link(parent, node);
        }
        self.sink.insert_node_before(sibling, node);
    }

    /// Removes a node from its parent.
    #[inline]
    pub(super) fn unlink(&mut self, node: S::Node) {
        if !S::KEEPS_PARENTS {
            self.parents.unlink(node);
        }
        self.sink.remove_from_parent(node);
    }

    /// Moves all children of `from` to the end of `to`.
    #[inline]
    pub(super) fn link_children(&mut self, from: S::Node, to: S::Node) {
        if !S::KEEPS_PARENTS {
            self.steps += self.parents.link_children(from, to);
        }
        self.sink.reparent_children(from, to);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Compares the result of random operations with a plain list of parents.
    #[test]
    fn recorded_parents_equal_those_in_a_plain_list() {
        let (mut parents, mut plain_parents) = (Parents::default(), [None; 12]);
        let mut state = 1_u64;
        let mut random_below = |bound: u64| {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            ((state >> 33) % bound) as usize
        };
        for _ in 0..5000 {
            let (one, other) = (random_below(12), random_below(12));
            match random_below(4) {
                0 if one != other => {
                    parents.link_children(one, other);
                    for parent in plain_parents.iter_mut().filter(|parent| **parent == Some(one)) {
                        *parent = Some(other);
                    }
                }
                1 => {
                    parents.unlink(one);
                    plain_parents[one] = None;
                }
                _ => {
                    parents.link(one, other);
                    plain_parents[other] = Some(one);
                }
            }
            assert!((0..12).all(|node| parents.parent_of(node) == plain_parents[node]));
        }
    }
}
