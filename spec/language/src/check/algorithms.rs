//! Checks the algorithms that rows run: each of them must exist, and those that answer conditions must have no effects.
//! The oracle relies on both.

use crate::diagnostic::{Diagnostic, MISPLACED_STEP, MISSING_DECLARATION};
use crate::model::tree::algorithm::{Algorithm, Expression, Routine, RunStep};
use crate::model::tree::{Construction, Elements, TreeStep};
use crate::syntax::{Span, Spanned};
use crate::vocabulary::algorithm::ROUTINES;
use crate::vocabulary::word;

pub(super) fn check(construction: &Construction) -> Vec<Diagnostic> {
    let mut diagnostics = Vec::new();
    // Only tables with `elements html` must declare the algorithms; for other kinds of elements, there are standard
    // ones.
    let required = if construction.elements == Elements::Html {
        used_routines(construction)
    } else {
        Vec::new()
    };
    for (routine, span) in required {
        if construction.routine(routine).is_none() {
            diagnostics.push(missing_algorithm(routine, span));
        }
    }
    for id in CONDITION_ROUTINES.iter().filter_map(|&routine| construction.routine(routine)) {
        if has_effect(construction, &construction.algorithm(id).steps) {
            diagnostics.push(algorithm_with_effect(construction.algorithm(id)));
        }
    }
    diagnostics
}

/// The algorithms that conditions run, which must have no side effects.
const CONDITION_ROUTINES: &[Routine] = &[
    Routine::InScope,
    Routine::Current,
    Routine::AdjustedCurrent,
    Routine::Open,
    Routine::OpenNode,
    Routine::LastFormatting,
];

/// Returns the algorithms that rows run, each with the span of the first action that runs it. The algorithm that parses
/// fragments has the span of the first row of `fragment` instead.
fn used_routines(construction: &Construction) -> Vec<(Routine, Span)> {
    let mode_steps = construction.rows().map(|row| &row.steps[..]);
    let element_steps = construction.element_rows().map(|row| &row.steps[..]);
    let named_steps = construction.steps.iter().map(|named| &named.steps[..]);
    let fragment_row = construction.fragment.iter().flat_map(|fragment| fragment.rows.first());
    let mut routines: Vec<(Routine, Span)> =
        fragment_row.map(|row| (Routine::ParseFragment, row.span)).collect();
    for steps in mode_steps.chain(element_steps).chain(named_steps) {
        for &Spanned { value: ref action, span } in TreeStep::spanned_actions(steps) {
            if let Some(routine) = action.effects().routine
                && routines.iter().all(|(other, _)| *other != routine)
            {
                routines.push((routine, span));
            }
        }
    }
    routines
}

/// Whether one of the steps has a side effect, or runs an algorithm that has one. Values that call an algorithm or
/// create a node count as effects.
fn has_effect(construction: &Construction, steps: &[RunStep]) -> bool {
    let may_have_effect =
        |value: &Expression| matches!(value, Expression::Call(_) | Expression::New(_));
    steps.iter().any(|step| match step {
        RunStep::Effect(_)
        | RunStep::ReturnSteps(_)
        | RunStep::TakeReset(..)
        | RunStep::TakeFragment(..)
        | RunStep::RunParser => true,
        RunStep::Run(call) => {
            has_effect(construction, &construction.algorithm(call.algorithm).steps)
        }
        RunStep::Let(_, value) | RunStep::LetPlace(_, _, value) => may_have_effect(value),
        RunStep::Return(value) => value.as_ref().is_some_and(may_have_effect),
        RunStep::When { .. }
        | RunStep::Repeat(_)
        | RunStep::RepeatWhile(..)
        | RunStep::ForEachAttribute(..)
        | RunStep::ForEach(..) => step.inner().iter().any(|inner| has_effect(construction, inner)),
        RunStep::Increment(_)
        | RunStep::At(_)
        | RunStep::Go(_)
        | RunStep::Break
        | RunStep::Continue
        | RunStep::Assert(_) => false,
    })
}

fn missing_algorithm(routine: Routine, span: Span) -> Diagnostic {
    let name = word(ROUTINES, &routine);
    let message = format!("this requires `algorithm {name}`, which the table lacks");
    Diagnostic::new(MISSING_DECLARATION, span, message)
        .help(format!("add it: `algorithm {name} {{ … }}`, or use a file of modes that has it"))
}

fn algorithm_with_effect(algorithm: &Algorithm) -> Diagnostic {
    let message = format!(
        "`{}` evaluates a condition, but one of its steps has a side effect",
        algorithm.name
    );
    Diagnostic::new(MISPLACED_STEP, algorithm.span, message)
        .help("use only `let`, `when`, `go` and `return`")
}
