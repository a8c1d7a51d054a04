//! Decides from the rows that a run takes in the old table whether an edit may affect the run. An unaffected run has
//! equal results on both tables.

use crate::changes::{Changes, RowChange};
use crate::trial::AnyRow;
use std::collections::HashSet;
use tabulex_language::model::Machine;

/// Returns the rows of the old table that changes of rows may affect: each changed or removed row and, if a row was added
/// or its patterns or guard changed, all rows of the state or mode, since the new row may take their inputs.
pub(super) fn affected_rows(old: &Machine, changes: &Changes) -> HashSet<AnyRow> {
    let mut rows = HashSet::new();
    for change in &changes.rows {
        rows.extend(change.old.as_ref().map(|old| old.row));
        if !change.changes_only_steps() {
            rows.extend(block_rows(old, change).into_iter().flatten());
        }
    }
    rows
}

/// Returns all rows that the old table has in the state or mode of a new row; `None` if there is no new row, or the old
/// table lacks the state or mode.
fn block_rows(old: &Machine, change: &RowChange) -> Option<Vec<AnyRow>> {
    let name = change.of.split(' ').next()?;
    Some(match change.new.as_ref()?.row {
        AnyRow::State(_) => {
            let state = old.find_state(name)?;
            old.row_ids().filter(|row| row.state == state).map(AnyRow::State).collect()
        }
        AnyRow::Mode(_) => {
            let construction = old.construction.as_ref()?;
            let mode = construction.find_mode(name)?;
            construction.row_ids().filter(|row| row.mode == mode).map(AnyRow::Mode).collect()
        }
    })
}
