//! Checks notes on deviations from the document: each `fills` and `deviates` needs a reason.

use crate::diagnostic::{Diagnostic, STALE_NOTE};
use crate::syntax::{AlgorithmStep, Item, Note, NoteKind, State, Step, Table, TreeItem};

pub(super) fn check(table: &Table) -> Vec<Diagnostic> {
    let mut notes = Vec::new();
    for item in &table.items {
        match item {
            Item::Newlines(_, more)
            | Item::Nulls(_, more)
            | Item::ByteOrderMark(_, more)
            | Item::Limit { notes: more, .. }
            | Item::Lexeme { notes: more, .. }
            | Item::InputError { notes: more, .. }
            | Item::EmissionAction { notes: more, .. }
            | Item::EmissionError { notes: more, .. } => notes.extend(more),
            Item::Encodings { clues, .. } => {
                clues.iter().for_each(|clue| notes.extend(&clue.notes));
            }
            Item::Names(set) | Item::Tree(TreeItem::Scope(set)) => notes.extend(&set.notes),
            Item::Tree(
                TreeItem::Doctypes { notes: more, .. }
                | TreeItem::SelectedContent(_, more)
                | TreeItem::TextNodes(_, more)
                | TreeItem::Unacknowledged { notes: more, .. }
                | TreeItem::Feedback { notes: more, .. },
            ) => notes.extend(more),
            Item::Tree(TreeItem::Algorithm { steps, .. }) => add_algorithm_notes(steps, &mut notes),
            Item::Tree(TreeItem::Reset { rows, .. } | TreeItem::Fragment { rows, .. }) => {
                rows.iter().for_each(|row| add_step_notes(&row.steps, &mut notes));
            }
            Item::Counter { notes: more, .. } | Item::PushedStates { notes: more, .. } => {
                notes.extend(more);
            }
            Item::References(_, more) | Item::Elements(_, more) => notes.extend(more),
            Item::Action { steps, .. } | Item::Steps { steps, .. } => {
                add_step_notes(steps, &mut notes)
            }
            Item::Mode(mode) => {
                mode.rows.iter().for_each(|row| add_step_notes(&row.steps, &mut notes))
            }
            Item::State(state) => add_state_notes(state, &mut notes),
            Item::Procedure { states, .. } => {
                states.iter().for_each(|state| add_state_notes(state, &mut notes));
            }
            // Declarations without notes, and extensions, whose changes are already applied.
            Item::Name(_)
            | Item::Document(..)
            | Item::Start(_)
            | Item::Entry(_)
            | Item::Class { .. }
            | Item::Errors(_)
            | Item::HostErrors(_)
            | Item::Flag { .. }
            | Item::Token { .. }
            | Item::Condition { .. }
            | Item::TreeStart(_)
            | Item::Tree(
                TreeItem::Modes(_)
                | TreeItem::Flag { .. }
                | TreeItem::Condition { .. }
                | TreeItem::Dispatch { .. }
                | TreeItem::Pointers(_)
                | TreeItem::IntegrationPoints(_)
                | TreeItem::Adjustments { .. }
                | TreeItem::Template(_)
                | TreeItem::Fostering { .. }
                | TreeItem::Answer { .. },
            )
            | Item::Extends { .. } => {}
        }
    }
    notes.into_iter().filter(|note| note.reason.trim().is_empty()).map(missing_reason).collect()
}

fn add_state_notes<'t>(state: &'t State, notes: &mut Vec<&'t Note>) {
    add_step_notes(&state.enter, notes);
    add_step_notes(&state.leave, notes);
    state.rows.iter().for_each(|row| add_step_notes(&row.steps, notes));
}

fn add_algorithm_notes<'t>(steps: &'t [AlgorithmStep], notes: &mut Vec<&'t Note>) {
    for step in steps {
        match step {
            AlgorithmStep::Noted { note, .. } => notes.push(note),
            AlgorithmStep::Step { inner, .. } => add_algorithm_notes(inner, notes),
        }
    }
}

fn add_step_notes<'t>(steps: &'t [Step], notes: &mut Vec<&'t Note>) {
    Step::for_each(steps, &mut |step| {
        if let Step::Note(note) = step {
            notes.push(note);
        }
    });
}

fn missing_reason(note: &Note) -> Diagnostic {
    let (word, help) = match note.kind {
        NoteKind::Fills => ("fills", "say what the document leaves open, or remove the note"),
        NoteKind::Deviates => ("deviates", "say why the table differs, or remove the note"),
    };
    Diagnostic::new(STALE_NOTE, note.span, format!("`{word}` lacks a reason")).help(help)
}
