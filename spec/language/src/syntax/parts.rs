//! The parts of declarations, which checks of names and notes and the language server visit. The `match` over
//! declarations is exhaustive, so that no new one is overlooked.

use super::{
    AlgorithmStep, Change, Conditions, ElementSet, Item, Note, ParsedElementName,
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

type Visitor<'v, 't> = &'v mut dyn FnMut(DeclarationPart<'t>);

impl Item {
    /// Calls `visit` with each part of the declaration. Of algorithms and sets of DOCTYPEs, only the notes are visited;
    /// of changes to the steps of algorithms, nothing.
    pub fn for_each_part<'t>(&'t self, visit: Visitor<'_, 't>) {
        match self {
            Self::Setting { keyword, value, notes } => {
                match *keyword {
                    "start" => visit(DeclarationPart::Name("state", value)),
                    "tree start" => visit(DeclarationPart::Name("mode", value)),
                    _ => {}
                }
                visit_notes(notes, visit);
            }
            Self::Limit { notes, .. }
            | Self::Doctypes { notes, .. }
            | Self::SelectedContent(_, notes) => visit_notes(notes, visit),
            Self::EmissionError { error, notes, .. }
            | Self::Counter { error, notes, .. }
            | Self::PushedStates { error, notes, .. }
            | Self::Unacknowledged { error, notes, .. } => {
                visit(DeclarationPart::Name("errors", error));
                visit_notes(notes, visit);
            }
            Self::EmissionAction { action, notes, .. } | Self::Feedback { action, notes, .. } => {
                visit(DeclarationPart::Words(Family::Actions, action));
                visit_notes(notes, visit);
            }
            Self::Encodings { clues, .. } => {
                clues.iter().for_each(|clue| visit_notes(&clue.notes, visit));
            }
            Self::InputError { patterns, error, notes, .. } => {
                patterns.iter().for_each(|pattern| visit(DeclarationPart::Pattern(pattern)));
                visit(DeclarationPart::Name("errors", error));
                visit_notes(notes, visit);
            }
            Self::Class { patterns, .. } => {
                patterns.iter().for_each(|pattern| visit(DeclarationPart::Pattern(pattern)));
            }
            Self::Lexeme { expression, ahead, notes, .. } => {
                std::iter::once(expression).chain(ahead).for_each(|it| visit_expression(it, visit));
                visit_notes(notes, visit);
            }
            Self::Condition { conditions, is_of_trees, .. } => {
                visit_conditions(conditions, families(*is_of_trees), visit);
            }
            Self::Steps { steps, is_of_trees, .. } => {
                visit_steps(steps, families(*is_of_trees), visit);
            }
            Self::Procedure { states, .. } => {
                states.iter().for_each(|state| visit_state(state, visit));
            }
            Self::State(state) => visit_state(state, visit),
            Self::Names(set) | Self::Scope(set) => visit_set(set, visit),
            Self::Dispatch { mode, condition } => {
                visit(DeclarationPart::Name("mode", mode));
                visit_conditions(condition, MODES, visit);
            }
            Self::Answer { flag, condition, .. } => {
                visit(DeclarationPart::Name("flag", flag));
                visit_conditions(condition, MODES, visit);
            }
            Self::IntegrationPoints(points) => {
                points.iter().for_each(|point| visit(DeclarationPart::Element(&point.name)));
            }
            Self::Reset { rows, .. } | Self::Fragment { rows, .. } => {
                rows.iter().for_each(|row| visit_row(row, MODES, DeclarationPart::Element, visit));
            }
            Self::Fostering { names, .. } => {
                names.iter().for_each(|name| visit(DeclarationPart::Element(name)));
            }
            Self::Algorithm { steps, .. } => visit_algorithm_notes(steps, visit),
            Self::Mode(mode) => {
                mode.rows
                    .iter()
                    .for_each(|row| visit_row(row, MODES, DeclarationPart::Token, visit));
            }
            Self::Entry(states) => {
                states.iter().for_each(|it| visit(DeclarationPart::Name("state", it)))
            }
            Self::Extends { changes, .. } => changes.iter().for_each(|it| visit_change(it, visit)),
            Self::Document(..)
            | Self::Errors(_)
            | Self::HostErrors(_)
            | Self::Flag { .. }
            | Self::Token { .. }
            | Self::Pointers(_)
            | Self::Adjustments { .. } => {}
        }
    }
}

fn visit_notes<'t>(notes: &'t [Note], visit: Visitor<'_, 't>) {
    notes.iter().for_each(|note| visit(DeclarationPart::Note(note)));
}

fn visit_set<'t>(set: &'t ElementSet, visit: Visitor<'_, 't>) {
    set.members.iter().chain(&set.except).for_each(|name| visit(DeclarationPart::Element(name)));
    visit_notes(&set.notes, visit);
}

/// The vocabularies of actions and conditions in a block of rows.
type Families = (Family, Family);

const STATES: Families = (Family::Actions, Family::Conditions);
const MODES: Families = (Family::TreeActions, Family::TreeConditions);

fn families(is_of_trees: bool) -> Families {
    if is_of_trees { MODES } else { STATES }
}

fn visit_change<'t>(change: &'t Change, visit: Visitor<'_, 't>) {
    match change {
        Change::Replace(item, _) | Change::Add(item) => item.for_each_part(visit),
        Change::Take { kind, names } | Change::Remove { kind, names } => {
            names.iter().for_each(|name| visit(DeclarationPart::Name(&kind.value, name)));
        }
        Change::Rows { state, changes } => {
            visit(DeclarationPart::Name("state", state));
            changes
                .iter()
                .for_each(|it| visit_row_change(it, STATES, DeclarationPart::Pattern, visit));
        }
        Change::ModeRows { mode, changes } => {
            visit(DeclarationPart::Name("mode", mode));
            changes
                .iter()
                .for_each(|it| visit_row_change(it, MODES, DeclarationPart::Token, visit));
        }
        Change::Steps { .. } => {}
    }
}

fn visit_row_change<'t, P>(
    change: &'t RowChange<P>,
    families: Families,
    to_part: fn(&'t Spanned<P>) -> DeclarationPart<'t>,
    visit: Visitor<'_, 't>,
) {
    match change {
        RowChange::Replace(row) | RowChange::Add(row) => visit_row(row, families, to_part, visit),
        RowChange::Remove(patterns) => patterns.iter().for_each(|it| visit(to_part(it))),
    }
}

fn visit_state<'t>(state: &'t ParsedState, visit: Visitor<'_, 't>) {
    state.subject.iter().for_each(|word| visit(DeclarationPart::Name("procedure", word)));
    state.otherwise.iter().for_each(|word| visit(DeclarationPart::Lexeme(&word.value, word.span)));
    visit_steps(&state.enter, STATES, visit);
    visit_steps(&state.leave, STATES, visit);
    state.rows.iter().for_each(|row| visit_row(row, STATES, DeclarationPart::Pattern, visit));
}

fn visit_row<'t, P>(
    row: &'t ParsedRow<P>,
    families: Families,
    to_part: fn(&'t Spanned<P>) -> DeclarationPart<'t>,
    visit: Visitor<'_, 't>,
) {
    row.patterns.iter().for_each(|pattern| visit(to_part(pattern)));
    row.guard.iter().for_each(|guard| visit_conditions(guard, families, visit));
    visit_steps(&row.steps, families, visit);
}

fn visit_conditions<'t>(conditions: &'t Conditions, (_, family): Families, visit: Visitor<'_, 't>) {
    conditions.parts.iter().for_each(|words| visit(DeclarationPart::Words(family, words)));
}

fn visit_steps<'t>(steps: &'t [ParsedStep], families: Families, visit: Visitor<'_, 't>) {
    ParsedStep::all(steps).into_iter().for_each(|step| match step {
        ParsedStep::Action(words) => visit(DeclarationPart::Words(families.0, words)),
        ParsedStep::Note(note) => visit(DeclarationPart::Note(note)),
        ParsedStep::When { condition, .. } => visit_conditions(condition, families, visit),
    });
}

fn visit_algorithm_notes<'t>(steps: &'t [AlgorithmStep], visit: Visitor<'_, 't>) {
    for step in steps {
        match step {
            AlgorithmStep::Noted { note, .. } => visit(DeclarationPart::Note(note)),
            AlgorithmStep::Step { inner, .. } => visit_algorithm_notes(inner, visit),
        }
    }
}

fn visit_expression<'t>(expression: &'t Spanned<ParsedLexemeExpression>, visit: Visitor<'_, 't>) {
    match &expression.value {
        ParsedLexemeExpression::Name(name) => visit(DeclarationPart::Lexeme(name, expression.span)),
        ParsedLexemeExpression::Sequence(parts) | ParsedLexemeExpression::Alternatives(parts) => {
            parts.iter().for_each(|part| visit_expression(part, visit));
        }
        ParsedLexemeExpression::Repeated { inner, .. } | ParsedLexemeExpression::Data(inner) => {
            visit_expression(inner, visit);
        }
        ParsedLexemeExpression::Characters(..) | ParsedLexemeExpression::Text(_) => {}
    }
}
