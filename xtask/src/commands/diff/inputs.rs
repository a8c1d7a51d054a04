//! Inputs that show what differs, found by search: first from the start, then after inputs that take the rows for which
//! nothing was found. It prints nothing. Invariant: every input was run on both machines.

use super::{Compared, Side};
use crate::root;
use std::collections::BTreeSet;
use tabulex_documents::compare::{Difference, RowAt};
use tabulex_language::model::Machine;
use tabulex_oracle::search::{
    self, Bound, Differences, Errors, Start, Witnesses, differences, differences_after, witnesses,
};

/// The shortest search.
const NOTHING: Bound = Bound { configurations: 1, length: 1, until: None };

/// How many inputs are taken after a row: the first ones may show another difference.
const MOST: usize = 8;

/// How far the search goes on after an input that takes a row.
const AFTER_A_ROW: Bound = Bound { configurations: 60, length: 8, until: None };

/// Searches inputs for undeclared differences from a document, or for all; none if one of the sides is no machine.
pub(super) fn beside_document(compared: &Compared, for_all: bool) -> Option<Differences> {
    let (mut one, mut other) = both(compared)?;
    // What comes before the states is declared apart.
    one.newlines_normalized = other.newlines_normalized;
    one.nulls_replaced = other.nulls_replaced;
    (one.input_errors, other.input_errors) = (Vec::new(), Vec::new());
    if for_all {
        return Some(differences([&one, &other], Errors::Codes, Bound::default(), usize::MAX));
    }
    let wanted = compared.comparison.undeclared();
    let nothing = differences([&one, &other], Errors::Codes, NOTHING, 1);
    near([&one, &other], nothing, wanted, Errors::Codes)
}

/// Searches inputs for the differences between two machines.
pub(super) fn between_machines(compared: &Compared) -> Option<Differences> {
    let (one, other) = both(compared)?;
    let nothing = differences([&one, &other], Errors::Places, NOTHING, 1);
    near([&one, &other], nothing, compared.comparison.differences.iter(), Errors::Places)
}

/// Searches inputs for these differences between two machines, whatever places their errors have.
pub(in crate::commands) fn between(
    machines: [&Machine; 2],
    wanted: &[Difference],
) -> Option<Differences> {
    let nothing = differences(machines, Errors::Codes, NOTHING, 1);
    let of_states = wanted.iter().filter(|one| !one.state.is_empty());
    near(machines, nothing, of_states, Errors::Codes)
}

/// The text of a file beside the tables.
pub(in crate::commands) fn beside(name: &str) -> Option<String> {
    std::fs::read_to_string(root::root().join("spec/tables").join(name)).ok()
}

/// The machines of both sides; modes alone take no input.
fn both(compared: &Compared) -> Option<(Machine, Machine)> {
    let Compared { left, right, .. } = compared;
    let (one, other) = (resolved(left, right)?, resolved(right, left)?);
    (!one.states.is_empty() && !other.states.is_empty()).then_some((one, other))
}

/// Searches on after inputs that take the rows of each difference for which nothing is found yet.
fn near<'d>(
    machines: [&Machine; 2],
    mut all: Differences,
    wanted: impl Iterator<Item = &'d Difference>,
    errors: Errors,
) -> Option<Differences> {
    let rows = machines.map(|machine| witnesses(machine, Bound::default()));
    for difference in wanted {
        if all.found.iter().any(|found| shows(found, difference)) {
            continue;
        }
        let mine = inputs(machines[0], &rows[0], difference, difference.left_row);
        let yours = inputs(machines[1], &rows[1], difference, difference.right_row);
        let both: Vec<(Start, String)> = mine.into_iter().chain(yours).collect();
        let near = differences_after(machines, errors, &both, AFTER_A_ROW, MOST);
        all.found.extend(near.found);
    }
    Some(all)
}

/// Whether the input takes the rows of the difference on both sides; a side that says nothing has none to take.
pub(in crate::commands) fn shows(found: &search::Difference, difference: &Difference) -> bool {
    let Difference { state, left, right, left_row, right_row, .. } = difference;
    let took = |rows: &BTreeSet<(String, usize)>, says: bool, row: &Option<RowAt>| match row {
        Some((_, row)) => rows.contains(&(state.clone(), *row)),
        None => !says || rows.iter().any(|(other, _)| other == state),
    };
    took(&found.left_rows, left.is_some(), left_row)
        && took(&found.right_rows, right.is_some(), right_row)
}

/// The inputs that take the row, or all rows of the state if there is no such row.
fn inputs(
    machine: &Machine,
    witnesses: &Witnesses,
    difference: &Difference,
    row: Option<RowAt>,
) -> Vec<(Start, String)> {
    let wanted = row.map(|(_, row)| row);
    let of_state = witnesses.rows.iter().filter(|(row, _)| {
        machine.state(row.state).name == difference.state
            && wanted.is_none_or(|wanted| usize::from(row.row) == wanted)
    });
    of_state.map(|(_, witness)| (witness.start.clone(), witness.input.clone())).collect()
}

/// The machine of a side, if its words are all known.
fn resolved(side: &Side, other: &Side) -> Option<tabulex_language::model::Machine> {
    let completed = side.facts.as_ref().map(|facts| facts.completed(&other.table));
    tabulex_language::resolve::resolve(completed.as_ref().unwrap_or(&side.table), &beside).0
}
