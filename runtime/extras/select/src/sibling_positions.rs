//! Positions of elements among all their siblings or among those of one type, from either end. For each position that a
//! selector requires, the children of a parent are numbered once, on the first query.

use selectors::parser::{NthSelectorData, NthType};
use std::collections::HashMap;
use tabulex_core::tree::NodeRef;

/// The number of an element that is not counted among its siblings.
const NOT_COUNTED: u32 = u32::MAX;

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

    /// Whether the position with this number is the required one.
    pub(crate) fn contains(self, number: u32) -> bool {
        number != NOT_COUNTED && is_nth(self.step, self.offset, number)
    }

    /// Numbers the element and its siblings, as far as `is_counted` holds. `numbers` holds the numbers of all nodes of the
    /// tree by index, from 1: [`NOT_COUNTED`] for siblings that are not counted, and 0 for nodes without a number yet.
    pub(crate) fn number_siblings(
        self,
        element: NodeRef<'_>,
        numbers: &mut Vec<u32>,
        mut is_counted: impl FnMut(NodeRef<'_>) -> bool,
    ) {
        if numbers.is_empty() {
            // Unlike a resized vector, one of zeros takes memory of the operating system only where it is written.
            *numbers = vec![0; element.tree().node_count()];
        }
        let (mut count, mut counts_by_type) = (0, HashMap::new());
        let mut number = |sibling: NodeRef<'_>| {
            let Some(name) = sibling.name() else { return };
            numbers[sibling.id().index()] = if is_counted(sibling) {
                let count = match self.is_of_type {
                    true => counts_by_type.entry(name.id()).or_insert(0),
                    false => &mut count,
                };
                *count += 1;
                *count
            } else {
                NOT_COUNTED
            };
        };
        match element.parent().map(|parent| parent.children()) {
            // An element without a parent has no siblings.
            None => number(element),
            Some(children) if self.is_from_end => children.rev().for_each(number),
            Some(children) => children.for_each(number),
        }
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
