//! Modes side by side: the rows of tree construction, as they are written. Documents are not read so far; two tables are.
//! Invariant: rows of the same patterns are compared in their order.

use super::index::{Index, condition_text, steps_text};
use super::{Comparison, Difference};
use crate::syntax::{Item, Place};
use std::collections::BTreeMap;

/// Rows by mode and patterns: what they do, and their place.
type Rows = BTreeMap<(String, String), (String, Place)>;

/// Compares the modes, if both sides have some.
pub(super) fn compare(left: &Index<'_>, right: &Index<'_>, comparison: &mut Comparison) {
    let (mine, yours) = (rows(left), rows(right));
    if mine.is_empty() || yours.is_empty() {
        return;
    }
    let mut keys: Vec<_> = mine.keys().chain(yours.keys()).collect();
    keys.sort();
    keys.dedup();
    for key in keys {
        let (one, other) = (mine.get(key), yours.get(key));
        if one.map(|(steps, _)| steps) != other.map(|(steps, _)| steps) {
            let (state, input) = key.clone();
            let told =
                |side: Option<&(String, Place)>| side.map(|(steps, _)| steps.trim_end().to_owned());
            comparison.differences.push(Difference {
                state,
                input,
                condition: String::new(),
                left: told(one),
                right: told(other),
                left_row: None,
                right_row: None,
                place: other.map(|(_, place)| *place),
                notes: Vec::new(),
            });
        }
    }
}

fn rows(index: &Index<'_>) -> Rows {
    let mut rows = Rows::new();
    for item in &index.table.items {
        match item {
            Item::Mode(mode) => {
                for row in &mode.rows {
                    let patterns =
                        row.patterns.iter().map(|pattern| format!("{:?}", pattern.value));
                    let guard = row.guard.as_ref().map_or(String::new(), condition_text);
                    let mut input = format!("{} {guard}", patterns.collect::<Vec<_>>().join(" | "));
                    while rows.contains_key(&(mode.name.value.clone(), input.clone())) {
                        input.push('\'');
                    }
                    rows.insert(
                        (mode.name.value.clone(), input),
                        (steps_text(&row.steps), row.place),
                    );
                }
            }
            Item::Steps { name, steps, .. } => {
                rows.insert(
                    (name.value.clone(), "steps".to_owned()),
                    (steps_text(steps), name.place),
                );
            }
            _ => {}
        }
    }
    rows
}
