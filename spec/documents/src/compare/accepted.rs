//! What is accepted: a file beside the facts that holds, exactly, each difference that the table declares, and all that a
//! table says where its document says nothing. It decides nothing about rows without a note (`compare` does). Invariant:
//! a later change of either side, of whatever kind, is an entry that the file does not hold.
//!
//! An entry is a line with what it is about, and under it lines that begin with `-` (the document), with `+` (the table),
//! or with a word. `cargo xtask diff --accept` writes the file, and people read its diff.

mod watch;

pub use watch::Watch;

use super::pieces::{Beside, Piece, Pieces, pieces, pieces_of_facts};
use super::{Comparison, Exact, Index};
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
        let fresh = || Entry { key: key.clone(), lines: Vec::new(), span };
        all.entry(key.clone()).or_insert_with(fresh).lines.extend(lines);
    };
    for exact in &comparison.exact {
        if let Some(key) = key(exact) {
            add(key, stated(exact), exact.span);
        }
    }
    // What notes at declarations are, which rows say by their own entries.
    for difference in comparison.differences.iter().filter(|difference| difference.state.is_empty())
    {
        let about = difference.right.as_ref().or(difference.left.as_ref());
        for (kind, _) in &difference.notes {
            let word = if *kind == NoteKind::Fills { "fills" } else { "deviates" };
            let about = about.map_or("", |words| words);
            add("notes".to_owned(), vec![format!("{word} {}: {about}", difference.input)], None);
        }
    }
    let (mine, yours) = (pieces_of_facts(left.table), pieces(right.table, beside));
    let keys: BTreeSet<&String> = mine.all.keys().chain(yours.all.keys()).collect();
    for key in keys {
        let lines = apart(key, &mine, &yours);
        if !lines.is_empty() {
            add(key.clone(), lines, yours.all.get(key).map(|piece| piece.span));
        }
    }
    all.into_values().collect()
}

/// What a record is about; none if it is no difference that is declared.
fn key(exact: &Exact) -> Option<String> {
    let word = match (exact.is_detail, exact.notes.first()) {
        (true, _) => "details of",
        (false, Some(NoteKind::Fills)) => "fills",
        (false, Some(NoteKind::Deviates)) => "deviates",
        (false, None) => return None,
    };
    Some(format!("{word} {}: {}", exact.state, exact.input))
}

fn stated(exact: &Exact) -> Vec<String> {
    let (count, hash) = exact.cells;
    let condition = &exact.condition;
    let condition = (!condition.is_empty()).then(|| match count {
        1 => format!("where {condition}"),
        _ => format!("where {condition}, and {} other conditions, {hash:08x}", count - 1),
    });
    let side = |sign: char, does: &Option<String>| {
        let does = does.as_ref().filter(|_| !exact.is_detail || does.as_deref() != Some(""));
        does.map(|does| format!("{sign} {does}"))
    };
    condition.into_iter().chain(side('-', &exact.left)).chain(side('+', &exact.right)).collect()
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
    let pairs = common(left, right);
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

/// The lines that both have in the same order, by their indices: the most of them.
fn common(left: &[String], right: &[String]) -> Vec<(usize, usize)> {
    let width = right.len() + 1;
    let mut most = vec![0usize; (left.len() + 1) * width];
    for at in (0..left.len()).rev() {
        for to in (0..right.len()).rev() {
            most[at * width + to] = if left[at] == right[to] {
                most[(at + 1) * width + to + 1] + 1
            } else {
                most[(at + 1) * width + to].max(most[at * width + to + 1])
            };
        }
    }
    let (mut at, mut to, mut pairs) = (0, 0, Vec::new());
    while at < left.len() && to < right.len() {
        if left[at] == right[to] {
            pairs.push((at, to));
            (at, to) = (at + 1, to + 1);
        } else if most[(at + 1) * width + to] >= most[at * width + to + 1] {
            at += 1;
        } else {
            to += 1;
        }
    }
    pairs
}

/// The file of these entries.
pub fn write(dialect: &str, entries: &[Entry]) -> String {
    let mut text = format!(
        "// What `cargo xtask diff {dialect} --accept` has taken over: differences that the table declares, and what it\n\
         // says where its document says nothing. `-` is the document, `+` the table. A change of either side is reported.\n"
    );
    for Entry { key, lines, span: _ } in entries {
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
    for Entry { key, lines, span } in entries {
        let before = accepted.remove(key).unwrap_or_default();
        if before != *lines {
            let (key, now, span) = (key.clone(), lines.clone(), *span);
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
