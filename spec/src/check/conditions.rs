//! Conditions and flags that do not mean what they seem to. Invariant: since all conditions of a row are read before its
//! first action runs, none of them stands behind an action that may change its answer.

use super::Subject;
use super::way::{Part, Way, changes};
use crate::diagnostic::{CONDITION_AFTER_ACTION, Diagnostic, HOST_FLAG};
use crate::model::{Action, Flag, Machine};
use crate::syntax::Place;
use std::collections::HashSet;

pub(super) fn check(subject: &Subject<'_>) -> Vec<Diagnostic> {
    let machine = subject.machine;
    let mut diagnostics = Vec::new();
    let mut named = HashSet::new();
    for id in machine.state_ids() {
        let state = machine.state(id);
        let rows = (0..state.rows.len()).flat_map(|row| subject.ways.of(id, row));
        let of_rows = rows.flat_map(|way| {
            let set = way.actions().filter_map(|action| host_flag(machine, action));
            of_way(machine, way).into_iter().chain(set).collect::<Vec<_>>()
        });
        let hooks = state.enter.iter().chain(&state.leave);
        let of_hooks = hooks.filter_map(|action| host_flag(machine, action));
        let all = of_rows.chain(of_hooks);
        diagnostics.extend(all.filter(|diagnostic| named.insert(diagnostic.place)));
    }
    diagnostics
}

/// Conditions of the way that stand behind an action which changes their answer.
fn of_way(machine: &Machine, way: &Way<'_>) -> Vec<Diagnostic> {
    let mut diagnostics = Vec::new();
    for (index, part) in way.parts.iter().enumerate() {
        let Part::Asked(condition) = part else { continue };
        let changed = way.parts[..index].iter().find_map(|before| match before {
            Part::Done(action) if changes(machine, &action.value, &condition.value) => {
                Some(action.place)
            }
            _ => None,
        });
        diagnostics.extend(changed.map(|action| asked_too_late(condition.place, action)));
    }
    diagnostics
}

fn host_flag(machine: &Machine, action: &crate::model::Placed<Action>) -> Option<Diagnostic> {
    let Action::SetFlag(flag, _) = action.value else { return None };
    let flag = &machine.flags[usize::from(flag.0)];
    flag.by_host.then(|| set_by_row(flag, action.place))
}

fn asked_too_late(place: Place, action: Place) -> Diagnostic {
    let message =
        "this condition is read before the row's first step, not behind the step that changes it";
    Diagnostic::new(CONDITION_AFTER_ACTION, place, message)
        .and(action, "the step that changes it stands")
        .help("put the `when` before that step, or switch to a state that asks")
}

fn set_by_row(flag: &Flag, place: Place) -> Diagnostic {
    let message = format!("the host sets the flag `{}`, and rows only read it", flag.name);
    Diagnostic::new(HOST_FLAG, place, message)
        .and(flag.place, "it is declared")
        .help("leave the step out, or declare the flag without `by host`")
}
