//! Bit sets of the steps matched by the open elements and by their children so far: one level for the document and for
//! each open element.

use super::test::TestPosition;
use crate::chain::Relation;
use std::collections::HashMap;

/// A stack of levels: one for the document and one for each open element, with bit sets of matched steps.
#[derive(Clone, Debug, Default)]
pub(super) struct Levels {
    pub(super) is_enabled: bool,
    pub(super) needs_types: bool,
    /// Number of 64-bit words that one level takes in each bit set.
    words_per_level: usize,
    /// For each level, the steps that its element matched.
    own_steps: Vec<u64>,
    /// For each level, the steps that its element or an ancestor matched.
    ancestor_steps: Vec<u64>,
    /// For each level, the steps that the last child so far matched.
    last_child_steps: Vec<u64>,
    /// For each level, the steps that any child so far matched.
    child_steps: Vec<u64>,
    children: Vec<Children>,
    /// Total number of entries in `counts_by_name` over all levels.
    name_count: usize,
}

/// Counts of the children of an element so far.
#[derive(Clone, Debug, Default)]
struct Children {
    count: u32,
    /// The number of children by name, if a selector needs it. Boxed, as each open element has this field.
    #[expect(
        clippy::box_collection,
        reason = "most elements have none, and a box is a sixth of a map"
    )]
    counts_by_name: Option<Box<HashMap<Box<str>, u32>>>,
}

impl Levels {
    pub(super) fn new(is_enabled: bool, needs_types: bool, words_per_level: usize) -> Self {
        let mut levels = Self { is_enabled, needs_types, words_per_level, ..Self::default() };
        levels.push(&vec![0; words_per_level]);
        levels
    }

    /// Counts a child of the innermost element.
    #[inline]
    pub(super) fn count(&mut self, name: &str) {
        if !self.is_enabled {
            return;
        }
        let Some(children) = self.children.last_mut() else { return };
        children.count = children.count.saturating_add(1);
        if self.needs_types {
            let counts_by_name = children.counts_by_name.get_or_insert_default();
            match counts_by_name.get_mut(name) {
                Some(count) => *count = count.saturating_add(1),
                None => {
                    counts_by_name.insert(name.into(), 1);
                    self.name_count += 1;
                }
            }
        }
    }

    /// Returns the position of the last counted child, which is named `name`; 0 if it has no position of this kind.
    pub(super) fn position(&self, kind: TestPosition, name: &str) -> u32 {
        let Some(children) = self.children.last() else { return 0 };
        match kind {
            TestPosition::Root if self.children.len() > 1 => 0,
            TestPosition::Root | TestPosition::Child => children.count,
            TestPosition::OfType => children
                .counts_by_name
                .as_ref()
                .and_then(|counts_by_name| counts_by_name.get(name))
                .copied()
                .unwrap_or(0),
        }
    }

    /// Whether an element in a relation to the one that is being opened has matched a step.
    #[inline]
    pub(super) fn has_matched(&self, relation: Relation, step: usize) -> bool {
        let step_sets = match relation {
            Relation::Parent => &self.own_steps,
            Relation::Ancestor => &self.ancestor_steps,
            Relation::Previous => &self.last_child_steps,
            Relation::Earlier => &self.child_steps,
        };
        let level_start = step_sets.len() - self.words_per_level;
        step_sets[level_start + step / 64] >> (step % 64) & 1 == 1
    }

    /// Records the steps that an element matched. If `can_contain`, the element stays open.
    #[inline]
    pub(super) fn enter(&mut self, own_steps: &[u64], can_contain: bool) {
        if !self.is_enabled {
            return;
        }
        let level_start = self.last_child_steps.len() - self.words_per_level;
        self.last_child_steps[level_start..].copy_from_slice(own_steps);
        for (child_steps, own_steps) in self.child_steps[level_start..].iter_mut().zip(own_steps) {
            *child_steps |= own_steps;
        }
        if can_contain {
            self.push(own_steps);
        }
    }

    fn push(&mut self, own_steps: &[u64]) {
        let parent = self.ancestor_steps.len().saturating_sub(self.words_per_level);
        self.own_steps.extend_from_slice(own_steps);
        for (index, word) in own_steps.iter().enumerate() {
            let ancestor_steps = self.ancestor_steps.get(parent + index).copied().unwrap_or(0);
            self.ancestor_steps.push(ancestor_steps | word);
        }
        self.last_child_steps.resize(self.own_steps.len(), 0);
        self.child_steps.resize(self.own_steps.len(), 0);
        self.children.push(Children::default());
    }

    #[inline]
    pub(super) fn leave(&mut self) {
        if self.is_enabled && self.children.len() > 1 {
            self.pop();
        }
    }

    /// Pops the level of the innermost element.
    fn pop(&mut self) {
        let counts_by_name = self.children.pop().and_then(|children| children.counts_by_name);
        self.name_count -= counts_by_name.map_or(0, |counts_by_name| counts_by_name.len());
        let length = self.own_steps.len() - self.words_per_level;
        for list in [
            &mut self.own_steps,
            &mut self.ancestor_steps,
            &mut self.last_child_steps,
            &mut self.child_steps,
        ] {
            list.truncate(length);
        }
    }

    pub(super) fn memory_usage(&self) -> usize {
        self.own_steps.len() * 32
            + self.children.len() * size_of::<Children>()
            + self.name_count * 64
    }
}
