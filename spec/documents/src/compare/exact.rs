//! Complete records of the inputs and conditions under which two rows differ, so that a note can be bound to everything
//! that it explains.

use super::RowAt;
use super::accepted::{Entry, reason_hash};
use super::index::{NamedRows, Tokens};
use super::input::inputs_text;
use crate::document::fingerprint;
use std::collections::{BTreeMap, BTreeSet};

/// Key of a record: whether only details differ, the row of each side, and the effect of each row.
type RowKey = (bool, [Option<RowAt>; 2], [Option<String>; 2]);

/// For each pair of rows and effects, the indices of the inputs by condition.
#[derive(Debug, Default)]
pub(super) struct Records(BTreeMap<RowKey, BTreeMap<String, BTreeSet<usize>>>);

/// Maximum number of conditions that an entry lists in full.
const MAX_LISTED_CONDITIONS: usize = 3;

impl Records {
    /// Adds the index of an input under a condition.
    pub(super) fn add(&mut self, key: RowKey, condition: String, input: usize) {
        let conditions = self.0.entry(key).or_default();
        conditions.entry(condition).or_default().insert(input);
    }

    /// Converts the records to entries, without those of undeclared differences that are not only in details; `block`
    /// has the rows of the right side.
    pub(super) fn into_entries(self, inputs: &[Tokens], block: &NamedRows<'_>) -> Vec<Entry> {
        let text = |indices: &BTreeSet<usize>| inputs_text(indices.iter().map(|&at| &inputs[at]));
        let mut entries = Vec::new();
        for ((is_detail, rows, [left, right]), conditions) in self.0 {
            let row = rows[1].map(|(_, row)| &block.rows[row]);
            let notes = row.map_or(&[][..], |row| &row.notes);
            let word = match (is_detail, notes.first()) {
                (true, _) => "details of",
                (false, Some((kind, _))) => kind.keyword(),
                (false, None) => continue,
            };
            let all_inputs: BTreeSet<usize> = conditions.values().flatten().copied().collect();
            let mut lines: Vec<String> = conditions_line(&conditions, &text).into_iter().collect();
            for (sign, effect) in [('-', left), ('+', right)] {
                let effect = effect.filter(|effect| !is_detail || !effect.is_empty());
                lines.extend(effect.map(|effect| format!("{sign} {effect}")));
            }
            let reasons = notes.iter().filter(|_| !is_detail);
            lines.extend(reasons.map(|(_, reason)| reason_hash(reason)));
            entries.push(Entry {
                key: format!("{word} {}: {}", block.name, text(&all_inputs)),
                lines,
                span: Some(row.map_or(block.span, |row| row.span)),
                places: Vec::new(),
            });
        }
        entries
    }
}

/// Returns a line with the conditions under which the rows differ, or `None` if they differ unconditionally. Several
/// conditions are followed by a hash of the inputs under each of them.
fn conditions_line(
    conditions: &BTreeMap<String, BTreeSet<usize>>,
    text: &dyn Fn(&BTreeSet<usize>) -> String,
) -> Option<String> {
    let cells = conditions.iter();
    let cells = cells.map(|(condition, indices)| format!("{condition}: {}\n", text(indices)));
    let hash = fingerprint(&cells.collect::<String>());
    let listed: Vec<&str> =
        conditions.keys().map(|one| &one[..]).filter(|one| !one.is_empty()).collect();
    match &listed[..] {
        [] => None,
        [one] => Some(format!("where {one}")),
        few if few.len() <= MAX_LISTED_CONDITIONS => {
            Some(format!("where {}, {hash:08x}", few.join(", or ")))
        }
        [first, rest @ ..] => {
            Some(format!("where {first}, or one of {} other conditions, {hash:08x}", rest.len()))
        }
    }
}
