//! Reports unreachable states. Each row counts as possible; `rows` reports those that are not. Of a chain of
//! unreachable states, only the first is reported, together with the rest; procedures that are never called are
//! reported by `procedures`.

use super::CheckContext;
use crate::diagnostic::{Diagnostic, UNREACHABLE_STATE};
use crate::model::{Machine, State, StateId, Transfer};
use crate::syntax::Span;
use std::collections::HashSet;

pub(super) fn check(context: &CheckContext<'_>) -> Vec<Diagnostic> {
    let machine = context.machine;
    let mut reached = vec![false; machine.states.len()];
    for situation in &context.flow.situations {
        reached[usize::from(situation.state.0)] = true;
    }
    let unreached = machine.state_ids().filter(|state| !reached[usize::from(state.0)]);
    let unreached: Vec<StateId> =
        unreached.filter(|&state| !in_uncalled_procedure(machine, state)).collect();
    let sources: Vec<Option<(StateId, Span)>> =
        unreached.iter().map(|&state| row_leading_to(context, state)).collect();
    let is_unreached = |state: StateId| unreached.contains(&state);
    let mut diagnostics = Vec::new();
    let mut reported = HashSet::new();
    for (&state, from) in unreached.iter().zip(&sources) {
        let unreachable = machine.state(state);
        match *from {
            None => diagnostics.push((
                state,
                unreachable_state(unreachable)
                    .help("switch to the state, or name it in `entry` if the host sets it"),
            )),
            Some((from, row)) if !is_unreached(from) => diagnostics.push((
                state,
                unreachable_state(unreachable)
                    .and(row, "a row that switches to it, but never matches")
                    .help("switch to the state elsewhere, or let the procedure return what the row matches"),
            )),
            Some(_) => continue,
        }
        reported.extend(unreachable_successors(context, state, &is_unreached));
    }
    // The remaining states are reached only from one another, so the first state of each such group is reported.
    for (&state, from) in unreached.iter().zip(&sources) {
        if let (Some((from, row)), true) = (from, reported.insert(state)) {
            let name = &machine.state(*from).name;
            let diagnostic = unreachable_state(machine.state(state))
                .and(*row, format!("state `{name}`, which is also unreachable, switches to it"))
                .help(format!("make `{name}` reachable"));
            diagnostics.push((state, diagnostic));
            reported.extend(unreachable_successors(context, state, &is_unreached));
        }
    }
    let with_named_successors = |(state, diagnostic): (StateId, Diagnostic)| {
        let successors = unreachable_successors(context, state, &is_unreached);
        let names: Vec<&str> = unreached
            .iter()
            .filter(|&&other| other != state && successors.contains(&other))
            .map(|&other| &machine.state(other).name[..])
            .collect();
        name_others(diagnostic, &names)
    };
    diagnostics.into_iter().map(with_named_successors).collect()
}

/// Returns this state and the unreachable states to which it leads.
fn unreachable_successors(
    context: &CheckContext<'_>,
    state: StateId,
    is_unreached: &dyn Fn(StateId) -> bool,
) -> HashSet<StateId> {
    let machine = context.machine;
    let (mut found, mut waiting) = (HashSet::from([state]), vec![state]);
    while let Some(state) = waiting.pop() {
        let rows = 0..machine.state(state).rows.len();
        let paths = rows.flat_map(|row| context.paths.of_row(state, row));
        for path in paths {
            if let Transfer::To(next) = path.end()
                && is_unreached(next)
                && found.insert(next)
            {
                waiting.push(next);
            }
        }
    }
    found
}

/// Maximum number of following states that a message names.
const MAX_NAMED: usize = 4;

/// Extends the message about an unreachable state to the unreachable states after it.
fn name_others(mut diagnostic: Diagnostic, names: &[&str]) -> Diagnostic {
    let shown_names: Vec<String> =
        names.iter().take(MAX_NAMED).map(|name| format!("`{name}`")).collect();
    let omitted = names.len().saturating_sub(MAX_NAMED);
    match (&shown_names[..], omitted) {
        ([], _) => {}
        ([name], _) => diagnostic.message += &format!(", and so is the state after it: {name}"),
        (_, 0) => {
            diagnostic.message +=
                &format!(", and so are the states after it: {}", shown_names.join(", "));
        }
        _ => {
            diagnostic.message += &format!(
                ", and so are the states after it: {} and {omitted} more",
                shown_names.join(", ")
            );
        }
    }
    diagnostic
}

fn in_uncalled_procedure(machine: &Machine, state: StateId) -> bool {
    machine.state(state).procedure.is_some_and(|procedure| {
        let start = machine.procedures[usize::from(procedure.0)].start;
        machine.state_ids().all(|other| machine.called_start(other) != Some(start))
    })
}

/// Returns the first other state with a row that switches to `target`, and the span of that row; `None` if there is no
/// such state.
fn row_leading_to(context: &CheckContext<'_>, target: StateId) -> Option<(StateId, Span)> {
    let machine = context.machine;
    machine.state_ids().filter(|&state| state != target).find_map(|state| {
        let rows = &machine.state(state).rows;
        let switches_to_target = |row: &usize| {
            context.paths.of_row(state, *row).iter().any(|path| path.end() == Transfer::To(target))
        };
        let row = (0..rows.len()).find(switches_to_target)?;
        Some((state, rows[row].span))
    })
}

fn unreachable_state(state: &State) -> Diagnostic {
    let message = format!("state `{}` is unreachable", state.name);
    Diagnostic::new(UNREACHABLE_STATE, state.span, message)
}
