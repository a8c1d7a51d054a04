//! Checks that each state has a row for every input, including the end of the input. Rows with a guard do not count,
//! since the guard may not hold. `rows` checks for overlaps.

use super::CheckContext;
use super::rows::covers_numbers;
use crate::diagnostic::{Check, Diagnostic, MISSING_ELSE, MISSING_EOF};
use crate::model::{self, Action, CharacterSet, Machine, Pattern, ProcedureId, State};

pub(super) fn check(context: &CheckContext<'_>) -> Vec<Diagnostic> {
    let machine = context.machine;
    machine.states.iter().flat_map(|state| check_state(machine, state)).collect()
}

fn check_state(machine: &Machine, state: &State) -> Vec<Diagnostic> {
    let has_unguarded =
        |expected: Pattern| unguarded_patterns(state).any(|pattern| *pattern == expected);
    let mut diagnostics = Vec::new();
    if state.consumes_input() && !has_unguarded(Pattern::EndOfFile) {
        diagnostics.push(missing_row(MISSING_EOF, state, "EOF", "the end of the input"));
    }
    if let model::Subject::Result(procedure) = state.subject
        && !has_unguarded(Pattern::Nothing)
        && !always_returns_characters(machine, procedure)
    {
        let what = "a procedure that returns nothing";
        diagnostics.push(missing_row(MISSING_ELSE, state, "nothing", what));
    }
    let has_else = has_unguarded(Pattern::Else);
    let (is_total, word, what) = match state.subject {
        model::Subject::Input => {
            (has_else || covers_all_characters(state), "else", "all other characters")
        }
        model::Subject::Number => {
            let covers_all = covers_numbers(unguarded_patterns(state), 0, u32::MAX);
            (has_else || covers_all, "else", "all other numbers")
        }
        model::Subject::Result(_) => {
            let is_total = has_unguarded(Pattern::Returned);
            (is_total, "returned", "a procedure that returns characters")
        }
        model::Subject::Always => {
            (has_unguarded(Pattern::Always), "always", "input for which no guard holds")
        }
        // The lexeme that `else` names matches every character, so its row and `EOF` cover all input.
        model::Subject::Lexemes(_) => {
            diagnostics.extend((!has_else).then(|| missing_else_lexeme(state)));
            return diagnostics;
        }
    };
    diagnostics.extend((!is_total).then(|| missing_row(MISSING_ELSE, state, word, what)));
    diagnostics
}

fn missing_else_lexeme(state: &State) -> Diagnostic {
    let message =
        format!("lexical mode `{}` does not handle input that no lexeme matches", state.name);
    Diagnostic::new(MISSING_ELSE, state.span, message)
        .help("add a row for the lexeme that `else` names")
}

/// Whether the procedure has actions that return characters, and none that returns nothing.
fn always_returns_characters(machine: &Machine, procedure: ProcedureId) -> bool {
    let states = machine.states.iter().filter(|state| state.procedure == Some(procedure));
    let actions: Vec<&Action> = states.flat_map(State::actions).collect();
    actions.iter().any(|action| matches!(action, Action::Return(_)))
        && !actions.contains(&&Action::ReturnNothing)
}

/// Returns the patterns of rows without a guard.
fn unguarded_patterns(state: &State) -> impl Iterator<Item = &Pattern> {
    let rows = state.rows.iter().filter(|row| row.guard.is_none());
    rows.flat_map(|row| &row.patterns).map(|pattern| &pattern.value)
}

fn covers_all_characters(state: &State) -> bool {
    let mut uncovered = CharacterSet::range('\0', char::MAX);
    for pattern in unguarded_patterns(state) {
        if let Pattern::Characters(set) = pattern {
            uncovered = uncovered.difference(set);
        }
    }
    uncovered.is_empty()
}

fn missing_row(check: &'static Check, state: &State, word: &str, what: &str) -> Diagnostic {
    let message = format!("state `{}` does not handle {what}", state.name);
    let diagnostic = Diagnostic::new(check, state.span, message);
    let help = format!("add a row `{word} => …;`");
    match guarded_row(state, word) {
        Some(row) => diagnostic
            .and(row, "this row, whose guard might not hold")
            .help(format!("{help} without a guard")),
        None if word == "EOF" => {
            diagnostic.help(format!("{help}, or write `else | EOF` if both have the same steps"))
        }
        None => diagnostic.help(help),
    }
}

/// Returns the span of the pattern that is written `word` in the first row with a guard that has it, or `None` if no
/// such row has it.
fn guarded_row(state: &State, word: &str) -> Option<crate::syntax::Span> {
    let expected_text = format!("`{word}`");
    let rows = state.rows.iter().filter(|row| row.guard.is_some());
    rows.flat_map(|row| &row.patterns)
        .find(|pattern| super::words::pattern(&pattern.value) == expected_text)
        .map(|pattern| pattern.span)
}
