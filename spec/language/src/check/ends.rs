//! Reports steps after the end of a row, and ends in impossible places, on each path through a row. `reconsume` may
//! stand anywhere, since it only affects the input.

use super::CheckContext;
use super::path::{Path, PathStep};
use crate::diagnostic::{DANGLING_END, Diagnostic};
use crate::model::{Action, Pattern, Row, Spanned, State, Transfer};
use crate::syntax::Span;
use std::collections::HashSet;

pub(super) fn check(context: &CheckContext<'_>) -> Vec<Diagnostic> {
    let machine = context.machine;
    let mut diagnostics = Vec::new();
    let mut reported = HashSet::new();
    let mut report = |diagnostic: Diagnostic| {
        if reported.insert(diagnostic.span) {
            diagnostics.push(diagnostic);
        }
    };
    for id in machine.state_ids() {
        let state = machine.state(id);
        let hooks = state.enter.iter().chain(&state.leave);
        for action in hooks.filter(|action| is_transfer(&action.value)) {
            let message = "steps of `enter` and `leave` cannot switch states or end the row";
            let help = "switch in the rows of a state instead";
            report(Diagnostic::new(DANGLING_END, action.span, message).help(help));
        }
        for (index, row) in state.rows.iter().enumerate() {
            for path in context.paths.of_row(id, index) {
                if let Some(action) = dangling_as_else(path) {
                    report(else_row_missing(action, row, state));
                }
                check_path(path).into_iter().for_each(&mut report);
            }
        }
    }
    diagnostics
}

fn is_transfer(action: &Action) -> bool {
    action.transfer() != Transfer::Nowhere || matches!(action, Action::Reconsume | Action::AsElse)
}

/// Returns the first `as else` on the path that has no `else` row to refer to: the state has none, or the `as else` is
/// in the `else` row itself. `None` if there is no such `as else`.
fn dangling_as_else<'m>(path: &Path<'m>) -> Option<&'m Spanned<Action>> {
    path.steps.windows(2).find_map(|pair| match pair {
        [PathStep::AsElse(action), PathStep::EndOfElse(_)] => Some(*action),
        _ => None,
    })
}

/// Reports steps of the path after one that ends the row, and switches that a later step overrides.
fn check_path(path: &Path<'_>) -> Vec<Diagnostic> {
    let mut diagnostics = Vec::new();
    let (mut last, mut switch): (Option<Span>, Option<Span>) = (None, None);
    for part in &path.steps {
        let action = match part {
            PathStep::Executed(action) => action,
            PathStep::EndOfElse(action) => {
                last = last.or(Some(action.span));
                continue;
            }
            PathStep::Tested(_) | PathStep::AsElse(_) => continue,
        };
        if action.value == Action::Reconsume {
            continue;
        }
        if let Some(end) = last {
            diagnostics.push(
                Diagnostic::new(
                    DANGLING_END,
                    action.span,
                    "this step comes after the end of the row",
                )
                .and(end, "the row ends here")
                .help("put the step before the end, or remove it"),
            );
            continue;
        }
        let ends_row = match action.value.transfer() {
            Transfer::Nowhere => continue,
            Transfer::To(_) | Transfer::ToReturnState | Transfer::ToPushedState => false,
            Transfer::ReturnNothing | Transfer::ReturnText | Transfer::Ends => true,
        };
        if let Some(switch) = switch {
            let message = "this switch has no effect: a later step overrides it";
            diagnostics.push(
                Diagnostic::new(DANGLING_END, switch, message)
                    .and(action.span, "the later step")
                    .help("remove one of the two steps"),
            );
        }
        *(if ends_row { &mut last } else { &mut switch }) = Some(action.span);
    }
    diagnostics
}

fn else_row_missing(action: &Spanned<Action>, row: &Row, state: &State) -> Diagnostic {
    let else_pattern = row.patterns.iter().find(|pattern| pattern.value == Pattern::Else);
    match else_pattern {
        Some(pattern) => {
            Diagnostic::new(DANGLING_END, action.span, "this row is the `else` row itself")
                .and(pattern.span, "its `else`")
                .help("write steps in place of `as else`")
        }
        None => Diagnostic::new(DANGLING_END, action.span, "the state has no `else` row")
            .and(state.span, "the state")
            .help("write steps in place of `as else`, or add an `else` row"),
    }
}
