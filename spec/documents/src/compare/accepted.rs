//! Records accepted differences in a file next to the facts: each declared difference, and each statement of a table on
//! which its document is silent. A later change of either side then shows up as a changed entry. Undeclared differences
//! of rows are not recorded.
//!
//! An entry is a line with its subject, followed by indented lines that begin with `-` (the document), `+` (the table),
//! or a word. `cargo xtask diff --accept` writes the file, so that people can review its diff.

use super::order::{MisplacedRows, misplaced_rows};
use super::pieces::{FileReader, Piece};
use super::{Comparison, Difference, Index};
use crate::common::{matched_pairs, unmatched_ranges};
use crate::document::fingerprint;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use tabulex_language::syntax::Span;

/// A difference between a document and its table, as recorded in the file.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Entry {
    /// Subject of the entry, which identifies it in the file.
    pub key: String,
    /// Lines that begin with `-` (the document), with `+` (the table), or with a word such as `where` or `after`.
    pub lines: Vec<String>,
    /// Span in the table, if there is one.
    pub span: Option<Span>,
    /// Individual lines, each with its span in the table.
    pub places: Vec<(String, Span)>,
}

/// An entry that differs from its accepted form.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ChangedEntry {
    /// Subject of the entry, which identifies it in the file.
    pub key: String,
    /// Accepted lines; empty if the entry is new.
    pub before: Vec<String>,
    /// Current lines; empty if the entry was removed.
    pub now: Vec<String>,
    /// Span in the table, if there is one.
    pub span: Option<Span>,
}

/// Returns the entries for a document's facts (`left`) and its table (`right`), ordered by key.
pub fn entries(
    left: &Index<'_>,
    right: &Index<'_>,
    comparison: &Comparison,
    read_file: FileReader<'_>,
) -> Vec<Entry> {
    let mut entries: BTreeMap<String, Entry> = BTreeMap::new();
    let mut add = |key: String, lines: Vec<String>, span: Option<Span>| {
        let new_entry = || Entry { key: key.clone(), span, ..Entry::default() };
        entries.entry(key.clone()).or_insert_with(new_entry).lines.extend(lines);
    };
    for Entry { key, lines, span, .. } in comparison.row_entries.iter().cloned() {
        add(key, lines, span);
    }
    for MisplacedRows { name, lines, span } in misplaced_rows(left, right) {
        add(format!("order of rows in {name}"), lines, Some(span));
    }
    // The entries of rows already include the notes of these rows, so only other notes are added here.
    let is_outside_rows = |one: &&Difference| one.state.is_empty() || one.input.is_empty();
    for difference in comparison.differences.iter().filter(is_outside_rows) {
        let effect = difference.right.as_ref().or(difference.left.as_ref());
        let effect = effect.map_or("", |words| words);
        let subject = [&difference.state[..], &difference.input].concat();
        for (kind, reason) in &difference.notes {
            let verb = kind.keyword();
            let line = format!("{verb} {subject}: {effect}, {}", reason_hash(reason));
            add("notes".to_owned(), vec![line], difference.span);
        }
    }
    let (mine, yours) = (&left.pieces.all, &right.pieces.all);
    for key in mine.keys().chain(yours.keys()).collect::<BTreeSet<_>>() {
        let lines = difference_lines(mine.get(key), yours.get(key));
        if !lines.is_empty() {
            add(key.clone(), lines, yours.get(key).map(|piece| piece.span));
        }
    }
    // A file of references belongs to the table, so each of its lines counts as one that only the table has.
    for (key, lines, span) in right.pieces.reference_lines(read_file) {
        add(key, lines.iter().map(|line| format!("+ {line}")).collect(), Some(span));
    }
    for (key, piece) in yours.iter().filter(|(_, piece)| !piece.line_spans.is_empty()) {
        let places = piece.line_spans.iter().map(|(line, span)| (format!("+ {line}"), *span));
        entries.entry(key.clone()).and_modify(|entry| entry.places = places.collect());
    }
    entries.into_values().collect()
}

/// Formats the reason of a note as a hash; the text itself is in the table.
pub(super) fn reason_hash(reason: &str) -> String {
    format!("because {:08x}", fingerprint(reason))
}

/// Returns the lines in which the two sides of a declaration differ.
fn difference_lines(mine: Option<&Piece<'_>>, yours: Option<&Piece<'_>>) -> Vec<String> {
    let sorted = |piece: &Piece<'_>| {
        let mut lines = piece.lines.clone();
        if !piece.is_ordered {
            lines.sort();
        }
        lines
    };
    let signed = |sign: char, lines: Vec<String>| {
        lines.into_iter().map(move |line| format!("{sign} {line}"))
    };
    match (mine, yours) {
        (Some(mine), Some(yours)) => {
            let mut lines = if mine.is_ordered || yours.is_ordered {
                interleave(&mine.lines, &yours.lines)
            } else {
                let lines = |one: &Piece<'_>, other: &Piece<'_>| {
                    sorted(one).into_iter().filter(|line| !other.lines.contains(line)).collect()
                };
                signed('-', lines(mine, yours)).chain(signed('+', lines(yours, mine))).collect()
            };
            // If the document mentions a state without describing it, the table's rows have no counterparts, so all of
            // them are listed.
            if mine.compared.is_empty() {
                lines.extend(signed('+', yours.compared.clone()));
            }
            lines
        }
        (mine, yours) => {
            let sign = if mine.is_some() { '-' } else { '+' };
            let mut lines = Vec::new();
            for piece in mine.into_iter().chain(yours) {
                lines.extend(sorted(piece).into_iter().chain(piece.compared.clone()));
                // A declaration without lines still needs one, so that its entry is recorded.
                if lines.is_empty() {
                    lines.push("declared".to_owned());
                }
            }
            signed(sign, lines).collect()
        }
    }
}

/// Returns the lines that only one side has. Each group of them follows a line that names the common line before the
/// group, if there is one.
fn interleave(left: &[String], right: &[String]) -> Vec<String> {
    let (lengths, mut lines) = ((left.len(), right.len()), Vec::new());
    for [mine, yours] in
        unmatched_ranges(lengths, &matched_pairs(lengths, |at, to| left[at] == right[to]))
    {
        if let Some(before) = mine.start.checked_sub(1).and_then(|before| left.get(before)) {
            let occurrence = left[..mine.start].iter().filter(|line| *line == before).count();
            let occurrence =
                if occurrence > 1 { format!(" ({occurrence})") } else { String::new() };
            lines.push(format!("after {}{occurrence}", before.trim_start()));
        }
        lines.extend(left[mine].iter().map(|line| format!("- {line}")));
        lines.extend(right[yours].iter().map(|line| format!("+ {line}")));
    }
    lines
}

/// Formats entries as the text of an accepted file.
pub fn write(dialect: &str, entries: &[Entry]) -> String {
    let mut text = format!(
        "// Differences accepted by `cargo xtask diff {dialect} --accept`: those that the table declares, and statements on which its\n\
         // document is silent. `-` marks the document, `+` the table. A later change of either side is reported.\n"
    );
    for Entry { key, lines, .. } in entries {
        let _ = writeln!(text, "\n{key}");
        for line in lines {
            let _ = writeln!(text, "    {line}");
        }
    }
    text
}

/// Returns the entries that are new, changed or removed in comparison with the text `file` of an accepted file.
pub fn changed_entries(file: &str, entries: &[Entry]) -> Vec<ChangedEntry> {
    let (mut accepted, mut changed) = (read(file), Vec::new());
    for Entry { key, lines, span, places } in entries {
        let before = accepted.remove(key).unwrap_or_default();
        if before != *lines {
            // The span of the first new line is more precise than that of the whole declaration.
            let is_new =
                |(line, _): &&(String, Span)| lines.contains(line) && !before.contains(line);
            let line_span = places.iter().find(is_new).map(|(_, span)| *span);
            let (key, now, span) = (key.clone(), lines.clone(), line_span.or(*span));
            changed.push(ChangedEntry { key, before, now, span });
        }
    }
    let removed = |(key, before)| ChangedEntry { key, before, ..ChangedEntry::default() };
    changed.extend(accepted.into_iter().map(removed));
    changed
}

/// Whether the comparison of a document's facts (`left`) with a table (`right`) has an undeclared or stale difference,
/// or one that is not as in the text `file` of an accepted file.
pub fn reports(
    left: &Index<'_>,
    right: &Index<'_>,
    comparison: &Comparison,
    file: &str,
    read_file: FileReader<'_>,
) -> bool {
    comparison.undeclared().next().is_some()
        || !comparison.stale.is_empty()
        || !changed_entries(file, &entries(left, right, comparison, read_file)).is_empty()
}

/// Parses an accepted file, and returns the lines of each entry by key.
fn read(file: &str) -> BTreeMap<String, Vec<String>> {
    let mut entries: BTreeMap<String, Vec<String>> = BTreeMap::new();
    let mut key = String::new();
    for line in file.lines().filter(|line| !line.is_empty() && !line.starts_with("//")) {
        match line.strip_prefix("    ") {
            Some(entry_line) => entries.entry(key.clone()).or_default().push(entry_line.to_owned()),
            None => {
                line.clone_into(&mut key);
                entries.entry(key.clone()).or_default();
            }
        }
    }
    entries
}
