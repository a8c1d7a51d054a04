//! Searches for inputs that reveal the changes of an edit: on states, on states with modes, and by extending inputs
//! that take a changed row.

use super::{Best, Impact, Pair};
use crate::changes::{AnyRow, Changes, DeclarationChange};
use crate::trial::{Input, RunMode};
use std::collections::HashSet;
use std::time::Instant;
use tabulex_oracle::search::{
    Bound, Difference, Errors, TreeDifference, TreeWitness, for_each_difference,
    for_each_tree_difference, for_each_tree_difference_after,
};

/// Maximum number of inputs to extend, shortest first.
const MAX_EXTENDED: usize = 8;
/// Maximum number of tokens to append.
const MAX_APPENDED: usize = 2;

/// Returns the deadline after a fraction of the remaining time.
pub(super) fn deadline_after(until: Instant, numerator: u32, denominator: u32) -> Instant {
    Instant::now() + until.saturating_duration_since(Instant::now()) * numerator / denominator
}

/// A search in order of input length, so that the first input that reveals a change is the shortest.
pub(super) struct Search<'p, 'm> {
    pair: &'p Pair<'m>,
    changes: &'p Changes,
    /// Changed rows, of states and of modes, that no input of this search has revealed yet.
    pending_rows: [HashSet<usize>; 2],
    /// Whether only declarations have changed, which any input may reveal.
    is_any: bool,
}

impl<'p, 'm> Search<'p, 'm> {
    pub(super) fn new(pair: &'p Pair<'m>, changes: &'p Changes) -> Self {
        let mut pending_rows = [HashSet::new(), HashSet::new()];
        for (at, change) in changes.rows.iter().enumerate() {
            let row = change.new.as_ref().or(change.old.as_ref()).map(|it| it.row);
            pending_rows[usize::from(matches!(row, Some(AnyRow::Mode(_))))].insert(at);
        }
        Self { pair, changes, pending_rows, is_any: pair.is_any && changes.rows.is_empty() }
    }

    /// Searches the states alone.
    pub(super) fn states(&mut self, until: Instant, best: &mut Best, impact: &mut Impact) {
        let bound = Bound { configurations: usize::MAX, until: Some(until), ..Bound::default() };
        let mut declarations = self.changes.declarations.iter();
        let is_any = self.is_any && declarations.any(DeclarationChange::concerns_states);
        if self.pending_rows[0].is_empty() && !is_any {
            return;
        }
        let machines = self.pair.machines();
        let ended = for_each_difference(machines, Errors::Positions, bound, &mut |difference| {
            let Difference { start, input, .. } = difference;
            self.record_input(0, Input { text: input, mode: RunMode::Tokens(start) }, best)
        });
        impact.inputs += ended.inputs;
        impact.is_exhaustive &= self.pending_rows[0].is_empty() || ended.is_exhaustive;
    }

    /// Extends inputs that take a changed row without revealing it, since a change of flags, lists or modes often shows
    /// only in later tokens. The rows remain wanted, as there may be shorter inputs.
    pub(super) fn extend_inputs(
        &self,
        mut inputs: Vec<TreeWitness>,
        until: Instant,
        best: &mut Best,
        impact: &mut Impact,
    ) {
        let mut pending_rows = self.pending_rows[1].clone();
        pending_rows.retain(|&index| best.shown[index].is_none());
        if pending_rows.is_empty() || inputs.is_empty() {
            return;
        }
        inputs.sort_by_key(|it| it.input.chars().count());
        inputs.truncate(MAX_EXTENDED);
        let bound = Bound { configurations: usize::MAX, length: MAX_APPENDED, until: Some(until) };
        let ended = for_each_tree_difference_after(
            self.pair.machines(),
            &inputs,
            bound,
            &mut |difference| {
                if let (_, Some(shown)) = self.pair.compare(&tree_input(difference)) {
                    shown.rows.iter().for_each(|row| _ = pending_rows.remove(row));
                    best.offer(&shown);
                }
                pending_rows.is_empty()
            },
        );
        impact.inputs += ended.inputs;
    }

    /// Searches states and modes.
    pub(super) fn modes(&mut self, until: Instant, best: &mut Best, impact: &mut Impact) {
        let bound = Bound { configurations: usize::MAX, until: Some(until), ..Bound::default() };
        if self.pending_rows[1].is_empty() && !self.is_any {
            return;
        }
        let mut is_found = false;
        let ended = for_each_tree_difference(self.pair.machines(), bound, &mut |difference| {
            is_found = self.record_input(1, tree_input(difference), best);
            is_found
        });
        impact.inputs += ended.inputs;
        impact.is_exhaustive &= is_found || ended.is_exhaustive;
    }

    /// Handles an input. Returns whether no row is wanted any more.
    fn record_input(&mut self, part: usize, input: Input, best: &mut Best) -> bool {
        if let (_, Some(shown)) = self.pair.compare(&input) {
            // If several changed rows were taken, one whose steps changed may have no part in the difference.
            let is_alone = shown.rows.len() == 1;
            for row in shown
                .rows
                .iter()
                .filter(|row| is_alone || !self.changes.rows[**row].changes_only_steps())
            {
                self.pending_rows[part].remove(row);
            }
            best.offer(&shown);
        }
        // For a declaration, one input is enough.
        self.pending_rows[part].is_empty()
    }
}

/// Returns the input of a difference between trees.
fn tree_input(difference: TreeDifference) -> Input {
    Input { text: difference.input, mode: RunMode::Tree(difference.options) }
}
