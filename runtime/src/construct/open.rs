//! The stack of open elements. It makes no nodes. Invariant: for each name, the topmost open element that bears it is
//! known, so that no question about the stack walks it.

use crate::tree::LocalName;

/// No element.
const NONE: u32 = u32::MAX;

/// An open element.
#[derive(Clone, Copy, Debug)]
pub(super) struct Open<N> {
    pub(super) node: N,
    pub(super) name: LocalName,
    /// The place of the next lower element of the same name.
    below: u32,
}

/// The stack of open elements.
#[derive(Clone, Debug)]
pub(super) struct OpenElements<N> {
    elements: Vec<Open<N>>,
    /// The place of the topmost element of each name.
    topmost: Vec<u32>,
}

impl<N: Copy> OpenElements<N> {
    pub(super) fn new() -> Self {
        Self { elements: Vec::new(), topmost: Vec::new() }
    }

    pub(super) fn len(&self) -> usize {
        self.elements.len()
    }

    pub(super) fn is_empty(&self) -> bool {
        self.elements.is_empty()
    }

    pub(super) fn last(&self) -> Option<&Open<N>> {
        self.elements.last()
    }

    pub(super) fn push(&mut self, node: N, name: LocalName) {
        let id = name.id() as usize;
        if id >= self.topmost.len() {
            self.topmost.resize(id + 1, NONE);
        }
        let below = std::mem::replace(&mut self.topmost[id], self.elements.len() as u32);
        self.elements.push(Open { node, name, below });
    }

    pub(super) fn pop(&mut self) -> Option<Open<N>> {
        let open = self.elements.pop()?;
        self.topmost[open.name.id() as usize] = open.below;
        Some(open)
    }

    /// The place of the topmost element of the name, from the bottom of the stack.
    pub(super) fn topmost(&self, name: u32) -> Option<u32> {
        self.topmost.get(name as usize).copied().filter(|&place| place != NONE)
    }
}
