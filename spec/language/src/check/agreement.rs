//! Checks that the declaration `unacknowledged self-closing` and the algorithm `emit` name one error: compiled machines
//! follow the declaration, the oracle executes the algorithm.

use crate::diagnostic::{Diagnostic, ERROR_MISMATCH};
use crate::model::tree::algorithm::Routine;
use crate::syntax::{AlgorithmStep, Argument, Item, NoteKind, Span, Table, TreeItem, Word, Words};
use crate::vocabulary::algorithm::ROUTINES;
use crate::vocabulary::word;

pub(super) fn check(table: &Table) -> Vec<Diagnostic> {
    let mut diagnostics = Vec::new();
    for item in &table.items {
        let Item::Tree(item) = item else { continue };
        if let TreeItem::Unacknowledged { part, error, .. } = item
            && part.value == "self-closing"
        {
            diagnostics.extend(check_self_closing(table, error));
        }
    }
    diagnostics
}

/// Reports the error of `unacknowledged self-closing` if the algorithm `emit` names another one.
fn check_self_closing(table: &Table, error: &Word) -> Option<Diagnostic> {
    let emit = word(ROUTINES, &Routine::Emit);
    let mut reported = None;
    for_each_step(table, emit, &mut vec![emit], &mut |words| {
        // A bare `error` step reports the error of the declaration, so only a step with a code can disagree with it.
        if let [first, code] = &words.arguments[..]
            && let (Argument::Name(word), Argument::Name(name)) = (&first.value, &code.value)
            && word == "error"
            && reported.is_none()
        {
            reported = Some((name, code.span));
        }
    });
    let (name, span) = reported.filter(|(name, _)| **name != error.value)?;
    let message =
        format!("the algorithm `{emit}` reports the error `{name}`, not `{}`", error.value);
    Some(mismatch(error.span, message, (span, "the error of the algorithm".to_owned())))
}

fn mismatch(span: Span, message: String, (other, what): (Span, String)) -> Diagnostic {
    Diagnostic::new(ERROR_MISMATCH, span, message)
        .and(other, what)
        .help("name the same error in both: compiled machines follow the declaration, but the oracle follows the algorithm")
}

/// Calls `visit` with the words of each step of an algorithm and of the algorithms that its steps name, directly or
/// through others. Each algorithm is visited once.
fn for_each_step<'t>(
    table: &'t Table,
    name: &'t str,
    visited: &mut Vec<&'t str>,
    visit: &mut dyn FnMut(&'t Words),
) {
    let mut names = Vec::new();
    for item in &table.items {
        if let Item::Tree(TreeItem::Algorithm { name: other, steps, .. }) = item
            && other.value == name
        {
            for_each_words(steps, &mut |words| {
                for word in &words.arguments {
                    if let Argument::Name(name) = &word.value {
                        names.push(&name[..]);
                    }
                }
                visit(words);
            });
        }
    }
    for name in names {
        if !visited.contains(&name) {
            visited.push(name);
            for_each_step(table, name, visited, visit);
        }
    }
}

/// Calls `visit` with the words of each step and of the steps inside it, without steps under `deviates`, which are not
/// executed.
fn for_each_words<'t>(steps: &'t [AlgorithmStep], visit: &mut dyn FnMut(&'t Words)) {
    for step in steps {
        match step {
            AlgorithmStep::Step { words, inner } => {
                visit(words);
                for_each_words(inner, visit);
            }
            AlgorithmStep::Noted { note, inner } if note.kind == NoteKind::Fills => {
                for_each_words(inner, visit);
            }
            AlgorithmStep::Noted { .. } => {}
        }
    }
}
