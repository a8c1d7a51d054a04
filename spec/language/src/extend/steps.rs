//! Changes of single steps of an algorithm. A change identifies a step by its words, which exactly one step of the
//! algorithm must have, at any depth.

use crate::diagnostic::{Diagnostic, NOTHING_TO_CHANGE};
use crate::syntax::{AlgorithmStep, NoteKind, StepChange, StepEffect, Words};

/// Applies the changes to the steps of the algorithm `name`. Returns an error for each change that matches no step, or
/// several.
pub(super) fn change(
    steps: &mut Vec<AlgorithmStep>,
    changes: Vec<StepChange>,
    name: &str,
) -> Vec<Diagnostic> {
    let mut diagnostics = Vec::new();
    for change in changes {
        let span = change.words.span;
        let (message, help) = match count(steps, &change.words) {
            1 => {
                apply(steps, change);
                continue;
            }
            0 => (
                format!("the extended table has no such step in algorithm `{name}`"),
                "copy the words of the step from that table, up to `;` or `{`",
            ),
            matches => (
                format!("algorithm `{name}` has {matches} steps with these words"),
                "change the step that contains one of them, or replace the algorithm",
            ),
        };
        diagnostics.push(Diagnostic::new(NOTHING_TO_CHANGE, span, message).help(help));
    }
    diagnostics
}

/// Returns the steps inside a step; `None` for a `deviates` note, as the steps under it are not executed.
fn inner(step: &mut AlgorithmStep) -> Option<&mut Vec<AlgorithmStep>> {
    match step {
        AlgorithmStep::Noted { note, .. } if note.kind == NoteKind::Deviates => None,
        AlgorithmStep::Step { inner, .. } | AlgorithmStep::Noted { inner, .. } => Some(inner),
    }
}

fn has_words(step: &AlgorithmStep, words: &Words) -> bool {
    matches!(step, AlgorithmStep::Step { words: own, .. } if own.equals(words))
}

/// Returns the number of steps with these words, at any depth except under `deviates` notes.
fn count(steps: &mut [AlgorithmStep], words: &Words) -> usize {
    let count_in_step = |step: &mut AlgorithmStep| {
        usize::from(has_words(step, words)) + inner(step).map_or(0, |inner| count(inner, words))
    };
    steps.iter_mut().map(count_in_step).sum()
}

/// Applies the change to the first step with its words.
fn apply(steps: &mut Vec<AlgorithmStep>, change: StepChange) {
    if let Some(index) = steps.iter().position(|step| has_words(step, &change.words)) {
        let replaced_range = match change.effect {
            StepEffect::Replaced => index..index + 1,
            StepEffect::Preceded => index..index,
            StepEffect::Followed => index + 1..index + 1,
        };
        steps.splice(replaced_range, change.steps);
        return;
    }
    for steps in steps.iter_mut().filter_map(inner) {
        if count(steps, &change.words) > 0 {
            return apply(steps, change);
        }
    }
}
