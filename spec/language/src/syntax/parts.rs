//! The parts of declarations, for checks of names and notes and for the language server. The `match` over declarations
//! is exhaustive, so that no new one is overlooked.

use super::{
    AlgorithmStep, Change, Conditions, Item, ItemBody, Note, ParsedElementName,
    ParsedLexemeExpression, ParsedPattern, ParsedRow, ParsedState, ParsedStep, ParsedTokenPattern,
    RowChange, Span, Spanned, Word, Words,
};
use crate::vocabulary::Family;

/// A part of a declaration.
#[derive(Clone, Copy, Debug)]
pub enum DeclarationPart<'t> {
    /// A note for a deviation from the document.
    Note(&'t Note),
    /// The keyword and the name of another declaration, to which this one refers.
    Name(&'t str, &'t Word),
    /// An action or a condition.
    Words(Family, &'t Words),
    /// A pattern in a state, in a class, or in an `input` declaration.
    Pattern(&'t Spanned<ParsedPattern>),
    /// A pattern in a mode, which matches tokens.
    Token(&'t Spanned<ParsedTokenPattern>),
    /// An element name, or the name of a set of element names.
    Element(&'t Spanned<ParsedElementName>),
    /// The name of a lexeme or class.
    Lexeme(&'t str, Span),
}

impl Item {
    /// Returns the parts of the declaration. Of algorithms and sets of DOCTYPEs, these are only the notes; changes to the
    /// steps of algorithms have none.
    pub fn parts(&self) -> Vec<DeclarationPart<'_>> {
        let notes = self.notes.iter().map(DeclarationPart::Note);
        let families = if self.is_of_trees() { MODES } else { STATES };
        self.body.parts(&self.kind, &self.name, families).into_iter().chain(notes).collect()
    }
}

impl ItemBody {
    /// Returns the parts of a declaration of this kind and name, without its notes. `families` are the vocabularies of
    /// named conditions and steps.
    fn parts<'t>(
        &'t self,
        kind: &str,
        name: &'t Word,
        families: Families,
    ) -> Vec<DeclarationPart<'t>> {
        match self {
            Self::Setting(value) => match kind {
                "start" => vec![DeclarationPart::Name("state", value)],
                "tree start" => vec![DeclarationPart::Name("mode", value)],
                _ => Vec::new(),
            },
            Self::EmissionError { error, .. }
            | Self::Counter { error, .. }
            | Self::PushedStates { error, .. }
            | Self::Unacknowledged(error) => vec![DeclarationPart::Name("errors", error)],
            Self::EmissionAction { action, .. } | Self::Feedback(action) => {
                vec![DeclarationPart::Words(Family::Actions, action)]
            }
            Self::Encodings(clauses) | Self::SelectedContent(clauses) => {
                clauses.iter().flat_map(|clause| &clause.notes).map(DeclarationPart::Note).collect()
            }
            Self::InputError { patterns, error, .. } => {
                let patterns = patterns.iter().map(DeclarationPart::Pattern);
                patterns.chain([DeclarationPart::Name("errors", error)]).collect()
            }
            Self::Class(patterns) => patterns.iter().map(DeclarationPart::Pattern).collect(),
            Self::Lexeme { expression, ahead } => {
                [expression].into_iter().chain(ahead).flat_map(parts_of_expression).collect()
            }
            Self::Condition(conditions) => parts_of_conditions(conditions, families),
            Self::Steps(steps) => parts_of_steps(steps, families),
            Self::Procedure(states) => states.iter().flat_map(parts_of_state).collect(),
            Self::State(state) => parts_of_state(state),
            Self::Names(set) | Self::Scope(set) => {
                set.members.iter().chain(&set.except).map(DeclarationPart::Element).collect()
            }
            Self::Dispatch { mode, condition } => {
                [vec![DeclarationPart::Name("mode", mode)], parts_of_conditions(condition, MODES)]
                    .concat()
            }
            Self::Answer { condition, .. } => {
                [vec![DeclarationPart::Name("flag", name)], parts_of_conditions(condition, MODES)]
                    .concat()
            }
            Self::IntegrationPoints(points) => {
                points.iter().map(|point| DeclarationPart::Element(&point.name)).collect()
            }
            Self::Reset(rows) | Self::Fragment { rows, .. } => {
                parts_of_rows(rows, MODES, DeclarationPart::Element)
            }
            Self::Fostering { names, .. } => names.iter().map(DeclarationPart::Element).collect(),
            Self::Algorithm(steps) => notes_of_algorithm(steps),
            Self::Mode(rows) => parts_of_rows(rows, MODES, DeclarationPart::Token),
            Self::Entry(states) => {
                states.iter().map(|state| DeclarationPart::Name("state", state)).collect()
            }
            Self::Extends { changes, .. } => changes.iter().flat_map(parts_of_change).collect(),
            Self::Document(..)
            | Self::Limit(_)
            | Self::Errors(_)
            | Self::HostErrors(_)
            | Self::Flag { .. }
            | Self::Token { .. }
            | Self::Pointers(_)
            | Self::Adjustments(_)
            | Self::Doctypes { .. } => Vec::new(),
        }
    }
}

/// The vocabularies of actions and conditions in a block of rows.
type Families = (Family, Family);

const STATES: Families = (Family::Actions, Family::Conditions);
const MODES: Families = (Family::TreeActions, Family::TreeConditions);

fn parts_of_change(change: &Change) -> Vec<DeclarationPart<'_>> {
    match change {
        Change::Replace(item, _) | Change::Add(item) => item.parts(),
        Change::Take { kind, names } | Change::Remove { kind, names } => {
            names.iter().map(|name| DeclarationPart::Name(&kind.value, name)).collect()
        }
        Change::Rows { state, changes } => {
            let changes = parts_of_row_changes(changes, STATES, DeclarationPart::Pattern);
            [vec![DeclarationPart::Name("state", state)], changes].concat()
        }
        Change::ModeRows { mode, changes } => {
            let changes = parts_of_row_changes(changes, MODES, DeclarationPart::Token);
            [vec![DeclarationPart::Name("mode", mode)], changes].concat()
        }
        Change::Steps { .. } => Vec::new(),
    }
}

fn parts_of_row_changes<'t, P>(
    changes: &'t [RowChange<P>],
    families: Families,
    to_part: fn(&'t Spanned<P>) -> DeclarationPart<'t>,
) -> Vec<DeclarationPart<'t>> {
    let parts = changes.iter().flat_map(|change| match change {
        RowChange::Replace(row) | RowChange::Add(row) => {
            parts_of_rows(std::slice::from_ref(row), families, to_part)
        }
        RowChange::Remove(patterns) => patterns.iter().map(to_part).collect(),
    });
    parts.collect()
}

fn parts_of_state(state: &ParsedState) -> Vec<DeclarationPart<'_>> {
    let subject = state.subject.iter().map(|word| DeclarationPart::Name("procedure", word));
    let otherwise =
        state.otherwise.iter().map(|word| DeclarationPart::Lexeme(&word.value, word.span));
    let hooks = [&state.enter, &state.leave].into_iter().flat_map(|it| parts_of_steps(it, STATES));
    let rows = parts_of_rows(&state.rows, STATES, DeclarationPart::Pattern);
    subject.chain(otherwise).chain(hooks).chain(rows).collect()
}

fn parts_of_rows<'t, P>(
    rows: &'t [ParsedRow<P>],
    families: Families,
    to_part: fn(&'t Spanned<P>) -> DeclarationPart<'t>,
) -> Vec<DeclarationPart<'t>> {
    let parts = rows.iter().flat_map(|row| {
        let guard = row.guard.iter().flat_map(move |guard| parts_of_conditions(guard, families));
        row.patterns.iter().map(to_part).chain(guard).chain(parts_of_steps(&row.steps, families))
    });
    parts.collect()
}

fn parts_of_conditions(conditions: &Conditions, (_, family): Families) -> Vec<DeclarationPart<'_>> {
    conditions.parts.iter().map(|words| DeclarationPart::Words(family, words)).collect()
}

fn parts_of_steps(steps: &[ParsedStep], families: Families) -> Vec<DeclarationPart<'_>> {
    let parts = ParsedStep::all(steps).into_iter().flat_map(|step| match step {
        ParsedStep::Action(words) => vec![DeclarationPart::Words(families.0, words)],
        ParsedStep::Note(note) => vec![DeclarationPart::Note(note)],
        ParsedStep::When { condition, .. } => parts_of_conditions(condition, families),
    });
    parts.collect()
}

fn notes_of_algorithm(steps: &[AlgorithmStep]) -> Vec<DeclarationPart<'_>> {
    let notes = steps.iter().flat_map(|step| match step {
        AlgorithmStep::Noted { note, .. } => vec![DeclarationPart::Note(note)],
        AlgorithmStep::Step { inner, .. } => notes_of_algorithm(inner),
    });
    notes.collect()
}

fn parts_of_expression(expression: &Spanned<ParsedLexemeExpression>) -> Vec<DeclarationPart<'_>> {
    match &expression.value {
        ParsedLexemeExpression::Name(name) => vec![DeclarationPart::Lexeme(name, expression.span)],
        ParsedLexemeExpression::Sequence(parts) | ParsedLexemeExpression::Alternatives(parts) => {
            parts.iter().flat_map(parts_of_expression).collect()
        }
        ParsedLexemeExpression::Repeated { inner, .. } | ParsedLexemeExpression::Data(inner) => {
            parts_of_expression(inner)
        }
        ParsedLexemeExpression::Characters(..) | ParsedLexemeExpression::Text(_) => Vec::new(),
    }
}
