//! Checks lexical modes by their automata: lexemes that never win, and lexemes whose data cannot be separated while
//! reading.

use super::CheckContext;
use crate::automaton::{self, Automaton, MAX_SLOTS, MAX_STATES};
use crate::diagnostic::{AMBIGUOUS_DATA, BAD_PATTERN, Diagnostic, UNMATCHABLE_LEXEME};
use crate::model::{self, Lexeme, Machine, Pattern, StateId};
use crate::syntax::Span;

pub(super) fn check(context: &CheckContext<'_>) -> Vec<Diagnostic> {
    let machine = context.machine;
    let is_mode = |id: &StateId| matches!(machine.state(*id).subject, model::Subject::Lexemes(_));
    machine.state_ids().filter(is_mode).flat_map(|mode| check_mode(machine, mode)).collect()
}

fn check_mode(machine: &Machine, mode: StateId) -> Vec<Diagnostic> {
    let lexeme_rows = automaton::lexemes_of(machine, mode);
    let lexemes: Vec<&Lexeme> = lexeme_rows.iter().map(|(_, lexeme)| *lexeme).collect();
    let automaton = automaton::build(&lexemes);
    if automaton.is_too_large {
        return vec![automaton_too_large(machine, mode)];
    }
    let mut diagnostics = Vec::new();
    for (index, (row, lexeme)) in lexeme_rows.iter().enumerate() {
        let span = span_in_row(machine, mode, *row, lexeme);
        if let Some(text) = automaton.ambiguous.get(&index) {
            diagnostics.push(ambiguous_data(lexeme, span, text));
        }
        if let Some(winner) = dominating_lexeme(&automaton, &lexemes, index) {
            let winner = &lexeme_rows[winner];
            let winner_span = span_in_row(machine, mode, winner.0, winner.1);
            diagnostics.push(unmatchable_lexeme(lexeme, span, winner_span));
        }
    }
    diagnostics
}

/// Returns the index of an earlier lexeme that wins wherever this one matches, if there is one. Lexemes with look-ahead
/// are not considered, and a duplicate is reported as an overlap instead.
fn dominating_lexeme(automaton: &Automaton, lexemes: &[&Lexeme], index: usize) -> Option<usize> {
    if lexemes[index].ahead.is_some() {
        return None;
    }
    let mut winner = None;
    for state in automaton.states.iter().filter(|state| state.accepts.contains(&index)) {
        let first = state.accepts.iter().find(|&&other| lexemes[other].ahead.is_none());
        match first {
            Some(&first) if first != index => winner = Some(first),
            _ => return None,
        }
    }
    winner.filter(|&winner| lexemes[winner].name != lexemes[index].name)
}

fn span_in_row(machine: &Machine, mode: StateId, row: usize, lexeme: &Lexeme) -> Span {
    let row = &machine.state(mode).rows[row];
    let names_lexeme = |pattern: &model::Pattern| matches!(pattern, Pattern::Lexeme(id) if machine.lexeme(*id).name == lexeme.name);
    let pattern = row.patterns.iter().find(|pattern| names_lexeme(&pattern.value));
    pattern.map_or(row.span, |pattern| pattern.span)
}

fn unmatchable_lexeme(lexeme: &Lexeme, span: Span, winner: Span) -> Diagnostic {
    let message = format!("the lexeme `{}` never wins in this mode", lexeme.name);
    Diagnostic::new(UNMATCHABLE_LEXEME, span, message)
        .and(winner, "an earlier lexeme that matches the same input")
        .help("put the narrower lexeme first, or remove the row")
}

fn ambiguous_data(lexeme: &Lexeme, span: Span, text: &str) -> Diagnostic {
    let last_character = text.chars().next_back().unwrap_or_default();
    let message = format!(
        "in the lexeme `{}`, the last {last_character:?} of {text:?} may or may not be part of data or of the look-ahead",
        lexeme.name
    );
    let help = format!(
        "let {last_character:?} occur either in these data or next to them, not in both places"
    );
    Diagnostic::new(AMBIGUOUS_DATA, span, message).and(lexeme.span, "declared here").help(help)
}

fn automaton_too_large(machine: &Machine, mode: StateId) -> Diagnostic {
    let state = machine.state(mode);
    let message = format!(
        "the lexemes of mode `{}` need more than {MAX_STATES} states, or more than {MAX_SLOTS} slots for data",
        state.name
    );
    Diagnostic::new(BAD_PATTERN, state.span, message)
        .help("use simpler expressions in the lexemes of this mode")
}
