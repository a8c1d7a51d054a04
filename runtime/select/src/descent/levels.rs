//! Bit sets of the steps matched by the open elements and by their children so far: one level for the document and for
//! each open element.

use super::Relation;
use super::test::TestPosition;
use std::collections::HashMap;

/// A stack of levels. In each bit set, a level takes `words` words.
#[derive(Clone, Debug, Default)]
pub(super) struct Levels {
    is_needed: bool,
    needs_types: bool,
    words: usize,
    /// The steps that the element itself matched.
    own: Vec<u64>,
    /// The steps that the element or an ancestor matched.
    around: Vec<u64>,
    /// The steps that its last child so far matched.
    last: Vec<u64>,
    /// The steps that any child so far matched.
    before: Vec<u64>,
    children: Vec<Children>,
    /// The number of counted names over all levels.
    names: usize,
}

/// The children of an element seen so far.
#[derive(Clone, Debug, Default)]
struct Children {
    count: u32,
    /// The number of children by name, if a selector needs it. Boxed, as each open element has this field.
    #[expect(
        clippy::box_collection,
        reason = "most elements have none, and a box is a sixth of a map"
    )]
    types: Option<Box<HashMap<Box<str>, u32>>>,
}

impl Levels {
    pub(super) fn new(is_needed: bool, needs_types: bool, words: usize) -> Self {
        let mut levels = Self { is_needed, needs_types, words, ..Self::default() };
        levels.push(&vec![0; words]);
        levels
    }

    pub(super) fn are_needed(&self) -> bool {
        self.is_needed
    }

    /// Counts a child of the innermost element.
    #[inline]
    pub(super) fn count(&mut self, name: &str) {
        if !self.is_needed {
            return;
        }
        let Some(children) = self.children.last_mut() else { return };
        children.count = children.count.saturating_add(1);
        if self.needs_types {
            let types = children.types.get_or_insert_default();
            match types.get_mut(name) {
                Some(count) => *count = count.saturating_add(1),
                None => {
                    types.insert(name.into(), 1);
                    self.names += 1;
                }
            }
        }
    }

    /// Returns the position of the last counted child.
    pub(super) fn number(&self, place: TestPosition, name: &str) -> u32 {
        let Some(children) = self.children.last() else { return 0 };
        match place {
            TestPosition::Root if self.children.len() > 1 => 0,
            TestPosition::Root | TestPosition::Child => children.count,
            TestPosition::OfType => {
                children.types.as_ref().and_then(|it| it.get(name)).copied().unwrap_or(0)
            }
        }
    }

    /// Whether the element in this relation to the next one matched the step.
    #[inline]
    pub(super) fn has(&self, relation: Relation, step: usize) -> bool {
        let list = match relation {
            Relation::Parent => &self.own,
            Relation::Ancestor => &self.around,
            Relation::Next => &self.last,
            Relation::Later => &self.before,
        };
        let top = list.len() - self.words;
        list[top + step / 64] >> (step % 64) & 1 == 1
    }

    /// Records the steps that an element matched. If `holds`, the element stays open.
    #[inline]
    pub(super) fn enter(&mut self, own: &[u64], holds: bool) {
        if !self.is_needed {
            return;
        }
        let top = self.last.len() - self.words;
        self.last[top..].copy_from_slice(own);
        for (before, own) in self.before[top..].iter_mut().zip(own) {
            *before |= own;
        }
        if holds {
            self.push(own);
        }
    }

    fn push(&mut self, own: &[u64]) {
        let above = self.around.len().saturating_sub(self.words);
        self.own.extend_from_slice(own);
        for (index, word) in own.iter().enumerate() {
            let around = self.around.get(above + index).copied().unwrap_or(0);
            self.around.push(around | word);
        }
        self.last.resize(self.own.len(), 0);
        self.before.resize(self.own.len(), 0);
        self.children.push(Children::default());
    }

    #[inline]
    pub(super) fn leave(&mut self) {
        if !self.is_needed || self.children.len() <= 1 {
            return;
        }
        let types = self.children.pop().and_then(|children| children.types);
        let left = types.map_or(0, |types| types.len());
        self.names -= left;
        let length = self.own.len() - self.words;
        for list in [&mut self.own, &mut self.around, &mut self.last, &mut self.before] {
            list.truncate(length);
        }
    }

    pub(super) fn memory_usage(&self) -> usize {
        self.own.len() * 32 + self.children.len() * size_of::<Children>() + self.names * 64
    }
}
