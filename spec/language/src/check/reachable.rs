//! Reports unreachable states. Each row counts as possible; `rows` reports those that are not. Of a chain of
//! unreachable states, only the first is reported, together with the rest; procedures that are never called are
//! reported by `procedures`.

use super::Subject;
use super::path::{End, called};
use crate::diagnostic::{Diagnostic, UNREACHABLE_STATE};
use crate::model::{Machine, State, StateId};
use crate::syntax::Span;
use std::collections::HashSet;

pub(super) fn check(subject: &Subject<'_>) -> Vec<Diagnostic> {
    let machine = subject.machine;
    let mut reached = vec![false; machine.states.len()];
    for situation in &subject.flow.situations {
        reached[usize::from(situation.state.0)] = true;
    }
    let missed = machine.state_ids().filter(|state| !reached[usize::from(state.0)]);
    let missed: Vec<StateId> =
        missed.filter(|&state| !in_uncalled_procedure(machine, state)).collect();
    let from: Vec<Option<(StateId, Span)>> =
        missed.iter().map(|&state| leading_to(subject, state)).collect();
    let is_missed = |state: StateId| missed.contains(&state);
    let mut diagnostics = Vec::new();
    let mut named = HashSet::new();
    for (&state, from) in missed.iter().zip(&from) {
        let shown = machine.state(state);
        match *from {
            None => diagnostics.push((state, never_named(shown))),
            Some((from, row)) if !is_missed(from) => {
                diagnostics.push((state, after_row(shown, row)))
            }
            Some(_) => continue,
        }
        named.extend(after(subject, state, &is_missed));
    }
    // The states that are left lead only to each other.
    for (&state, from) in missed.iter().zip(&from) {
        if let (Some((from, row)), true) = (from, named.insert(state)) {
            let shown = machine.state(state);
            diagnostics.push((state, after_state(shown, machine.state(*from), *row)));
            named.extend(after(subject, state, &is_missed));
        }
    }
    let with_rest = |(state, diagnostic): (StateId, Diagnostic)| {
        let rest = after(subject, state, &is_missed);
        let names: Vec<&str> = missed
            .iter()
            .filter(|&&other| other != state && rest.contains(&other))
            .map(|&other| &machine.state(other).name[..])
            .collect();
        mention_others(diagnostic, &names)
    };
    diagnostics.into_iter().map(with_rest).collect()
}

/// Returns the unreachable states that follow this one, including itself.
fn after(
    subject: &Subject<'_>,
    state: StateId,
    is_missed: &dyn Fn(StateId) -> bool,
) -> HashSet<StateId> {
    let machine = subject.machine;
    let (mut found, mut waiting) = (HashSet::from([state]), vec![state]);
    while let Some(state) = waiting.pop() {
        let rows = 0..machine.state(state).rows.len();
        let paths = rows.flat_map(|row| subject.paths.of(state, row));
        for path in paths {
            if let End::Switch(next) = path.end()
                && is_missed(next)
                && found.insert(next)
            {
                waiting.push(next);
            }
        }
    }
    found
}

/// Maximum number of following states that are named.
const MAX_NAMED: usize = 4;

/// Extends the message about a state to those that follow it.
fn mention_others(mut diagnostic: Diagnostic, names: &[&str]) -> Diagnostic {
    let shown: Vec<String> = names.iter().take(MAX_NAMED).map(|name| format!("`{name}`")).collect();
    let more = names.len().saturating_sub(MAX_NAMED);
    match (shown.is_empty(), more) {
        (true, _) => {}
        (false, 0) => diagnostic.message += &format!(", nor from it to {}", shown.join(", ")),
        (false, _) => {
            diagnostic.message += &format!(", nor from it to {} and {more} more", shown.join(", "));
        }
    }
    diagnostic
}

fn in_uncalled_procedure(machine: &Machine, state: StateId) -> bool {
    machine.state(state).procedure.is_some_and(|procedure| {
        let start = machine.procedures[usize::from(procedure.0)].start;
        machine.state_ids().all(|other| called(machine, other) != Some(start))
    })
}

/// Returns a row that switches to the state but is never taken.
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
    let message = format!("state `{}` is unreachable", state.name);
    Diagnostic::new(UNREACHABLE_STATE, state.span, message)
}

fn never_named(state: &State) -> Diagnostic {
    unreachable(state).help("switch to it, or name it in `entry` if the host sets it")
}

fn after_state(state: &State, from: &State, row: Span) -> Diagnostic {
    let name = &from.name;
    unreachable(state)
        .and(row, format!("state `{name}`, which is also unreachable, switches to it"))
        .help(format!("make `{name}` reachable"))
}

fn after_row(state: &State, row: Span) -> Diagnostic {
    unreachable(state)
        .and(row, "the only row that switches to it, which is never reached")
        .help("switch to it elsewhere, or let the procedure return what the row matches")
}
