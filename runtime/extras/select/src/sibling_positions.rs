//! Positions of elements among all their siblings or among those of one type, from either end. The children of a parent
//! are counted once, on the first query, for any number of queries and types.

use selectors::parser::{NthSelectorData, NthType};
use std::collections::HashMap;
use tabulex_core::tree::{Name, NodeId, NodeRef};

/// A required position among siblings, as in `:nth-child()` and similar pseudo-classes.
#[derive(Clone, Copy)]
pub(crate) struct NthPosition {
    is_of_type: bool,
    is_from_end: bool,
    /// The factor `A` of `An+B`.
    step: i64,
    /// The offset `B` of `An+B`.
    offset: i64,
}

impl NthPosition {
    /// Returns the positions that a pseudo-class requires: two for an only child, otherwise one.
    pub(crate) fn of(nth: &NthSelectorData) -> impl Iterator<Item = Self> {
        let (is_of_type, from_start, from_end) = match nth.ty {
            NthType::Child => (false, true, false),
            NthType::LastChild => (false, false, true),
            NthType::OnlyChild => (false, true, true),
            NthType::OfType => (true, true, false),
            NthType::LastOfType => (true, false, true),
            NthType::OnlyOfType => (true, true, true),
        };
        // Both positions of an only child are 1.
        let (step, offset) = match from_start && from_end {
            true => (0, 1),
            false => (nth.an_plus_b.0.into(), nth.an_plus_b.1.into()),
        };
        let ends = [(from_start, false), (from_end, true)]
            .into_iter()
            .filter(|(is_counted, _)| *is_counted);
        ends.map(move |(_, is_from_end)| Self { is_of_type, is_from_end, step, offset })
    }

    /// Returns `First` or `Last` if this is the position of the first or the last child, which needs no counting.
    pub(crate) fn end(self) -> Option<End> {
        let is_one = (self.step, self.offset) == (0, 1) && !self.is_of_type;
        is_one.then_some(if self.is_from_end { End::Last } else { End::First })
    }

    fn contains(self, number: u32) -> bool {
        is_nth(self.step, self.offset, number)
    }
}

/// Whether `number` is `step * n + offset` for some `n` of at least 0.
pub(crate) fn is_nth(step: i64, offset: i64, number: u32) -> bool {
    let distance = i64::from(number) - offset;
    match step {
        0 => distance == 0,
        step => distance % step == 0 && distance / step >= 0,
    }
}

/// An end of a list of children.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum End {
    First,
    Last,
}

/// The counted children of each parent queried so far.
#[derive(Default)]
pub(crate) struct SiblingPositions {
    by_parent: HashMap<NodeId, CountedSiblings>,
    /// Children that match the selector list of `:nth-child(… of …)`, by parent and identity of the list.
    by_list: HashMap<(NodeId, usize), CountedSiblings>,
}

impl SiblingPositions {
    /// Whether an element is at the required position.
    pub(crate) fn is_at(&mut self, node: NodeRef<'_>, position: NthPosition) -> bool {
        // An element without a parent has no siblings, so its position is 1.
        node.parent().map_or_else(
            || position.contains(1),
            |parent| {
                let siblings = self.by_parent.entry(parent.id());
                let siblings = siblings.or_insert_with(|| CountedSiblings::of(parent.children()));
                siblings.is_at(node.id(), position)
            },
        )
    }

    /// Whether an element is at the required position among the children that were counted for a list; `None` if the
    /// children have not been counted for it.
    pub(crate) fn is_at_among(
        &mut self,
        parent: NodeRef<'_>,
        list_id: usize,
        node: NodeRef<'_>,
        position: NthPosition,
    ) -> Option<bool> {
        self.by_list
            .get_mut(&(parent.id(), list_id))
            .map(|siblings| siblings.is_at(node.id(), position))
    }

    /// Counts `children`, those of a parent that match a selector list, for later queries.
    pub(crate) fn count(&mut self, parent: NodeRef<'_>, list_id: usize, children: &[NodeRef<'_>]) {
        self.by_list.insert((parent.id(), list_id), CountedSiblings::of(children.iter().copied()));
    }
}

/// A child element with its type and its position among the children of that type.
struct Child {
    id: NodeId,
    /// The index of the child's type in `type_counts`.
    type_index: u32,
    /// The child's position among children of its type, from 1.
    position_of_type: u32,
}

/// The child elements of one parent, possibly millions. They are mostly queried in order.
struct CountedSiblings {
    children: Vec<Child>,
    /// The number of children of each type.
    type_counts: Vec<u32>,
    /// The indices of the children by ascending id; empty if the children are already in that order.
    by_id: Vec<u32>,
    /// The index of the child queried last.
    last_queried: usize,
}

impl CountedSiblings {
    fn of<'a>(nodes: impl Iterator<Item = NodeRef<'a>>) -> Self {
        let mut types: HashMap<Name, u32> = HashMap::new();
        let (mut children, mut type_counts) = (Vec::new(), Vec::new());
        let mut previous = None;
        for node in nodes {
            let Some(name) = node.name() else { continue };
            // Consecutive children often have the same type, which then needs no second lookup.
            let type_index = match previous {
                Some((previous_name, type_index)) if previous_name == name.id() => type_index,
                _ => {
                    let new_index = types.len() as u32;
                    *types.entry(name.id()).or_insert(new_index)
                }
            };
            previous = Some((name.id(), type_index));
            type_counts.resize(types.len(), 0);
            type_counts[type_index as usize] += 1;
            children.push(Child {
                id: node.id(),
                type_index,
                position_of_type: type_counts[type_index as usize],
            });
        }
        let mut by_id = Vec::new();
        if !children.is_sorted_by_key(|child| child.id.index()) {
            by_id.extend(0..children.len() as u32);
            by_id.sort_unstable_by_key(|&index| children[index as usize].id.index());
        }
        Self { children, type_counts, by_id, last_queried: 0 }
    }

    /// Whether a node is one of the counted children and at the required position.
    fn is_at(&mut self, id: NodeId, position: NthPosition) -> bool {
        let is_target =
            |&index: &usize| self.children.get(index).is_some_and(|child| child.id == id);
        let nearby_index = [self.last_queried, self.last_queried + 1].into_iter().find(is_target);
        let Some(index) = nearby_index.or_else(|| self.index_of(id)) else { return false };
        self.last_queried = index;
        let child = &self.children[index];
        let (position_from_start, count) = match position.is_of_type {
            true => (child.position_of_type, self.type_counts[child.type_index as usize]),
            false => (index as u32 + 1, self.children.len() as u32),
        };
        position.contains(if position.is_from_end {
            count + 1 - position_from_start
        } else {
            position_from_start
        })
    }

    fn index_of(&self, id: NodeId) -> Option<usize> {
        let id_index = id.index();
        let index = match self.by_id.is_empty() {
            true => self.children.binary_search_by_key(&id_index, |child| child.id.index()),
            false => self
                .by_id
                .binary_search_by_key(&id_index, |&index| self.children[index as usize].id.index())
                .map(|rank| self.by_id[rank] as usize),
        };
        index.ok()
    }
}
