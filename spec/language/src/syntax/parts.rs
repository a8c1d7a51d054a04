//! The parts of declarations that checks of names and notes visit. The `match` over declarations is exhaustive, so that
//! no new one is overlooked.

use super::{
    AlgorithmStep, Conditions, ElementName, ElementSet, Item, LexemeExpression, Note, Pattern, Row,
    Spanned, State, Step, TokenPattern, TreeItem, Words,
};

/// A part of a declaration.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Part<'t> {
    /// A note for a deviation from the document.
    Note(&'t Note),
    /// An action or a condition.
    Words(&'t Words),
    /// A pattern over characters.
    Pattern(&'t Spanned<Pattern>),
    /// A pattern over tokens.
    Token(&'t Spanned<TokenPattern>),
    /// An element name, or a set of them.
    Element(&'t Spanned<ElementName>),
    /// The name of a lexeme or class.
    Lexeme(&'t str),
}

type Visitor<'v, 't> = &'v mut dyn FnMut(Part<'t>);

impl Item {
    /// Calls `visit` with each part of the declaration. Of algorithms and sets of DOCTYPEs, only the notes are visited.
    pub(crate) fn for_each_part<'t>(&'t self, visit: Visitor<'_, 't>) {
        match self {
            Self::Newlines(_, notes)
            | Self::Nulls(_, notes)
            | Self::ByteOrderMark(_, notes)
            | Self::References(_, notes)
            | Self::Elements(_, notes)
            | Self::Limit { notes, .. }
            | Self::EmissionError { notes, .. }
            | Self::Counter { notes, .. }
            | Self::PushedStates { notes, .. } => visit_notes(notes, visit),
            Self::EmissionAction { action, notes, .. } => {
                visit(Part::Words(action));
                visit_notes(notes, visit);
            }
            Self::Encodings { clues, .. } => {
                clues.iter().for_each(|clue| visit_notes(&clue.notes, visit));
            }
            Self::InputError { patterns, notes, .. } => {
                patterns.iter().for_each(|pattern| visit(Part::Pattern(pattern)));
                visit_notes(notes, visit);
            }
            Self::Class { patterns, .. } => {
                patterns.iter().for_each(|pattern| visit(Part::Pattern(pattern)));
            }
            Self::Lexeme { expression, ahead, notes, .. } => {
                std::iter::once(expression)
                    .chain(ahead)
                    .for_each(|one| visit_expression(&one.value, visit));
                visit_notes(notes, visit);
            }
            Self::Condition { conditions, .. } => visit_conditions(conditions, visit),
            Self::Action { steps, .. } | Self::Steps { steps, .. } => visit_steps(steps, visit),
            Self::Procedure { states, .. } => {
                states.iter().for_each(|state| visit_state(state, visit));
            }
            Self::State(state) => visit_state(state, visit),
            Self::Names(set) => visit_set(set, visit),
            Self::Tree(item) => item.for_each_part(visit),
            Self::Mode(mode) => mode.rows.iter().for_each(|row| visit_row(row, Part::Token, visit)),
            // Declarations without such parts, and extensions, whose changes have already been applied.
            Self::Name(_)
            | Self::Document(..)
            | Self::Start(_)
            | Self::Entry(_)
            | Self::Errors(_)
            | Self::HostErrors(_)
            | Self::Flag { .. }
            | Self::Token { .. }
            | Self::TreeStart(_)
            | Self::Extends { .. } => {}
        }
    }
}

impl TreeItem {
    fn for_each_part<'t>(&'t self, visit: Visitor<'_, 't>) {
        match self {
            Self::Condition { conditions, .. }
            | Self::Dispatch { condition: conditions, .. }
            | Self::Answer { condition: conditions, .. } => visit_conditions(conditions, visit),
            Self::Scope(set) => visit_set(set, visit),
            Self::IntegrationPoints(points) => {
                points.iter().for_each(|point| visit(Part::Element(&point.name)));
            }
            Self::Doctypes { notes, .. }
            | Self::Unacknowledged { notes, .. }
            | Self::SelectedContent(_, notes)
            | Self::TextNodes(_, notes) => visit_notes(notes, visit),
            Self::Feedback { action, notes, .. } => {
                visit(Part::Words(action));
                visit_notes(notes, visit);
            }
            Self::Reset { rows, .. } | Self::Fragment { rows, .. } => {
                rows.iter().for_each(|row| visit_row(row, Part::Element, visit));
            }
            Self::Fostering { names, .. } => {
                names.iter().for_each(|name| visit(Part::Element(name)));
            }
            Self::Algorithm { steps, .. } => visit_algorithm_notes(steps, visit),
            Self::Modes(_)
            | Self::Flag { .. }
            | Self::Pointers(_)
            | Self::Adjustments { .. }
            | Self::Template(_) => {}
        }
    }
}

fn visit_notes<'t>(notes: &'t [Note], visit: Visitor<'_, 't>) {
    notes.iter().for_each(|note| visit(Part::Note(note)));
}

fn visit_set<'t>(set: &'t ElementSet, visit: Visitor<'_, 't>) {
    set.members.iter().chain(&set.except).for_each(|name| visit(Part::Element(name)));
    visit_notes(&set.notes, visit);
}

fn visit_state<'t>(state: &'t State, visit: Visitor<'_, 't>) {
    state.otherwise.iter().for_each(|word| visit(Part::Lexeme(&word.value)));
    visit_steps(&state.enter, visit);
    visit_steps(&state.leave, visit);
    state.rows.iter().for_each(|row| visit_row(row, Part::Pattern, visit));
}

fn visit_row<'t, P>(row: &'t Row<P>, part: fn(&'t Spanned<P>) -> Part<'t>, visit: Visitor<'_, 't>) {
    row.patterns.iter().for_each(|pattern| visit(part(pattern)));
    row.guard.iter().for_each(|guard| visit_conditions(guard, visit));
    visit_steps(&row.steps, visit);
}

fn visit_conditions<'t>(conditions: &'t Conditions, visit: Visitor<'_, 't>) {
    conditions.parts.iter().for_each(|words| visit(Part::Words(words)));
}

fn visit_steps<'t>(steps: &'t [Step], visit: Visitor<'_, 't>) {
    Step::for_each(steps, &mut |step| match step {
        Step::Action(words) => visit(Part::Words(words)),
        Step::Note(note) => visit(Part::Note(note)),
        Step::When { condition, .. } => visit_conditions(condition, visit),
    });
}

fn visit_algorithm_notes<'t>(steps: &'t [AlgorithmStep], visit: Visitor<'_, 't>) {
    for step in steps {
        match step {
            AlgorithmStep::Noted { note, .. } => visit(Part::Note(note)),
            AlgorithmStep::Step { inner, .. } => visit_algorithm_notes(inner, visit),
        }
    }
}

fn visit_expression<'t>(expression: &'t LexemeExpression, visit: Visitor<'_, 't>) {
    match expression {
        LexemeExpression::Name(name) => visit(Part::Lexeme(name)),
        LexemeExpression::Sequence(parts) | LexemeExpression::Alternatives(parts) => {
            parts.iter().for_each(|part| visit_expression(&part.value, visit));
        }
        LexemeExpression::Repeated { inner, .. } | LexemeExpression::Data(inner) => {
            visit_expression(&inner.value, visit);
        }
        LexemeExpression::Characters(..) | LexemeExpression::Text(_) => {}
    }
}
