//! Reports misleading conditions, and rows that set flags of the host. All conditions of a row are evaluated before its
//! first action, so a condition after an action that may change its answer is an error.

use super::CheckContext;
use super::path::{Path, PathStep, changes};
use crate::diagnostic::{CONDITION_AFTER_ACTION, Diagnostic, HOST_FLAG, MISPLACED_CONDITION};
use crate::model::{self, Action, Condition, Flag, Machine, Spanned, State, Step};
use crate::syntax::Span;
use std::collections::HashSet;

pub(super) fn check(context: &CheckContext<'_>) -> Vec<Diagnostic> {
    let machine = context.machine;
    let mut diagnostics = Vec::new();
    let mut reported = HashSet::new();
    for emission in &machine.emission_flags {
        let flag = &machine.flags[usize::from(emission.flag.0)];
        diagnostics.extend(flag.is_queried_from_host().then(|| host_flag_set(flag, emission.span)));
    }
    for id in machine.state_ids() {
        let state = machine.state(id);
        diagnostics.extend(check_state(state));
        let paths = (0..state.rows.len()).flat_map(|row| context.paths.of_row(id, row));
        let row_diagnostics = paths.flat_map(|path| {
            let flag_setters =
                path.actions().filter_map(|action| check_flag_setter(machine, action));
            check_path(machine, path).into_iter().chain(flag_setters).collect::<Vec<_>>()
        });
        let hooks = state.enter.iter().chain(&state.leave);
        let hook_diagnostics = hooks.filter_map(|action| check_flag_setter(machine, action));
        let state_diagnostics = row_diagnostics.chain(hook_diagnostics);
        diagnostics.extend(state_diagnostics.filter(|diagnostic| reported.insert(diagnostic.span)));
    }
    diagnostics
}

/// Reports each condition that follows, on the path, an action that may change its answer.
fn check_path(machine: &Machine, path: &Path<'_>) -> Vec<Diagnostic> {
    let mut diagnostics = Vec::new();
    for (index, part) in path.steps.iter().enumerate() {
        let PathStep::Tested(condition) = part else { continue };
        let changing_action = path.steps[..index].iter().find_map(|before| {
            let PathStep::Executed(action) = before else { return None };
            changes(machine, &action.value, &condition.value).then_some(action.span)
        });
        let message = "this condition is evaluated before the row's first step, not after the step that changes it";
        diagnostics.extend(changing_action.map(|action| {
            Diagnostic::new(CONDITION_AFTER_ACTION, condition.span, message)
                .and(action, "the step that changes it")
                .help("put the `when` before that step, or switch to a state that tests the condition")
        }));
    }
    diagnostics
}

/// Reports conditions that look ahead in a state whose rows do not match the next character, and guards that test the
/// input after the row's match, because guards are evaluated before the row consumes input.
fn check_state(state: &State) -> Vec<Diagnostic> {
    let mut diagnostics = Vec::new();
    for row in &state.rows {
        let has_part = |condition: &Spanned<Condition>, what: &dyn Fn(&Condition) -> bool| {
            condition.value.parts().into_iter().any(what)
        };
        let looks_past_row =
            |part: &Condition| matches!(part, Condition::FollowedBy(_) | Condition::Ahead(_));
        let looks_ahead = |part: &Condition| {
            looks_past_row(part) || matches!(part, Condition::LastStartTagAhead(_))
        };
        for condition in row.guard.iter().chain(Step::spanned_conditions(&row.steps)) {
            if state.subject != model::Subject::Input && has_part(condition, &looks_ahead) {
                let message = format!(
                    "this condition looks ahead, but state `{}` does not match single characters",
                    state.name
                );
                let help = "test the condition in a state that matches the next character";
                diagnostics
                    .push(Diagnostic::new(MISPLACED_CONDITION, condition.span, message).help(help));
            }
        }
        if let Some(guard) = row.guard.as_ref().filter(|guard| has_part(guard, &looks_past_row)) {
            let message = "a guard is evaluated before the row consumes input";
            let help = "test the condition with `when … { … }` among the steps";
            diagnostics.push(Diagnostic::new(MISPLACED_CONDITION, guard.span, message).help(help));
        }
    }
    diagnostics
}

fn check_flag_setter(machine: &Machine, action: &Spanned<Action>) -> Option<Diagnostic> {
    let Action::SetFlag(flag, _) = action.value else { return None };
    let flag = &machine.flags[usize::from(flag.0)];
    flag.is_queried_from_host().then(|| host_flag_set(flag, action.span))
}

fn host_flag_set(flag: &Flag, span: Span) -> Diagnostic {
    let message = format!("rows cannot set the flag `{}`, which only the host sets", flag.name);
    Diagnostic::new(HOST_FLAG, span, message)
        .and(flag.span, "declared here")
        .help("remove the step, or declare the flag `by host and rows`")
}
