//! Lookup tables of the interpreter. A row from a table is the one that trying the rows in order finds, whatever values
//! the registers have.

use tabulex_language::model::{ErrorId, Field, Machine, Pattern, Row, State, StateId, Subject};

/// Lookup tables of a state.
#[derive(Debug)]
pub(super) struct StateIndex {
    /// For each ASCII character, the index of the row that matches it unconditionally, if any.
    ascii: [Option<u16>; 128],
    /// Whether a row matches a string or reference by look-ahead.
    pub(super) matches_ahead: bool,
    /// Whether the state is a content state.
    pub(super) is_content: bool,
    /// Fields whose range begins when the machine enters the state.
    pub(super) opened_fields: Vec<Field>,
}

impl StateIndex {
    pub(super) fn new(machine: &Machine, id: StateId) -> Self {
        let state = machine.state(id);
        let mut ascii = [None; 128];
        if state.subject == Subject::Input {
            for (row, character) in ascii.iter_mut().zip('\0'..) {
                *row = unconditional_row(state, character);
            }
        }
        Self {
            ascii,
            matches_ahead: state
                .rows
                .iter()
                .flat_map(|row| &row.patterns)
                .any(|pattern| matches!(pattern.value, Pattern::Text { .. } | Pattern::Reference)),
            is_content: machine.is_content_state(id),
            opened_fields: machine.fields_opened_by(id),
        }
    }

    /// Returns the index of the row that matches an ASCII character unconditionally, if any; `None` for other
    /// characters.
    pub(super) fn row(&self, character: char) -> Option<usize> {
        self.ascii.get(character as usize).copied().flatten().map(usize::from)
    }
}

/// Returns the index of the row that matches a character in every run, if there is one: no look-ahead, guard or
/// register affects the choice.
fn unconditional_row(state: &State, character: char) -> Option<u16> {
    let patterns = state.rows.iter().flat_map(|row| &row.patterns);
    if patterns.into_iter().any(|pattern| may_match_ahead(&pattern.value, character)) {
        return None;
    }
    for (index, row) in state.rows.iter().enumerate() {
        if has_matching_pattern(
            row,
            |pattern| matches!(pattern, Pattern::Characters(set) if set.contains(character)),
        ) {
            return row.guard.is_none().then_some(index as u16);
        }
        if row.has_pattern(&Pattern::AdditionalAllowedCharacter) {
            return None;
        }
    }
    let else_row = state.rows.iter().position(|row| row.has_pattern(&Pattern::Else))?;
    state.rows[else_row].guard.is_none().then_some(else_row as u16)
}

fn may_match_ahead(pattern: &Pattern, character: char) -> bool {
    if let Pattern::Text { text, .. } = pattern {
        return text.chars().next().is_none_or(|first| first.eq_ignore_ascii_case(&character));
    }
    // Apart from `Text` and these two, patterns match at most one character. `Lexeme` does not occur, because lexical
    // modes are not indexed.
    matches!(pattern, Pattern::Reference | Pattern::Lexeme(_))
}

/// Whether a pattern of the row satisfies `is_match`.
pub(super) fn has_matching_pattern(row: &Row, is_match: impl Fn(&Pattern) -> bool) -> bool {
    row.patterns.iter().any(|pattern| is_match(&pattern.value))
}

/// Returns the first declared error for a character in the input, if any.
pub(super) fn error_of(machine: &Machine, character: char) -> Option<ErrorId> {
    let declaration =
        machine.input_errors.iter().find(|error| error.characters.contains(character));
    declaration.map(|error| error.error)
}
