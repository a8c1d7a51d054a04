//! Compares the order of rows within states and modes. Rows in another order than in the document are listed, so that a
//! swap of two rows is noticed even if it changes no behavior.

use super::Index;
use super::index::ComparedRow;
use super::text;
use tabulex_language::syntax::Span;

/// The misplaced rows of a state or mode: each follows a row that comes after it on the left side.
#[derive(Debug)]
pub(super) struct MisplacedRows {
    /// The name of the state or mode.
    pub(super) name: String,
    /// One line for each misplaced row.
    pub(super) lines: Vec<String>,
    /// Span of the first misplaced row.
    pub(super) span: Span,
}

/// Returns the misplaced rows of all states and modes that both sides have.
pub(super) fn misplaced_rows(left: &Index<'_>, right: &Index<'_>) -> Vec<MisplacedRows> {
    let misplaced_in = |block: &super::NamedRows<'_>| {
        let left_rows = &left.blocks[left.find(block.name, block.is_mode)?].rows;
        let (lines, span) = misplaced_lines(left_rows, &block.rows)?;
        Some(MisplacedRows { name: block.name.to_owned(), lines, span })
    };
    right.blocks.iter().filter_map(misplaced_in).collect()
}

/// Returns the index of the row that corresponds to `row`: one with equal patterns and guard, else one with overlapping
/// patterns and an equal guard, else one with overlapping patterns, else `None`.
fn counterpart(rows: &[ComparedRow<'_>], row: &ComparedRow<'_>) -> Option<usize> {
    let overlapping = || (0..rows.len()).filter(|&at| rows[at].overlaps(row));
    let (guard, own) = (guard(row), row.text());
    let equally_guarded = || overlapping().filter(|&at| self::guard(&rows[at]) == guard);
    equally_guarded()
        .find(|&at| rows[at].text() == own)
        .or_else(|| equally_guarded().next())
        .or_else(|| overlapping().next())
}

fn guard(row: &ComparedRow<'_>) -> String {
    row.guard.map_or(String::new(), |guard| format!(" when {}", text::conditions(guard)))
}

fn misplaced_lines(
    left: &[ComparedRow<'_>],
    right: &[ComparedRow<'_>],
) -> Option<(Vec<String>, Span)> {
    let mut last: Option<(usize, &ComparedRow<'_>)> = None;
    let (mut lines, mut span) = (Vec::new(), None);
    for row in right {
        let Some(at) = counterpart(left, row) else { continue };
        match last {
            Some((before, other)) if at < before => {
                // The line identifies the other row, which precedes this one in the table, by its first pattern alone.
                let other_text = other.text();
                let first_pattern = other_text.split(" | ").next().unwrap_or_default();
                lines.push(format!(
                    "{}{} after {first_pattern}{}",
                    row.text(),
                    guard(row),
                    guard(other)
                ));
                span.get_or_insert(row.span);
            }
            _ => last = Some((at, row)),
        }
    }
    Some((lines, span?))
}
