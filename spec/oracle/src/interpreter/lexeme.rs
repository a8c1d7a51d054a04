//! Matches lexemes by following all paths through their expressions in parallel. The code is independent of the
//! compiler's automaton, so that the two can be compared. Matches are never empty.

use super::input::Input;
use super::token::Span;
use std::collections::HashSet;
use tabulex_language::model::{CharacterSet, Lexeme, LexemeExpression};

/// The part of a lexeme to which a character belongs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum LexemePart {
    /// The part of the lexeme outside captures and look-ahead.
    Lexeme,
    /// The capture with this index.
    Data(u8),
    /// The look-ahead, which is not part of the match.
    Ahead,
}

/// A match of a lexeme.
#[derive(Clone, Debug)]
pub(super) struct Match {
    /// Range of the match, without look-ahead.
    pub(super) span: Span,
    /// Ranges of the captures. A capture without characters has an empty range at the end of the match.
    pub(super) captures: Vec<Span>,
}

/// A path through an expression: the position of the next character, the end of the match, and the captures so far.
#[derive(Clone)]
struct Path {
    at: usize,
    end: usize,
    captures: Vec<Option<Span>>,
}

/// Returns the longest match of a lexeme at a position, or `None` if there is none.
pub(super) fn longest(lexeme: &Lexeme, input: &Input<'_>, position: usize) -> Option<Match> {
    let captures = vec![None; usize::from(lexeme.data)];
    let start = Path { at: position, end: position, captures };
    let mut paths = follow(&lexeme.expression, LexemePart::Lexeme, vec![start], input);
    if let Some(ahead) = &lexeme.ahead {
        paths = follow(ahead, LexemePart::Ahead, paths, input);
    }
    let non_empty = paths.into_iter().filter(|path| path.at > position);
    let Path { end, captures, .. } = non_empty.max_by_key(|path| path.end)?;
    let captures = captures.into_iter().map(|span| span.unwrap_or(Span::at(end))).collect();
    Some(Match { span: Span { start: position, end }, captures })
}

/// Continues the paths through an expression whose characters belong to `part`. Of paths with equal positions, only the
/// first continues, as the checks reject lexemes with ambiguous captures.
fn follow(
    expression: &LexemeExpression,
    part: LexemePart,
    mut paths: Vec<Path>,
    input: &Input<'_>,
) -> Vec<Path> {
    match expression {
        LexemeExpression::Characters(set) => {
            paths.into_iter().filter_map(|path| path.read(set, part, input)).collect()
        }
        LexemeExpression::Sequence(parts) => {
            parts.iter().fold(paths, |paths, inner| follow(inner, part, paths, input))
        }
        LexemeExpression::Alternatives(parts) => {
            let mut visited = HashSet::new();
            let mut all: Vec<Path> =
                parts.iter().flat_map(|inner| follow(inner, part, paths.clone(), input)).collect();
            all.retain(|path| visited.insert((path.at, path.end)));
            all
        }
        LexemeExpression::Repeated { inner, at_least_once, many } => {
            let mut all = if *at_least_once { Vec::new() } else { paths.clone() };
            let mut visited: HashSet<_> = all.iter().map(|path| (path.at, path.end)).collect();
            while !paths.is_empty() {
                paths = follow(inner, part, paths, input);
                paths.retain(|path| visited.insert((path.at, path.end)));
                all.extend(paths.iter().cloned());
                if !many {
                    break;
                }
            }
            all
        }
        LexemeExpression::Data(index, inner) => {
            follow(inner, LexemePart::Data(*index), paths, input)
        }
    }
}

impl Path {
    /// Reads the next character; returns `None` if it is not in the set.
    fn read(mut self, set: &CharacterSet, part: LexemePart, input: &Input<'_>) -> Option<Self> {
        let (_, span) = input.next(self.at).filter(|(character, _)| set.contains(*character))?;
        self.at = span.end;
        if let LexemePart::Data(index) = part {
            let capture = &mut self.captures[usize::from(index)];
            let start = capture.map_or(span.start, |capture| capture.start);
            *capture = Some(Span { start, end: span.end });
        }
        if part != LexemePart::Ahead {
            self.end = span.end;
        }
        Some(self)
    }
}
