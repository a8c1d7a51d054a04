//! What the interpreter looks up once instead of at every character. It decides nothing that depends on a run.
//! Invariant: where an index gives a row, reading the rows in their order gives the same one, whatever the registers
//! hold.

use tabulex_language::model::{
    CharacterSet, ErrorId, Field, Machine, Pattern, Row, State, StateId, Subject,
};

/// What is known about a state before any run.
#[derive(Debug)]
pub(super) struct StateIndex {
    /// For each ASCII character the row that takes it, if that depends on nothing else.
    ascii: [Option<u16>; 128],
    /// Whether a row matches a string or a reference ahead.
    pub(super) matches_ahead: bool,
    /// Whether the state is a content state.
    pub(super) is_content: bool,
    /// The fields that a switch into the state opens.
    pub(super) opens: Vec<Field>,
}

impl StateIndex {
    pub(super) fn new(machine: &Machine, id: StateId) -> Self {
        let state = machine.state(id);
        let mut ascii = [None; 128];
        if state.subject == Subject::Input {
            for (row, character) in ascii.iter_mut().zip('\0'..) {
                *row = certain_row(state, character);
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
            opens: machine.fields_opened_by(id),
        }
    }

    /// The row that takes the character, if it is certain.
    pub(super) fn row(&self, character: char) -> Option<usize> {
        self.ascii.get(character as usize).copied().flatten().map(usize::from)
    }
}

/// The row that takes the character in every run: no string ahead can begin with it, and no guard and no register has a
/// say.
fn certain_row(state: &State, character: char) -> Option<u16> {
    let patterns = state.rows.iter().flat_map(|row| &row.patterns);
    if patterns.into_iter().any(|pattern| may_match_ahead(&pattern.value, character)) {
        return None;
    }
    for (index, row) in state.rows.iter().enumerate() {
        if takes(
            row,
            |pattern| matches!(pattern, Pattern::Characters(set) if set.contains(character)),
        ) {
            return row.guard.is_none().then_some(index as u16);
        }
        if takes(row, |pattern| *pattern == Pattern::AdditionalAllowedCharacter) {
            return None;
        }
    }
    let otherwise =
        state.rows.iter().position(|row| takes(row, |pattern| *pattern == Pattern::Else))?;
    state.rows[otherwise].guard.is_none().then_some(otherwise as u16)
}

fn may_match_ahead(pattern: &Pattern, character: char) -> bool {
    match pattern {
        Pattern::Reference => true,
        // A lexical mode is not indexed.
        Pattern::Lexeme(_) => true,
        Pattern::Text { text, .. } => {
            text.chars().next().is_none_or(|first| first.eq_ignore_ascii_case(&character))
        }
        // These look at no more than one character, or at none.
        Pattern::Characters(_)
        | Pattern::AdditionalAllowedCharacter
        | Pattern::EndOfFile
        | Pattern::Else
        | Pattern::Nothing
        | Pattern::Returned
        | Pattern::Numbers(..)
        | Pattern::Always => false,
    }
}

/// Whether one of the alternatives of the row is as wanted.
pub(super) fn takes(row: &Row, wanted: impl Fn(&Pattern) -> bool) -> bool {
    row.patterns.iter().any(|pattern| wanted(&pattern.value))
}

/// The characters that are wrong wherever they are.
#[derive(Debug)]
pub(super) struct InputErrorIndex {
    any: CharacterSet,
    ascii: [bool; 128],
}

impl InputErrorIndex {
    pub(super) fn new(machine: &Machine) -> Self {
        let mut any = CharacterSet::default();
        machine.input_errors.iter().for_each(|error| any.insert_all(&error.characters));
        let mut ascii = [false; 128];
        for (wrong, character) in ascii.iter_mut().zip('\0'..) {
            *wrong = any.contains(character);
        }
        Self { any, ascii }
    }

    /// Whether no character is wrong by itself.
    pub(super) fn is_empty(&self) -> bool {
        self.any.is_empty()
    }

    /// Whether the character is wrong by itself.
    pub(super) fn contains(&self, character: char) -> bool {
        match self.ascii.get(character as usize) {
            Some(&wrong) => wrong,
            None => self.any.contains(character),
        }
    }
}

/// The error that the character is by itself: the first one of the table.
pub(super) fn error_of(machine: &Machine, character: char) -> Option<ErrorId> {
    let found = machine.input_errors.iter().find(|error| error.characters.contains(character));
    found.map(|error| error.error)
}
