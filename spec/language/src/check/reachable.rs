//! States that no path leads to. It counts every row as possible (`rows` finds those that are not). Invariant: the states
//! of a procedure that is never called are not named one by one, since `procedures` names it.

use super::Subject;
use super::path::{End, called};
use crate::diagnostic::{Diagnostic, UNREACHABLE_STATE};
use crate::model::{Machine, State, StateId};
use crate::syntax::Span;

pub(super) fn check(subject: &Subject<'_>) -> Vec<Diagnostic> {
    let machine = subject.machine;
    let mut reached = vec![false; machine.states.len()];
    for situation in &subject.flow.situations {
        reached[usize::from(situation.state.0)] = true;
    }
    let missed = machine.state_ids().filter(|state| !reached[usize::from(state.0)]);
    let named = missed.filter(|&state| !in_uncalled_procedure(machine, state));
    named
        .map(|state| match leading_to(subject, state) {
            None => never_named(machine.state(state)),
            Some((from, row)) if reached[usize::from(from.0)] => {
                after_row(machine.state(state), row)
            }
            Some((from, row)) => after_state(machine.state(state), machine.state(from), row),
        })
        .collect()
}

fn in_uncalled_procedure(machine: &Machine, state: StateId) -> bool {
    machine.state(state).procedure.is_some_and(|procedure| {
        let start = machine.procedures[usize::from(procedure.0)].start;
        machine.state_ids().all(|other| called(machine, other) != Some(start))
    })
}

/// A row that switches to the state, though it is never taken.
fn leading_to(subject: &Subject<'_>, target: StateId) -> Option<(StateId, Span)> {
    let machine = subject.machine;
    machine.state_ids().filter(|&state| state != target).find_map(|state| {
        let rows = &machine.state(state).rows;
        let leads = |row: &usize| {
            subject.paths.of(state, *row).iter().any(|path| path.end() == End::Switch(target))
        };
        let row = (0..rows.len()).find(leads)?;
        Some((state, rows[row].span))
    })
}

fn unreachable(state: &State) -> Diagnostic {
    let message = format!("no way leads to state `{}`", state.name);
    Diagnostic::new(UNREACHABLE_STATE, state.span, message)
}

fn never_named(state: &State) -> Diagnostic {
    unreachable(state).help("switch to it, or name it in `entry` if the host sets it")
}

fn after_state(state: &State, from: &State, row: Span) -> Diagnostic {
    let name = &from.name;
    unreachable(state)
        .and(row, format!("state `{name}`, which no way leads to either, switches to it"))
        .help(format!("make `{name}` reachable"))
}

fn after_row(state: &State, row: Span) -> Diagnostic {
    unreachable(state)
        .and(row, "the only row that switches to it is never taken; it stands")
        .help("switch to it elsewhere, or let the procedure return what the row waits for")
}
