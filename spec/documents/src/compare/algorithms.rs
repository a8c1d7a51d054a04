//! Compares the algorithms that the runtime supplies, step by step. A step that only one side has, or has elsewhere, is
//! a difference, which is declared only if a note in the table covers that very step.

use super::{Comparison, Difference, text};
use crate::common::common;
use std::ops::Range;
use tabulex_language::syntax::{AlgorithmStep, Item, Note, NoteKind, Span, Table, TreeItem};

/// A step as a line: its nesting depth and its words.
struct Line {
    depth: usize,
    words: String,
    span: Span,
}

/// An algorithm: its steps as the document should have them, and the table's deviations from the document.
struct Algorithm<'t> {
    name: &'t str,
    span: Span,
    lines: Vec<Line>,
    /// Notes, each with the document's steps that the table omits.
    left_out: Vec<(&'t Note, Range<usize>)>,
    /// Notes, each with the steps that the table adds.
    added: Vec<(&'t Note, Vec<Line>)>,
}

/// Compares the algorithms of two tables.
pub(super) fn compare(left: &Table, right: &Table, comparison: &mut Comparison) {
    let (mine, yours) = (algorithms(left), algorithms(right));
    for one in &mine {
        comparison.steps += one.lines.len();
        match yours.iter().find(|other| other.name == one.name) {
            Some(other) => both(one, other, comparison),
            None => {
                let stated = stated(&one.lines);
                comparison.differences.push(difference(one.name, (stated, one.span), None, None));
            }
        }
    }
    for other in yours.iter().filter(|other| mine.iter().all(|one| one.name != other.name)) {
        for (note, lines) in &other.added {
            let yours = Some((stated(lines), note.span));
            let found = difference(other.name, (None, other.span), yours, Some(note));
            comparison.differences.push(found);
        }
        if other.added.is_empty() || !other.lines.is_empty() {
            let right = Some((stated(&other.lines), other.span));
            comparison.differences.push(difference(other.name, (None, other.span), right, None));
        }
    }
}

fn algorithms(table: &Table) -> Vec<Algorithm<'_>> {
    let of = |item| match item {
        &Item::Tree(TreeItem::Algorithm { ref name, ref steps, .. }) => {
            let (span, name) = (name.span, &name.value[..]);
            let (lines, left_out, added) = (Vec::new(), Vec::new(), Vec::new());
            let mut algorithm = Algorithm { name, span, lines, left_out, added };
            algorithm.gather(steps, 0);
            Some(algorithm)
        }
        _ => None,
    };
    table.items.iter().filter_map(of).collect()
}

impl<'t> Algorithm<'t> {
    fn notes(&self) -> impl Iterator<Item = &'t Note> {
        let left_out = self.left_out.iter().map(|(note, _)| *note);
        left_out.chain(self.added.iter().map(|(note, _)| *note))
    }

    fn gather(&mut self, steps: &'t [AlgorithmStep], depth: usize) {
        for step in steps {
            match step {
                AlgorithmStep::Step { words, inner } => {
                    self.lines.push(Line { depth, words: text::words(words), span: words.span });
                    self.gather(inner, depth + 1);
                }
                AlgorithmStep::Apart { note, inner } => {
                    let from = self.lines.len();
                    self.gather(inner, depth);
                    if note.kind == NoteKind::Fills {
                        self.added.push((note, self.lines.split_off(from)));
                    } else {
                        self.left_out.push((note, from..self.lines.len()));
                    }
                }
            }
        }
    }
}

/// Returns the steps as text, or `None` if there are none.
fn stated(lines: &[Line]) -> Option<String> {
    let words = lines.iter().map(|line| format!("{};", line.words));
    (!lines.is_empty()).then(|| words.collect::<Vec<_>>().join(" "))
}

fn difference(
    name: &str,
    (left, left_place): (Option<String>, Span),
    right: Option<(Option<String>, Span)>,
    note: Option<&Note>,
) -> Difference {
    let (right, span) = right.map_or((None, None), |(right, span)| (right, Some(span)));
    Difference {
        state: String::new(),
        input: format!("algorithm {name}"),
        condition: String::new(),
        left_place: left.is_some().then_some(left_place),
        left,
        right,
        left_row: None,
        right_row: None,
        span,
        notes: note.map(|note| (note.kind, note.reason.clone())).into_iter().collect(),
    }
}

/// Compares an algorithm that both sides have.
fn both(one: &Algorithm<'_>, other: &Algorithm<'_>, comparison: &mut Comparison) {
    let same = |a: usize, b: usize| {
        let (one, other) = (&one.lines[a], &other.lines[b]);
        (one.depth, &one.words) == (other.depth, &other.words)
    };
    let pairs = common((one.lines.len(), other.lines.len()), same);
    comparison.equal_steps += pairs.len();
    let ends = pairs.iter().copied().chain([(one.lines.len(), other.lines.len())]);
    let span = |algorithm: &Algorithm<'_>, at: usize| {
        algorithm.lines.get(at).map_or(algorithm.span, |line| line.span)
    };
    let (mut left, mut right) = (0, 0);
    for (at, to) in ends {
        if left < at || right < to {
            let mine = (stated(&one.lines[left..at]), span(one, left));
            let yours = Some((stated(&other.lines[right..to]), span(other, right)));
            comparison.differences.push(difference(one.name, mine, yours, None));
        }
        (left, right) = (at + 1, to + 1);
    }
    // Steps that both sides omit, or add, are not a difference.
    let mine: Vec<&str> = one.notes().map(|note| &note.reason[..]).collect();
    let is_new = |note: &Note| !mine.contains(&&note.reason[..]);
    for (note, lines) in other.left_out.iter().filter(|(note, _)| is_new(note)) {
        let found: Vec<usize> =
            pairs.iter().filter(|(_, to)| lines.contains(to)).map(|&(at, _)| at).collect();
        match found.first() {
            Some(&first) => {
                comparison.equal_steps -= found.len();
                let mine = (stated(&other.lines[lines.clone()]), span(one, first));
                let yours = Some((None, note.span));
                comparison.differences.push(difference(one.name, mine, yours, Some(note)));
            }
            None => {
                let name = format!("algorithm {}", other.name);
                comparison.stale.push((name, note.span, note.reason.clone()));
            }
        }
    }
    for (note, lines) in other.added.iter().filter(|(note, _)| is_new(note)) {
        let yours = Some((stated(lines), note.span));
        comparison.differences.push(difference(one.name, (None, one.span), yours, Some(note)));
    }
}
