//! Parents of nodes, which the sinks of markup5ever do not return.

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

/// The parents of numbered nodes.
#[derive(Debug, Default)]
pub(crate) struct Parents {
    links: Vec<Links>,
}

impl Parents {
    /// Adds the node with the next number, which has no parent.
    pub(crate) fn add(&mut self) {
        self.links.push(Links {
            parent: NONE,
            first_child: NONE,
            next_sibling: NONE,
            previous_sibling: NONE,
        });
    }

    fn links(&mut self, node: u32) -> &mut Links {
        &mut self.links[node as usize]
    }

    pub(crate) fn parent_of(&self, node: u32) -> Option<u32> {
        Some(self.links[node as usize].parent).filter(|&parent| parent != NONE)
    }

    pub(crate) fn unlink(&mut self, node: u32) {
        let Links { parent, next_sibling: next, previous_sibling: previous, .. } =
            *self.links(node);
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
        let links = self.links(node);
        (links.parent, links.next_sibling, links.previous_sibling) = (NONE, NONE, NONE);
    }

    pub(crate) fn link(&mut self, parent: u32, child: u32) {
        self.unlink(child);
        let next_sibling = std::mem::replace(&mut self.links(parent).first_child, child);
        let links = self.links(child);
        (links.parent, links.next_sibling) = (parent, next_sibling);
        if next_sibling != NONE {
            self.links(next_sibling).previous_sibling = child;
        }
    }

    /// Moves all children of `from` to `to`.
    pub(crate) fn link_children(&mut self, from: u32, to: u32) {
        while from != to && self.links(from).first_child != NONE {
            let child = self.links(from).first_child;
            self.link(to, child);
        }
    }

    pub(crate) fn heap_size(&self) -> usize {
        self.links.capacity() * size_of::<Links>()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Compares the result of random operations with a plain list of parents.
    #[test]
    fn recorded_parents_equal_those_in_a_plain_list() {
        let (mut parents, mut plain_parents) = (Parents::default(), [None; 12]);
        (0..12).for_each(|_| parents.add());
        let mut state = 1_u64;
        let mut random_below = |bound: u64| {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            ((state >> 33) % bound) as u32
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
                    plain_parents[one as usize] = None;
                }
                _ => {
                    parents.link(one, other);
                    plain_parents[other as usize] = Some(one);
                }
            }
            assert!((0..12).all(|node| parents.parent_of(node) == plain_parents[node as usize]));
        }
    }
}
