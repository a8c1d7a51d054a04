//! Decides from the rows that a run takes in the old table whether an edit may affect the run. An unaffected run has
//! equal results on both tables.

use crate::changes::{AnyRow, Changes, RowChange};
use crate::trial::RunResult;
use std::collections::HashSet;
use tabulex_language::model::Machine;

/// Offset added to the numbers of mode rows, to distinguish them from rows of states.
const MODE_ROW_OFFSET: u32 = 1 << 24;

/// Returns the numbers of the distinct rows of a run, sorted.
pub(super) fn row_numbers(result: &RunResult) -> Vec<u32> {
    let state_rows = result.rows.iter().map(|row| u32::from(row.state.0) << 8 | u32::from(row.row));
    let mode_rows =
        result.mode_rows.iter().map(|row| u32::from(row.mode.0) << 8 | u32::from(row.row));
    let mut numbers = distinct(state_rows);
    numbers.extend(distinct(mode_rows).into_iter().map(|row| MODE_ROW_OFFSET | row));
    numbers
}

/// Returns the distinct numbers, sorted, in time and space linear in the greatest one.
fn distinct(numbers: impl Iterator<Item = u32>) -> Vec<u32> {
    let mut visited: Vec<bool> = Vec::new();
    for number in numbers {
        let index = number as usize;
        if index >= visited.len() {
            visited.resize(index + 1, false);
        }
        visited[index] = true;
    }
    (0..).zip(visited).filter(|(_, is_there)| *is_there).map(|(number, _)| number).collect()
}

/// The rows of the old table at which the results of a run may begin to differ.
#[derive(Debug)]
pub(super) struct AffectedRows {
    /// Whether a changed declaration may affect every run.
    affects_all: bool,
    rows: HashSet<u32>,
}

impl AffectedRows {
    /// Whether the changes may affect a run that takes these rows.
    pub(super) fn contains_any(&self, rows: &[u32]) -> bool {
        self.affects_all || rows.iter().any(|row| self.rows.contains(row))
    }
}

/// Returns the rows that the changes may affect: each changed or removed row and, if a row was added or its patterns or
/// guard changed, all rows of the state or mode, since the new row may take their inputs.
pub(super) fn affected(old: &Machine, changes: &Changes) -> AffectedRows {
    let mut rows = HashSet::new();
    let row_number = |row: AnyRow| match row {
        AnyRow::State(row) => u32::from(row.state.0) << 8 | u32::from(row.row),
        AnyRow::Mode(row) => MODE_ROW_OFFSET | u32::from(row.mode.0) << 8 | u32::from(row.row),
    };
    for change in &changes.rows {
        rows.extend(change.old.as_ref().map(|old| row_number(old.row)));
        if change.new.is_some() && !change.changes_only_steps() {
            rows.extend(block_rows(old, change));
        }
    }
    AffectedRows { affects_all: !changes.declarations.is_empty(), rows }
}

/// Returns the numbers of all rows that the old table has in the state or mode of a change.
fn block_rows(old: &Machine, change: &RowChange) -> Vec<u32> {
    let name = change.of.split(' ').next().unwrap_or_default();
    let is_mode = matches!(change.new.as_ref().map(|it| it.row), Some(AnyRow::Mode(_)));
    if is_mode {
        let construction = old.construction.as_ref();
        let mode = construction.and_then(|it| Some((it, it.find_mode(name)?)));
        let size_and_id = mode.map(|(it, id)| (it.mode(id).rows.len() as u32, u32::from(id.0)));
        return size_and_id.map_or_else(Vec::new, |(count, id)| {
            (0..count).map(|row| MODE_ROW_OFFSET | id << 8 | row).collect()
        });
    }
    let size_and_id =
        old.find_state(name).map(|id| (old.state(id).rows.len() as u32, u32::from(id.0)));
    size_and_id.map_or_else(Vec::new, |(count, id)| (0..count).map(|row| id << 8 | row).collect())
}
