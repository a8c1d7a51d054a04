//! States that no way leads to. It counts every row as possible (`rows` finds those that are not). Invariant: the states
//! of a procedure that nobody calls are not named one by one, since `procedures` names it.

use super::Subject;
use super::way::{End, called};
use crate::diagnostic::{Diagnostic, UNREACHABLE_STATE};
use crate::model::{Machine, State, StateId};
use crate::syntax::Place;

pub(super) fn check(subject: &Subject<'_>) -> Vec<Diagnostic> {
    let machine = subject.machine;
    let mut reached = vec![false; machine.states.len()];
    for situation in &subject.flow.situations {
        reached[usize::from(situation.state.0)] = true;
    }
    let missed = machine.state_ids().filter(|state| !reached[usize::from(state.0)]);
    let named = missed.filter(|&state| !in_uncalled_procedure(machine, state));
    named.map(|state| unreachable(machine.state(state), leading_to(subject, state))).collect()
}

fn in_uncalled_procedure(machine: &Machine, state: StateId) -> bool {
    machine.state(state).procedure.is_some_and(|procedure| {
        let start = machine.procedures[usize::from(procedure.0)].start;
        machine.state_ids().all(|other| called(machine, other) != Some(start))
    })
}

/// A row that switches to the state, though its own state is not reached either.
fn leading_to(subject: &Subject<'_>, target: StateId) -> Option<(String, Place)> {
    let machine = subject.machine;
    machine.state_ids().filter(|&state| state != target).find_map(|state| {
        let rows = &machine.state(state).rows;
        let leads = |row: &usize| {
            subject.ways.of(state, *row).iter().any(|way| way.end() == End::Switch(target))
        };
        let row = (0..rows.len()).find(leads)?;
        Some((machine.state(state).name.clone(), rows[row].place))
    })
}

fn unreachable(state: &State, leading: Option<(String, Place)>) -> Diagnostic {
    let message = format!("no way leads to state `{}`", state.name);
    let diagnostic = Diagnostic::new(UNREACHABLE_STATE, state.place, message);
    match leading {
        Some((name, place)) => diagnostic
            .and(place, format!("state `{name}`, which no way leads to either, switches to it"))
            .help(format!("make `{name}` reachable")),
        None => diagnostic
            .help("switch to it, or name it in `entry` if somebody outside the machine sets it"),
    }
}
