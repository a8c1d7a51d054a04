//! Checks calls and returns: each procedure is entered by a call and left by a return, so that there is at most one
//! caller at a time.

use super::CheckContext;
use crate::diagnostic::{Diagnostic, PROCEDURE_BOUNDARY, RETURN_WITHOUT_CALLER};
use crate::model::{self, Action, Condition, Machine, Procedure, Spanned, State, StateId, Step};
use crate::syntax::{ItemBody, Span};

pub(super) fn check(context: &CheckContext<'_>) -> Vec<Diagnostic> {
    let machine = context.machine;
    let mut diagnostics = Vec::new();
    for procedure in &machine.procedures {
        let calls = |state: StateId| machine.called_start(state) == Some(procedure.start);
        if !machine.state_ids().any(calls) {
            diagnostics.push(never_called(procedure));
        }
    }
    for state in &machine.states {
        check_call(machine, state, &mut diagnostics);
        let hooks = state.enter.iter().chain(&state.leave);
        hooks.for_each(|action| check_action(machine, state, action, &mut diagnostics));
        for row in &state.rows {
            if let Some(guard) = &row.guard {
                check_condition(machine, state, guard, &mut diagnostics);
            }
            Step::all(&row.steps).into_iter().for_each(|step| match step {
                Step::Action(action) => check_action(machine, state, action, &mut diagnostics),
                Step::When { condition, .. } => {
                    check_condition(machine, state, condition, &mut diagnostics);
                }
            });
        }
    }
    diagnostics.extend(check_declared_names(context));
    diagnostics
}

fn check_action(
    machine: &Machine,
    state: &State,
    action: &Spanned<Action>,
    diagnostics: &mut Vec<Diagnostic>,
) {
    let (value, span) = (&action.value, action.span);
    let is_in_procedure = state.procedure.is_some();
    if !is_in_procedure && matches!(value, Action::Return(_) | Action::ReturnNothing) {
        diagnostics.push(outside_procedure("return", state, span));
    } else if *value == Action::ReturnNothing && machine.inserts() {
        diagnostics.push(input_not_restorable(state, span));
    } else if is_in_procedure && matches!(value, Action::PushState(_) | Action::SwitchPushedState) {
        diagnostics.push(stack_in_procedure(state, span));
    } else if let Some(target) = value.effects().state
        // A run over a field returns to the row that starts it, so it crosses no boundary of a procedure.
        && !matches!(value, Action::Edit(..))
        && machine.state(target).procedure != state.procedure
    {
        diagnostics.push(crossed_boundary(machine, state, machine.state(target), span));
    }
}

fn check_condition(
    machine: &Machine,
    state: &State,
    condition: &Spanned<Condition>,
    diagnostics: &mut Vec<Diagnostic>,
) {
    for part in condition.value.parts() {
        let Condition::CalledBy(caller) = part else { continue };
        match state.procedure {
            None => diagnostics.push(outside_procedure("called-by", state, condition.span)),
            Some(procedure) => {
                let caller = machine.state(*caller);
                if caller.subject != model::Subject::Result(procedure) {
                    let procedure = &machine.procedures[usize::from(procedure.0)];
                    diagnostics.push(no_caller(caller, procedure, condition.span));
                }
            }
        }
    }
}

/// Reports a state of a procedure that itself calls a procedure, as the machine remembers a single caller.
fn check_call(machine: &Machine, state: &State, diagnostics: &mut Vec<Diagnostic>) {
    if let (Some(inner), model::Subject::Result(called)) = (state.procedure, state.subject) {
        let procedure = |id: model::ProcedureId| &machine.procedures[usize::from(id.0)];
        diagnostics.push(nested_call(state, procedure(inner), procedure(called)));
    }
}

/// Reports `start` and `entry` declarations that name a state of a procedure.
fn check_declared_names(context: &CheckContext<'_>) -> Vec<Diagnostic> {
    let machine = context.machine;
    let words = context.table.items.iter().flat_map(|item| {
        if let Some(word) = item.setting("start") {
            std::slice::from_ref(word)
        } else if let ItemBody::Entry(words) = &item.body {
            &words[..]
        } else {
            &[]
        }
    });
    let diagnostics = words.filter_map(|word| {
        let state = machine.state(machine.find_state(&word.value)?);
        state.procedure.map(|_| entered_from_outside(state, word.span))
    });
    diagnostics.collect()
}

fn outside_procedure(word: &str, state: &State, span: Span) -> Diagnostic {
    let message =
        format!("`{word}` needs a procedure, but state `{}` is not part of one", state.name);
    Diagnostic::new(RETURN_WITHOUT_CALLER, span, message)
        .help("move the state into a procedure, or `switch` to a state instead of returning")
}

fn stack_in_procedure(state: &State, span: Span) -> Diagnostic {
    let message = format!(
        "state `{}` belongs to a procedure, which cannot use the stack of states",
        state.name
    );
    Diagnostic::new(PROCEDURE_BOUNDARY, span, message)
        .help("end the procedure with `return`; its caller then pushes or switches")
}

fn no_caller(caller: &State, procedure: &Procedure, span: Span) -> Diagnostic {
    let message =
        format!("state `{}` does not call the procedure `{}`", caller.name, procedure.name);
    Diagnostic::new(RETURN_WITHOUT_CALLER, span, message)
        .and(caller.span, "the state is declared here")
        .help(format!("name a state that is `on {}`", procedure.name))
}

fn never_called(procedure: &Procedure) -> Diagnostic {
    let message = format!("the procedure `{}` is never called", procedure.name);
    Diagnostic::new(RETURN_WITHOUT_CALLER, procedure.span, message)
        .help(format!("call the procedure with a state that is `on {}`", procedure.name))
}

fn crossed_boundary(machine: &Machine, from: &State, to: &State, span: Span) -> Diagnostic {
    let name = |id: model::ProcedureId| &machine.procedures[usize::from(id.0)].name[..];
    let (message, help) = match (from.procedure, to.procedure) {
        (_, Some(procedure)) => {
            let name = name(procedure);
            let message = format!(
                "`{}` is a state of the procedure `{name}`, which only a call can enter",
                to.name
            );
            (message, format!("call the procedure: switch to a state that is `on {name}`"))
        }
        (procedure, None) => {
            let name = procedure.map_or("", name);
            let message = format!(
                "`{}` lies outside the procedure `{name}`, which cannot switch to it",
                to.name
            );
            (message, "end the procedure with `return`; its caller then switches".to_owned())
        }
    };
    Diagnostic::new(PROCEDURE_BOUNDARY, span, message)
        .and(to.span, "the state is declared here")
        .help(help)
}

/// Reports `return nothing` in a machine that inserts text: the input to give back may be in an inserted text that has
/// ended.
fn input_not_restorable(state: &State, span: Span) -> Diagnostic {
    let message = format!(
        "state `{}` returns nothing, which gives back input, but the machine inserts text",
        state.name
    );
    Diagnostic::new(PROCEDURE_BOUNDARY, span, message).help(
        "collect the consumed characters in the temporary buffer, and `return temporary-buffer`",
    )
}

fn nested_call(state: &State, inner: &Procedure, called: &Procedure) -> Diagnostic {
    let message = format!(
        "state `{}` of the procedure `{}` calls `{}`: only one caller is remembered",
        state.name, inner.name, called.name
    );
    Diagnostic::new(PROCEDURE_BOUNDARY, state.span, message)
        .and(called.span, "the procedure is declared here")
        .help("add the called states to this procedure, and switch to them")
}

fn entered_from_outside(state: &State, span: Span) -> Diagnostic {
    let message =
        format!("`{}` is a state of a procedure, which only a call can enter", state.name);
    Diagnostic::new(PROCEDURE_BOUNDARY, span, message)
        .and(state.span, "the state is declared here")
        .help("name a state outside the procedures")
}
