//! What is accepted: a file beside the facts that holds, exactly, each difference that the table declares, and all that a
//! table says where its document says nothing. It decides nothing about rows without a note (`compare` does). Invariant:
//! a later change of either side, of whatever kind, is an entry that the file does not hold.
//!
//! An entry is a line with what it is about, and under it lines that begin with `-` (the document), with `+` (the table),
//! or with a word. `cargo xtask diff --accept` writes the file, and people read its diff.

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

/// Something that a document and its table do not both say.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Entry {
    /// What it is about.
    pub key: String,
    /// What each side says.
    pub lines: Vec<String>,
    /// The place in the table, if it has one.
    pub span: Option<Span>,
    /// The places of lines that have their own.
    pub places: Vec<(String, Span)>,
}

/// An entry that is not as it was accepted.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Changed {
    /// What it is about.
    pub key: String,
    /// What was accepted; empty if nothing was.
    pub before: Vec<String>,
    /// What is so now; empty if it is gone.
    pub now: Vec<String>,
    /// The place in the table, if it has one.
    pub span: Option<Span>,
}

/// The entries of a document's facts and of the table beside them, in order.
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
    // Notes of rows stand at the entries of their rows.
    let is_of_row = |one: &&Difference| one.state.is_empty() || one.input.is_empty();
    for difference in comparison.differences.iter().filter(is_of_row) {
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
        let lines = apart(key, &mine, &yours);
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

/// What a record is about; none if it is no difference that is declared.
fn key(exact: &Exact) -> Option<String> {
    let word = match (exact.is_detail, exact.notes.first()) {
        (true, _) => "details of",
        (false, Some((NoteKind::Fills, _))) => "fills",
        (false, Some((NoteKind::Deviates, _))) => "deviates",
        (false, None) => return None,
    };
    Some(format!("{word} {}: {}", exact.state, exact.input))
}

/// What begins the key of an entry about the order of rows.
const ORDER: &str = "order of rows in ";

/// Maximum number of conditions written out in full.
const FEW: usize = 3;

/// A reason by its hash: its words stand in the table.
fn because(reason: &str) -> String {
    format!("because {:08x}", fingerprint(reason))
}

fn stated(exact: &Exact) -> Vec<String> {
    let (all, hash) = (&exact.conditions, exact.cells);
    let condition = match &all[..] {
        [] => None,
        [one] => Some(format!("where {one}")),
        few if few.len() <= FEW => Some(format!("where {}, {hash:08x}", few.join(", or "))),
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

/// What the pieces of this key do not both say.
fn apart(key: &String, left: &Pieces, right: &Pieces) -> Vec<String> {
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
                // A name alone says something as well.
                let all = if all.is_empty() { vec!["declared".to_owned()] } else { all };
                lines.extend(all.iter().map(|line| signed(sign, line)));
            }
            lines
        }
    }
}

/// The lines that only one side has, each run with the line before it.
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

/// The file of these entries.
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

/// What of the entries is not as the file has it.
pub fn changed(file: &str, entries: &[Entry]) -> Vec<Changed> {
    changed_from(&read(file), entries)
}

fn changed_from(accepted: &BTreeMap<String, Vec<String>>, entries: &[Entry]) -> Vec<Changed> {
    let mut accepted = accepted.clone();
    let mut changed = Vec::new();
    for Entry { key, lines, span, places } in entries {
        let before = accepted.remove(key).unwrap_or_default();
        if before != *lines {
            // The first line that is new says where.
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

/// The entries of a file: lines by what they are about.
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
