//! Complete records of the inputs and conditions under which two rows differ, so that a note can be bound to everything
//! that it explains.

use super::RowAt;
use super::index::{NamedRows, Tokens};
use super::input::inputs_text;
use crate::document::fingerprint;
use std::collections::{BTreeMap, BTreeSet};
use tabulex_language::syntax::{NoteKind, Span};

/// A difference between a row of each side, with all inputs and conditions under which the rows have these two effects.
#[derive(Clone, Debug)]
pub struct RowDifference {
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
    /// Hash of the inputs under each condition.
    pub cells: u32,
    /// Notes of the right side's row: kind and reason.
    pub notes: Vec<(NoteKind, String)>,
    /// Whether the difference is only in details that documents do not specify: error codes and positions.
    pub is_detail: bool,
    /// Span of the right side's row, or of its state or mode if no row is involved.
    pub span: Option<Span>,
}

/// Key of a record: whether only details differ, the row of each side, and the effect of each row.
type RowKey = (bool, [Option<RowAt>; 2], [Option<String>; 2]);

/// For each pair of rows and effects, the indices of the inputs by condition.
#[derive(Debug, Default)]
pub(super) struct Records(BTreeMap<RowKey, BTreeMap<String, BTreeSet<usize>>>);

impl Records {
    /// Adds the index of an input under a condition.
    pub(super) fn add(&mut self, key: RowKey, condition: String, input: usize) {
        let conditions = self.0.entry(key).or_default();
        conditions.entry(condition).or_default().insert(input);
    }

    /// Converts the indices to records; `block` has the rows of the right side.
    pub(super) fn into_records(
        self,
        inputs: &[Tokens],
        block: &NamedRows<'_>,
    ) -> Vec<RowDifference> {
        let record =
            |((is_detail, rows, [left, right]), conditions): (RowKey, BTreeMap<String, _>)| {
                let row = rows[1].map(|(_, row)| &block.rows[row]);
                let all_inputs: BTreeSet<usize> = conditions.values().flatten().copied().collect();
                let text =
                    |indices: &BTreeSet<usize>| inputs_text(indices.iter().map(|&at| &inputs[at]));
                let cells = conditions
                    .iter()
                    .map(|(condition, indices)| format!("{condition}: {}\n", text(indices)));
                RowDifference {
                    state: block.name.to_owned(),
                    input: text(&all_inputs),
                    cells: fingerprint(&cells.collect::<String>()),
                    conditions: conditions.into_keys().filter(|one| !one.is_empty()).collect(),
                    left,
                    right,
                    notes: row.map(|row| row.notes.clone()).unwrap_or_default(),
                    is_detail,
                    span: Some(row.map_or(block.span, |row| row.span)),
                }
            };
        self.0.into_iter().map(record).collect()
    }
}
