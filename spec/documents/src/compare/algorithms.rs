//! Compares the algorithms of both sides step by step. A step that only one side has, or that the other has elsewhere,
//! is a difference, which counts as declared only if a note in the table encloses that step.

use super::{Comparison, Difference, text};
use crate::common::{matched_pairs, unmatched_ranges};
use std::ops::Range;
use tabulex_language::syntax::{AlgorithmStep, ItemBody, Note, NoteKind, Span, Table};

/// A step as a line: its nesting depth, words and span.
struct StepLine {
    depth: usize,
    words: String,
    span: Span,
}

/// An algorithm: the steps that the document should also have, and the table's declared deviations.
#[derive(Default)]
struct ComparedAlgorithm<'t> {
    name: &'t str,
    span: Span,
    lines: Vec<StepLine>,
    /// Notes, each with the indices in `lines` of the document's steps that the table omits.
    omitted: Vec<(&'t Note, Range<usize>)>,
    /// Notes, each with the steps that only the table has.
    added: Vec<(&'t Note, Vec<StepLine>)>,
}

/// Compares the algorithms of two tables, and adds the result to `comparison`.
pub(super) fn compare(left: &Table, right: &Table, comparison: &mut Comparison) {
    let (mine, yours) = (algorithms(left), algorithms(right));
    comparison.steps += mine.iter().map(|one| one.lines.len()).sum::<usize>();
    let absent = ComparedAlgorithm::default();
    let mut names: Vec<&str> = mine.iter().map(|one| one.name).collect();
    let other_names = yours.iter().map(|one| one.name);
    names.extend(other_names.filter(|&name| mine.iter().all(|one| one.name != name)));
    for name in names {
        let sides = [&mine, &yours].map(|all| all.iter().find(|one| one.name == name));
        let [one, other] = sides.map(|side| side.unwrap_or(&absent));
        let mut differences = compare_algorithm(one, other, comparison);
        if differences.is_empty() && sides.iter().any(Option::is_none) {
            // An algorithm that only one side has is a difference even if it has no steps.
            differences.push(Difference { span: Some(other.span), ..Difference::default() });
        }
        comparison.differences.extend(differences.into_iter().map(|difference| Difference {
            input: format!("algorithm {name}"),
            left_place: difference.left_place.or(sides[0].map(|one| one.span)),
            span: difference.span.filter(|_| sides[1].is_some()),
            ..difference
        }));
    }
}

fn algorithms(table: &Table) -> Vec<ComparedAlgorithm<'_>> {
    let algorithms = table.items.iter().filter_map(|item| match &item.body {
        ItemBody::Algorithm(steps) => {
            let (name, span) = (&item.name.value[..], item.name.span);
            let mut algorithm = ComparedAlgorithm { name, span, ..ComparedAlgorithm::default() };
            algorithm.add_steps(steps, 0);
            Some(algorithm)
        }
        _ => None,
    });
    algorithms.collect()
}

impl<'t> ComparedAlgorithm<'t> {
    fn add_steps(&mut self, steps: &'t [AlgorithmStep], depth: usize) {
        for step in steps {
            match step {
                AlgorithmStep::Step { words, inner } => {
                    self.lines.push(StepLine {
                        depth,
                        words: text::words(words),
                        span: words.span,
                    });
                    self.add_steps(inner, depth + 1);
                }
                AlgorithmStep::Noted { note, inner } => {
                    let first = self.lines.len();
                    self.add_steps(inner, depth);
                    if note.kind == NoteKind::Fills {
                        self.added.push((note, self.lines.split_off(first)));
                    } else {
                        self.omitted.push((note, first..self.lines.len()));
                    }
                }
            }
        }
    }

    /// Whether the algorithm has a note with the reason of `note`. If so, both sides deviate alike, which is no
    /// difference.
    fn has_note(&self, note: &Note) -> bool {
        let omitted = self.omitted.iter().map(|(note, _)| *note);
        let mut notes = omitted.chain(self.added.iter().map(|(note, _)| *note));
        notes.any(|other| other.reason == note.reason)
    }

    /// Returns the span of the line at the index `at`, or the algorithm's span if there is no such line.
    fn span(&self, at: usize) -> Span {
        self.lines.get(at).map_or(self.span, |line| line.span)
    }
}

/// Formats steps in the table language; `None` if there are none.
fn steps_text(lines: &[StepLine]) -> Option<String> {
    let words = lines.iter().map(|line| format!("{};", line.words));
    (!lines.is_empty()).then(|| words.collect::<Vec<_>>().join(" "))
}

/// Compares an algorithm of both sides, and returns the differences. Counts equal steps and stale notes in
/// `comparison`.
fn compare_algorithm(
    left: &ComparedAlgorithm<'_>,
    right: &ComparedAlgorithm<'_>,
    comparison: &mut Comparison,
) -> Vec<Difference> {
    let mut differences = Vec::new();
    let lengths = (left.lines.len(), right.lines.len());
    let pairs = matched_pairs(lengths, |a, b| {
        let (left, right) = (&left.lines[a], &right.lines[b]);
        (left.depth, &left.words) == (right.depth, &right.words)
    });
    comparison.equal_steps += pairs.len();
    for [left_lines, right_lines] in unmatched_ranges(lengths, &pairs) {
        differences.push(Difference {
            left_steps: left_lines.len(),
            left_place: (!left_lines.is_empty()).then(|| left.span(left_lines.start)),
            span: Some(right.span(right_lines.start)),
            left: steps_text(&left.lines[left_lines]),
            right: steps_text(&right.lines[right_lines]),
            ..Difference::default()
        });
    }
    let noted = |note: &Note| Difference {
        span: Some(note.span),
        notes: vec![(note.kind, note.reason.clone())],
        ..Difference::default()
    };
    for &(note, ref lines) in right.omitted.iter().filter(|(note, _)| !left.has_note(note)) {
        let matched_indices: Vec<usize> =
            pairs.iter().filter(|(_, to)| lines.contains(to)).map(|&(at, _)| at).collect();
        comparison.equal_steps -= matched_indices.len();
        match matched_indices.first() {
            Some(&first_index) => differences.push(Difference {
                left_steps: matched_indices.len(),
                left_place: Some(left.span(first_index)),
                left: steps_text(&right.lines[lines.clone()]),
                ..noted(note)
            }),
            None => {
                let name = format!("algorithm {}", right.name);
                comparison.stale.push((name, note.span, note.reason.clone()));
            }
        }
    }
    for &(note, ref lines) in right.added.iter().filter(|(note, _)| !left.has_note(note)) {
        differences.push(Difference { right: steps_text(lines), ..noted(note) });
    }
    differences
}
