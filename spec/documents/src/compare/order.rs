//! The order of rows within states and modes. Rows whose counterparts in the document stand in another order are
//! listed, so that a swap of two rows is noticed even if it changes no behavior.

use super::Index;
use super::cells::{numbers_text, set_text};
use super::index::{Row, condition_text};
use super::modes::Row as ModeRow;
use tabulex_language::syntax::{Conditions, Span};

/// The rows of a state or mode that stand after a row which the left side has later.
#[derive(Debug)]
pub(super) struct Misplaced {
    /// The name of the state or mode.
    pub(super) name: String,
    /// One line for each row.
    pub(super) lines: Vec<String>,
    /// Span of the first of them.
    pub(super) span: Span,
}

/// Returns the misplaced rows of all wanted states and modes that both sides have.
pub(super) fn misplaced(
    left: &Index<'_>,
    right: &Index<'_>,
    is_wanted: &dyn Fn(&str) -> bool,
) -> Vec<Misplaced> {
    let mut all = Vec::new();
    for state in right.states.iter().filter(|state| is_wanted(&state.name)) {
        let Some(at) = left.find(&state.name) else { continue };
        let (mine, yours) = (&left.states[at].rows, &state.rows);
        let found = of_rows(mine, yours, meets, |row| RowText::of(row.guard, row.span, text(row)));
        all.extend(found.map(|(lines, span)| Misplaced { name: state.name.clone(), lines, span }));
    }
    for mode in right.trees.modes.iter().filter(|mode| is_wanted(&mode.name)) {
        let mut modes = left.trees.modes.iter();
        let Some(other) = modes.find(|other| other.name == mode.name) else { continue };
        let row_text = |row: &ModeRow<'_>| RowText::of(row.guard(), row.span, row.text());
        let found = of_rows(&other.rows, &mode.rows, ModeRow::meets, row_text);
        all.extend(found.map(|(lines, span)| Misplaced { name: mode.name.clone(), lines, span }));
    }
    all
}

/// Returns the span of the left row that corresponds to the right side's row at `offset`.
pub fn row_beside(left: &Index<'_>, right: &Index<'_>, offset: u32) -> Option<Span> {
    let is_at = |span: Span| (span.start..span.end).contains(&offset);
    for state in &right.states {
        if let Some(row) = state.rows.iter().find(|row| is_at(row.span)) {
            let mine = &left.states[left.find(&state.name)?].rows;
            let row_text = |row: &Row<'_>| RowText::of(row.guard, row.span, text(row));
            let texts: Vec<RowText> = mine.iter().map(row_text).collect();
            return Some(mine[position(mine, &texts, &meets, (row, &row_text(row)))?].span);
        }
    }
    for mode in &right.trees.modes {
        if let Some(row) = mode.rows.iter().find(|row| is_at(row.span)) {
            let mine = &left.trees.modes.iter().find(|other| other.name == mode.name)?.rows;
            let row_text = |row: &ModeRow<'_>| RowText::of(row.guard(), row.span, row.text());
            let texts: Vec<RowText> = mine.iter().map(row_text).collect();
            let at = position(mine, &texts, &ModeRow::meets, (row, &row_text(row)));
            return Some(mine[at?].span);
        }
    }
    None
}

/// Returns the index of the corresponding row: equal patterns and guard, else overlapping patterns with an equal guard,
/// else overlapping patterns.
fn position<R>(
    rows: &[R],
    texts: &[RowText],
    meets: &impl Fn(&R, &R) -> bool,
    (row, own): (&R, &RowText),
) -> Option<usize> {
    let met = || (0..rows.len()).filter(|&at| meets(&rows[at], row));
    let same = met().find(|&at| texts[at].guard == own.guard && texts[at].text == own.text);
    let alike = || met().find(|&at| texts[at].guard == own.guard);
    same.or_else(alike).or_else(|| met().next())
}

/// A row as text: its guard, patterns and span.
struct RowText {
    guard: String,
    text: String,
    span: Span,
}

impl RowText {
    fn of(guard: Option<&Conditions>, span: Span, text: String) -> Self {
        let guard = guard.map_or(String::new(), |guard| format!(" when {}", condition_text(guard)));
        Self { guard, text, span }
    }
}

fn of_rows<R>(
    left: &[R],
    right: &[R],
    meets: impl Fn(&R, &R) -> bool,
    row_text: impl Fn(&R) -> RowText,
) -> Option<(Vec<String>, Span)> {
    let mine: Vec<RowText> = left.iter().map(&row_text).collect();
    let mut last: Option<(usize, RowText)> = None;
    let (mut lines, mut span) = (Vec::new(), None);
    for row in right {
        let row_text = row_text(row);
        let Some(at) = position(left, &mine, &meets, (row, &row_text)) else { continue };
        match &last {
            Some((before, other)) if at < *before => {
                // The first alternative is enough to identify the row.
                let first = other.text.split(" | ").next().unwrap_or_default();
                lines.push(format!(
                    "{}{} after {first}{}",
                    row_text.text, row_text.guard, other.guard
                ));
                span.get_or_insert(row_text.span);
            }
            _ => last = Some((at, row_text)),
        }
    }
    Some((lines, span?))
}

/// Whether two rows match a common input.
fn meets(one: &Row<'_>, other: &Row<'_>) -> bool {
    let pairs = |a: &[(char, char)], b: &[(char, char)]| {
        a.iter().any(|one| b.iter().any(|two| one.0 <= two.1 && two.0 <= one.1))
    };
    let numbers =
        one.numbers.iter().any(|a| other.numbers.iter().any(|b| a.0 <= b.1 && b.0 <= a.1));
    pairs(one.characters.ranges(), other.characters.ranges())
        || numbers
        || one.words.iter().any(|word| other.words.contains(word))
}

fn text(row: &Row<'_>) -> String {
    let set = (!row.characters.ranges().is_empty()).then(|| set_text(&row.characters));
    let numbers = row.numbers.iter().map(|&(first, last)| numbers_text(first, last));
    let all = set.into_iter().chain(numbers).chain(row.words.iter().cloned());
    all.collect::<Vec<_>>().join(" | ")
}
