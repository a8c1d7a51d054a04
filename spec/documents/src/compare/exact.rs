//! Unmerged records of the cells in which two rows differ, so that a note can be tied to everything that it explains.

use super::RowAt;
use crate::document::fingerprint;
use std::collections::BTreeMap;
use tabulex_language::model::CharacterSet;
use tabulex_language::syntax::{NoteKind, Span};

/// A row of each side, with all inputs and conditions under which they have these two effects.
#[derive(Clone, Debug)]
pub struct Exact {
    /// Name of the state or mode.
    pub state: String,
    /// The inputs in the table language.
    pub input: String,
    /// The conditions; empty if unconditional.
    pub conditions: Vec<String>,
    /// Effect on the left side; `None` if it has no such row.
    pub left: Option<String>,
    /// Effect on the right side; `None` if it has no such row.
    pub right: Option<String>,
    /// Hash of all inputs under all conditions.
    pub cells: u32,
    /// Notes of the right side's row: kind and reason.
    pub notes: Vec<(NoteKind, String)>,
    /// Whether only details differ that no document specifies: error codes and positions.
    pub is_detail: bool,
    /// Span of the right side's row or state.
    pub span: Option<Span>,
}

/// The cells in which two rows have two given effects: inputs by condition.
#[derive(Debug, Default)]
pub(super) struct Cells {
    conditions: BTreeMap<String, (CharacterSet, Vec<String>)>,
}

impl Cells {
    /// Adds a range of characters under a condition.
    pub(super) fn characters(&mut self, condition: &str, first: char, last: char) {
        self.at(condition).0.insert(first, last);
    }

    /// Adds another input under a condition.
    pub(super) fn word(&mut self, condition: &str, word: String) {
        let words = &mut self.at(condition).1;
        if !words.contains(&word) {
            words.push(word);
        }
    }

    fn at(&mut self, condition: &str) -> &mut (CharacterSet, Vec<String>) {
        self.conditions.entry(condition.to_owned()).or_default()
    }

    /// Builds the record of these cells.
    pub(super) fn record(self, state: &str, data: RecordData) -> Exact {
        let mut characters = CharacterSet::default();
        let mut words: Vec<&String> = Vec::new();
        let mut all = String::new();
        for (condition, (set, named)) in &self.conditions {
            characters.insert_all(set);
            let new: Vec<&String> = named.iter().filter(|word| !words.contains(word)).collect();
            words.extend(new);
            all += &format!("{condition}: {} {named:?}\n", super::cells::set_text(set));
        }
        let set = (!characters.ranges().is_empty()).then(|| super::cells::set_text(&characters));
        Exact {
            state: state.to_owned(),
            input: set
                .into_iter()
                .chain(words.into_iter().cloned())
                .collect::<Vec<_>>()
                .join(" | "),
            conditions: self.conditions.keys().filter(|one| !one.is_empty()).cloned().collect(),
            left: data.left,
            right: data.right,
            cells: fingerprint(&all),
            notes: data.notes,
            is_detail: data.is_detail,
            span: data.span,
        }
    }
}

/// The rest of a record, besides its cells.
#[derive(Debug)]
pub(super) struct RecordData {
    pub(super) left: Option<String>,
    pub(super) right: Option<String>,
    pub(super) notes: Vec<(NoteKind, String)>,
    pub(super) is_detail: bool,
    pub(super) span: Option<Span>,
}

/// Cells by rows and effects.
#[derive(Debug, Default)]
pub(super) struct Records {
    all: BTreeMap<Key, Cells>,
}

/// Whether only details differ, the rows, and their effects.
type Key = (bool, [Option<RowAt>; 2], [Option<String>; 2]);

impl Records {
    /// Returns the cells in which two rows have the given effects.
    pub(super) fn cells(
        &mut self,
        is_detail: bool,
        rows: [Option<RowAt>; 2],
        does: [Option<String>; 2],
    ) -> &mut Cells {
        self.all.entry((is_detail, rows, does)).or_default()
    }

    /// Builds the records; `row` returns the span and the notes of a row on the right side.
    pub(super) fn into_records(
        self,
        state: &str,
        row: impl Fn(Option<RowAt>) -> (Span, Vec<(NoteKind, String)>),
    ) -> Vec<Exact> {
        let one = |((is_detail, [_, right_row], [left, right]), cells): (Key, Cells)| {
            let (span, notes) = row(right_row);
            cells.record(state, RecordData { left, right, notes, is_detail, span: Some(span) })
        };
        self.all.into_iter().map(one).collect()
    }
}
