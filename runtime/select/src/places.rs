//! Where elements stand among their siblings, of all and of those of their type, counted from both ends. Children of one
//! parent are counted once, at the first question about one of them, however many are asked about and however many types
//! they have. Invariant: it holds as long as nobody changes the tree.

use selectors::parser::{NthSelectorData, NthType};
use std::collections::HashMap;
use tabulex_core::tree::{Name, NodeId, NodeRef};

/// Which places a compound asks for, as `:nth-child()` and its like do.
#[derive(Clone, Copy)]
pub(crate) struct Wanted {
    is_of_type: bool,
    is_from_end: bool,
    /// `An+B`: the multiple, and what is added to it.
    step: i64,
    offset: i64,
}

impl Wanted {
    /// What a pseudo-class asks for; all of it must hold.
    pub(crate) fn of(nth: &NthSelectorData) -> impl Iterator<Item = Self> {
        let (is_of_type, first, last) = match nth.ty {
            NthType::Child => (false, true, false),
            NthType::LastChild => (false, false, true),
            NthType::OnlyChild => (false, true, true),
            NthType::OfType => (true, true, false),
            NthType::LastOfType => (true, false, true),
            NthType::OnlyOfType => (true, true, true),
        };
        // Of an only child both numbers are 1, whatever the pseudo-class has.
        let (step, offset) = match first && last {
            true => (0, 1),
            false => (nth.an_plus_b.0.into(), nth.an_plus_b.1.into()),
        };
        let ends = [(first, false), (last, true)].into_iter().filter(|(asked, _)| *asked);
        ends.map(move |(_, is_from_end)| Self { is_of_type, is_from_end, step, offset })
    }

    /// Whether it is the first child alone, or the last one alone, for which nothing needs to be counted.
    pub(crate) fn end(self) -> Option<End> {
        let is_one = (self.step, self.offset) == (0, 1) && !self.is_of_type;
        is_one.then_some(if self.is_from_end { End::Last } else { End::First })
    }

    /// Whether one of the numbers `An+B`, where `n` is at least 0, is this one.
    fn has(self, number: u32) -> bool {
        let distance = i64::from(number) - self.offset;
        match self.step {
            0 => distance == 0,
            step => distance % step == 0 && distance / step >= 0,
        }
    }
}

/// An end of a list of children.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum End {
    First,
    Last,
}

/// The children of each parent that were asked about, with their siblings.
#[derive(Default)]
pub(crate) struct Places {
    all: HashMap<NodeId, Family>,
    /// The siblings that match a selector list (`:nth-child(… of …)`), by parent and number of the list.
    among: HashMap<(NodeId, usize), Family>,
}

impl Places {
    /// Whether an element is where it is wanted.
    pub(crate) fn are(&mut self, node: NodeRef<'_>, wanted: Wanted) -> bool {
        // Without a parent it is the only one.
        node.parent().map_or_else(
            || wanted.has(1),
            |parent| {
                let family = self.all.entry(parent.id());
                let family = family.or_insert_with(|| Family::of(parent.children()));
                family.is_at(node.id(), wanted)
            },
        )
    }

    /// As [`are`](Self::are), among those children of the parent that were counted for a list; `None` if none were yet.
    pub(crate) fn are_among(
        &mut self,
        parent: NodeRef<'_>,
        list: usize,
        node: NodeRef<'_>,
        wanted: Wanted,
    ) -> Option<bool> {
        self.among.get_mut(&(parent.id(), list)).map(|family| family.is_at(node.id(), wanted))
    }

    /// Counts children of a parent for a list.
    pub(crate) fn count(&mut self, parent: NodeRef<'_>, list: usize, children: &[NodeRef<'_>]) {
        self.among.insert((parent.id(), list), Family::of(children.iter().copied()));
    }
}

/// An element among its siblings.
struct Child {
    id: NodeId,
    /// Which of the types it has.
    kind: u32,
    /// The how many of its type it is, from 1.
    of_type: u32,
}

/// The elements that are children of one parent. There may be millions of them, which are mostly asked about one after the
/// other.
struct Family {
    children: Vec<Child>,
    /// How many there are of each type.
    numbers: Vec<u32>,
    /// The indices of the children in the order of their ids, if that is another one.
    by_id: Vec<u32>,
    /// The index of the one that was asked about last.
    last: usize,
}

impl Family {
    /// Counts children.
    fn of<'a>(nodes: impl Iterator<Item = NodeRef<'a>>) -> Self {
        let mut kinds: HashMap<Name, u32> = HashMap::new();
        let (mut children, mut numbers) = (Vec::new(), Vec::new());
        let mut before = None;
        for node in nodes {
            let Some(name) = node.name() else { continue };
            // Many are of the type of the one before.
            let kind = match before {
                Some((same, kind)) if same == name.id() => kind,
                _ => {
                    let next = kinds.len() as u32;
                    *kinds.entry(name.id()).or_insert(next)
                }
            };
            before = Some((name.id(), kind));
            numbers.resize(kinds.len(), 0);
            numbers[kind as usize] += 1;
            children.push(Child { id: node.id(), kind, of_type: numbers[kind as usize] });
        }
        let mut by_id = Vec::new();
        if !children.is_sorted_by_key(|child| child.id.index()) {
            by_id.extend(0..children.len() as u32);
            by_id.sort_unstable_by_key(|&index| children[index as usize].id.index());
        }
        Self { children, numbers, by_id, last: 0 }
    }

    /// Whether a node is one of the counted children and at the wanted position.
    fn is_at(&mut self, id: NodeId, wanted: Wanted) -> bool {
        let is_it = |&index: &usize| self.children.get(index).is_some_and(|child| child.id == id);
        let near = [self.last, self.last + 1].into_iter().find(is_it);
        let Some(index) = near.or_else(|| self.index(id)) else { return false };
        self.last = index;
        let child = &self.children[index];
        let (place, number) = match wanted.is_of_type {
            true => (child.of_type, self.numbers[child.kind as usize]),
            false => (index as u32 + 1, self.children.len() as u32),
        };
        wanted.has(if wanted.is_from_end { number + 1 - place } else { place })
    }

    fn index(&self, id: NodeId) -> Option<usize> {
        let wanted = id.index();
        let found = match self.by_id.is_empty() {
            true => self.children.binary_search_by_key(&wanted, |child| child.id.index()),
            false => self
                .by_id
                .binary_search_by_key(&wanted, |&index| self.children[index as usize].id.index())
                .map(|at| self.by_id[at] as usize),
        };
        found.ok()
    }
}
