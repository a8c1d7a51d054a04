//! Searches for inputs that reveal the changes of an edit: on the states alone, on states and modes, and among
//! extensions of inputs that take a changed row.

use super::{BestInputs, Impact, Pair};
use crate::changes::{Changes, DeclarationChange};
use crate::trial::{AnyRow, Input, RunMode};
use std::collections::HashSet;
use std::time::Instant;
use tabulex_oracle::search::{
    Bound, Difference, Errors, TreeWitness, for_each_difference, for_each_tree_difference,
    tree_starts,
};

/// Maximum number of inputs to extend, shortest first.
const MAX_EXTENDED: usize = 8;
/// Maximum number of pieces, such as tags, to append to an input.
const MAX_APPENDED: usize = 2;

/// Returns the time at which the fraction `numerator / denominator` of the time until `until` will have passed.
pub(super) fn deadline_after(until: Instant, numerator: u32, denominator: u32) -> Instant {
    Instant::now() + until.saturating_duration_since(Instant::now()) * numerator / denominator
}

/// A search for inputs that reveal changes, in order of length, so that the first input found is a shortest one.
pub(super) struct Search<'p, 'm> {
    pair: &'p Pair<'m>,
    changes: &'p Changes,
    /// Indices of changed rows, of states and of modes, that no input of this search has revealed yet.
    pending_rows: [HashSet<usize>; 2],
    /// Whether only declarations have changed, which any input may reveal.
    has_only_declarations: bool,
}

impl<'p, 'm> Search<'p, 'm> {
    pub(super) fn new(pair: &'p Pair<'m>, changes: &'p Changes) -> Self {
        let mut pending_rows = [HashSet::new(), HashSet::new()];
        for (at, change) in changes.rows.iter().enumerate() {
            let row = change.row().map(|it| it.row);
            pending_rows[usize::from(matches!(row, Some(AnyRow::Mode(_))))].insert(at);
        }
        Self {
            pair,
            changes,
            pending_rows,
            has_only_declarations: pair.has_changed_declaration && changes.rows.is_empty(),
        }
    }

    /// Searches for revealing inputs by running the states alone (part 0), or the states and the modes together (part 1).
    pub(super) fn search(
        &mut self,
        part: usize,
        until: Instant,
        best: &mut BestInputs,
        impact: &mut Impact,
    ) {
        let bound = Bound { configurations: usize::MAX, until: Some(until), ..Bound::default() };
        let concerns_part = |it: &DeclarationChange| part == 1 || it.concerns_states();
        let has_changed_declaration =
            self.has_only_declarations && self.changes.declarations.iter().any(concerns_part);
        if self.pending_rows[part].is_empty() && !has_changed_declaration {
            return;
        }
        let machines = self.pair.machines();
        let mut has_revealed_all = false;
        let mut take = |input: Input| {
            has_revealed_all = self.record_input(part, input, best);
            has_revealed_all
        };
        let extent = match part {
            0 => for_each_difference(machines, Errors::Positions, bound, &mut |difference| {
                let Difference { start, input, .. } = difference;
                take(Input { text: input, mode: RunMode::Tokens(start) })
            }),
            _ => for_each_tree_difference(machines, tree_starts(machines[1]), bound, &mut |it| {
                take(tree_input(it))
            }),
        };
        impact.inputs += extent.inputs;
        impact.is_exhaustive &= has_revealed_all || extent.is_exhaustive;
    }

    /// Searches extensions of inputs that take a changed row without revealing it, since a change of flags, lists or
    /// modes often shows only in later tokens. The rows remain pending, as a later search may find shorter inputs.
    pub(super) fn extend_inputs(
        &self,
        mut inputs: Vec<TreeWitness>,
        until: Instant,
        best: &mut BestInputs,
        impact: &mut Impact,
    ) {
        let mut pending_rows = self.pending_rows[1].clone();
        pending_rows.retain(|&index| best.inputs[index].is_none());
        if pending_rows.is_empty() || inputs.is_empty() {
            return;
        }
        inputs.sort_by_key(|it| it.input.chars().count());
        inputs.truncate(MAX_EXTENDED);
        let bound = Bound { configurations: usize::MAX, length: MAX_APPENDED, until: Some(until) };
        let extent =
            for_each_tree_difference(self.pair.machines(), inputs, bound, &mut |difference| {
                if let (_, Some(revealing_input)) = self.pair.compare(&tree_input(difference)) {
                    revealing_input.rows.iter().for_each(|row| _ = pending_rows.remove(row));
                    best.offer(&revealing_input);
                }
                pending_rows.is_empty()
            });
        impact.inputs += extent.inputs;
    }

    /// Records the changes that an input reveals. Returns whether none of the rows of `part`, states (0) or modes (1),
    /// is pending any more.
    fn record_input(&mut self, part: usize, input: Input, best: &mut BestInputs) -> bool {
        if let (_, Some(revealing_input)) = self.pair.compare(&input) {
            // If an input takes several changed rows, a row with changed steps need not have caused the difference.
            let has_single_row = revealing_input.rows.len() == 1;
            for row in revealing_input
                .rows
                .iter()
                .filter(|row| has_single_row || !self.changes.rows[**row].changes_only_steps())
            {
                self.pending_rows[part].remove(row);
            }
            best.offer(&revealing_input);
        }
        // If only declarations have changed, no row is pending, and the first input ends the search.
        self.pending_rows[part].is_empty()
    }
}

/// Returns the input of a difference between trees.
fn tree_input(difference: TreeWitness) -> Input {
    Input { text: difference.input, mode: RunMode::Tree(difference.options) }
}
