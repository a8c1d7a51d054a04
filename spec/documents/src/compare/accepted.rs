//! The record of accepted differences: each declared difference, and each statement of a table on which its document is
//! silent, held exactly in a file next to the facts, so that a later change of either side shows up as an unaccepted
//! entry. Rows without a note are left to `compare`.
//!
//! An entry is a line that names its subject, followed by indented lines that begin with `-` (the document), `+` (the
//! table), or a word. `cargo xtask diff --accept` writes the file, and people read its diff.

mod watch;

pub use watch::Watch;

use super::order::{Misplaced, misplaced};
use super::pieces::{Beside, Piece, Pieces, pieces, pieces_of_facts};
use super::{Comparison, Difference, Exact, Index};
use crate::common::common;
use crate::document::fingerprint;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use tabulex_language::syntax::{NoteKind, Span};

/// A statement that a document and its table do not share.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Entry {
    /// Subject of the entry.
    pub key: String,
    /// Lines that begin with `-` (the document) or `+` (the table), or with a word.
    pub lines: Vec<String>,
    /// Span in the table, if there is one.
    pub span: Option<Span>,
    /// Spans of individual lines.
    pub places: Vec<(String, Span)>,
}

/// An entry that differs from its accepted form.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Changed {
    /// Subject of the entry.
    pub key: String,
    /// Accepted lines; empty if the entry is new.
    pub before: Vec<String>,
    /// Current lines; empty if the entry is gone.
    pub now: Vec<String>,
    /// Span in the table, if there is one.
    pub span: Option<Span>,
}

/// Returns the entries for a document's facts and the table written from it, ordered by key.
pub fn entries(
    left: &Index<'_>,
    right: &Index<'_>,
    comparison: &Comparison,
    beside: Beside<'_>,
) -> Vec<Entry> {
    let mut all: BTreeMap<String, Entry> = BTreeMap::new();
    let mut add = |key: String, lines: Vec<String>, span: Option<Span>| {
        let fresh = || Entry { key: key.clone(), lines: Vec::new(), span, places: Vec::new() };
        all.entry(key.clone()).or_insert_with(fresh).lines.extend(lines);
    };
    for exact in &comparison.exact {
        if let Some(key) = key(exact) {
            add(key, stated(exact), exact.span);
        }
    }
    // Notes of rows belong to the entries of their rows.
    let belongs_to_row = |one: &&Difference| one.state.is_empty() || one.input.is_empty();
    for difference in comparison.differences.iter().filter(belongs_to_row) {
        let about = difference.right.as_ref().or(difference.left.as_ref());
        let about = about.map_or("", |words| words);
        let place = [&difference.state[..], &difference.input].concat();
        for (kind, reason) in &difference.notes {
            let word = if *kind == NoteKind::Fills { "fills" } else { "deviates" };
            let line = format!("{word} {place}: {about}, {}", because(reason));
            add("notes".to_owned(), vec![line], difference.span);
        }
    }
    for Misplaced { name, lines, span } in misplaced(left, right, &|_| true) {
        add(format!("{ORDER}{name}"), lines, Some(span));
    }
    let (mine, yours) = (pieces_of_facts(left.table), pieces(right.table, beside));
    let keys: BTreeSet<&String> = mine.all.keys().chain(yours.all.keys()).collect();
    for key in keys {
        let lines = difference(key, &mine, &yours);
        if !lines.is_empty() {
            add(key.clone(), lines, yours.all.get(key).map(|piece| piece.span));
        }
    }
    for (key, piece) in yours.all.into_iter().filter(|(_, piece)| !piece.places.is_empty()) {
        let places = piece.places.into_iter().map(|(line, span)| (format!("+ {line}"), span));
        all.entry(key).and_modify(|entry| entry.places = places.collect());
    }
    all.into_values().collect()
}

/// Returns the key of a record, or `None` if it is not a declared difference.
fn key(exact: &Exact) -> Option<String> {
    let word = match (exact.is_detail, exact.notes.first()) {
        (true, _) => "details of",
        (false, Some((NoteKind::Fills, _))) => "fills",
        (false, Some((NoteKind::Deviates, _))) => "deviates",
        (false, None) => return None,
    };
    Some(format!("{word} {}: {}", exact.state, exact.input))
}

/// Prefix of keys for entries about row order.
const ORDER: &str = "order of rows in ";

/// Maximum number of conditions written out in full.
const MAX_LISTED: usize = 3;

/// Returns a reason as its hash, since its text stands in the table.
fn because(reason: &str) -> String {
    format!("because {:08x}", fingerprint(reason))
}

fn stated(exact: &Exact) -> Vec<String> {
    let (all, hash) = (&exact.conditions, exact.cells);
    let condition = match &all[..] {
        [] => None,
        [one] => Some(format!("where {one}")),
        few if few.len() <= MAX_LISTED => Some(format!("where {}, {hash:08x}", few.join(", or "))),
        [first, rest @ ..] => {
            Some(format!("where {first}, and {} other conditions, {hash:08x}", rest.len()))
        }
    };
    let reasons = exact.notes.iter().filter(|_| !exact.is_detail);
    let reasons = reasons.map(|(_, reason)| because(reason));
    let side = |sign: char, does: &Option<String>| {
        let does = does.as_ref().filter(|_| !exact.is_detail || does.as_deref() != Some(""));
        does.map(|does| format!("{sign} {does}"))
    };
    let sides = side('-', &exact.left).into_iter().chain(side('+', &exact.right));
    condition.into_iter().chain(sides).chain(reasons).collect()
}

/// Returns the lines of one key in which the two sides differ.
fn difference(key: &String, left: &Pieces, right: &Pieces) -> Vec<String> {
    let (mine, yours) = (left.all.get(key), right.all.get(key));
    let signed = |sign: char, line: &String| format!("{sign} {line}");
    match (mine, yours) {
        (Some(mine), Some(yours)) if mine.is_ordered || yours.is_ordered => {
            in_order(&mine.lines, &yours.lines)
        }
        (Some(mine), Some(yours)) => {
            let lines = |one: &Piece, other: &Piece, sign: char| {
                let mut lines: Vec<String> = one.lines.clone();
                lines.sort();
                lines.retain(|line| !other.lines.contains(line));
                lines.iter().map(|line| signed(sign, line)).collect::<Vec<_>>()
            };
            [lines(mine, yours, '-'), lines(yours, mine, '+')].concat()
        }
        (None, None) => Vec::new(),
        (mine, yours) => {
            let sign = if mine.is_some() { '-' } else { '+' };
            let mut lines = Vec::new();
            for piece in mine.into_iter().chain(yours) {
                let mut own = piece.lines.clone();
                if !piece.is_ordered {
                    own.sort();
                }
                let all: Vec<String> = own.into_iter().chain(piece.compared.clone()).collect();
                // A declaration without lines still says that the name is declared.
                let all = if all.is_empty() { vec!["declared".to_owned()] } else { all };
                lines.extend(all.iter().map(|line| signed(sign, line)));
            }
            lines
        }
    }
}

/// Returns the lines that only one side has, each run after the line that precedes it.
fn in_order(left: &[String], right: &[String]) -> Vec<String> {
    let (mut at, mut to, mut lines) = (0, 0, Vec::new());
    let pairs = common((left.len(), right.len()), |at, to| left[at] == right[to]);
    for (next, other) in pairs.into_iter().chain([(left.len(), right.len())]) {
        if at < next || to < other {
            if let Some(before) = at.checked_sub(1).and_then(|before| left.get(before)) {
                let times = left[..at].iter().filter(|line| *line == before).count();
                let times = if times > 1 { format!(" ({times})") } else { String::new() };
                lines.push(format!("after {}{times}", before.trim_start()));
            }
            lines.extend(left[at..next].iter().map(|line| format!("- {line}")));
            lines.extend(right[to..other].iter().map(|line| format!("+ {line}")));
        }
        (at, to) = (next + 1, other + 1);
    }
    lines
}

/// Formats entries as the text of an accepted file.
pub fn write(dialect: &str, entries: &[Entry]) -> String {
    let mut text = format!(
        "// What `cargo xtask diff {dialect} --accept` has taken over: differences that the table declares, and what it\n\
         // says where its document says nothing. `-` is the document, `+` the table. A change of either side is reported.\n"
    );
    for Entry { key, lines, .. } in entries {
        let _ = writeln!(text, "\n{key}");
        for line in lines {
            let _ = writeln!(text, "    {line}");
        }
    }
    text
}

/// Returns the entries that differ from `file`, in either direction.
pub fn changed(file: &str, entries: &[Entry]) -> Vec<Changed> {
    changed_from(&read(file), entries)
}

fn changed_from(accepted: &BTreeMap<String, Vec<String>>, entries: &[Entry]) -> Vec<Changed> {
    let mut accepted = accepted.clone();
    let mut changed = Vec::new();
    for Entry { key, lines, span, places } in entries {
        let before = accepted.remove(key).unwrap_or_default();
        if before != *lines {
            // Prefer the span of the first new line.
            let is_new =
                |(line, _): &&(String, Span)| lines.contains(line) && !before.contains(line);
            let place = places.iter().find(is_new).map(|(_, span)| *span);
            let (key, now, span) = (key.clone(), lines.clone(), place.or(*span));
            changed.push(Changed { key, before, now, span });
        }
    }
    let gone = accepted.into_iter();
    changed.extend(gone.map(|(key, before)| Changed { key, before, now: Vec::new(), span: None }));
    changed
}

/// Parses an accepted file into lines by key.
fn read(file: &str) -> BTreeMap<String, Vec<String>> {
    let mut all: BTreeMap<String, Vec<String>> = BTreeMap::new();
    let mut last = String::new();
    for line in file.lines().filter(|line| !line.is_empty() && !line.starts_with("//")) {
        match line.strip_prefix("    ") {
            Some(said) => all.entry(last.clone()).or_default().push(said.to_owned()),
            None => {
                line.clone_into(&mut last);
                all.entry(last.clone()).or_default();
            }
        }
    }
    all
}
