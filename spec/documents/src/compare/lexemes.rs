//! Decides whether two lexical tokens are equivalent, that is, whether their regular expressions match equal texts with
//! equal captures and look-ahead, however written. Each expression becomes a position automaton, and both automata are
//! explored in lockstep.

use std::collections::{BTreeMap, BTreeSet};
use tabulex_language::syntax::{Item, LexemeExpression, Spanned, Table};

// Markers are letters above all code points.
/// Marker of the start of a capture.
const DATA_BEGINS: u32 = 0x11_0000;
/// Marker of the end of a capture.
const DATA_ENDS: u32 = 0x11_0001;
/// Marker of the start of the look-ahead.
const AHEAD: u32 = 0x11_0002;

/// Maximum number of explored pairs of automaton states; beyond this, the expressions count as different.
const MAX_PAIRS: usize = 20_000;

/// Maximum nesting depth of named expressions.
const MAX_DEPTH: usize = 64;

/// The lexical tokens of one side, each with its expression and look-ahead.
type Lexemes<'t> =
    BTreeMap<&'t str, (&'t Spanned<LexemeExpression>, Option<&'t Spanned<LexemeExpression>>)>;

/// Whether the lexical tokens with this name are equivalent on both sides.
pub(super) fn are_equal(name: &str, left: &Table, right: &Table) -> bool {
    are_equivalent(&automaton(name, &lexemes(left)), &automaton(name, &lexemes(right)))
}

fn lexemes<'t>(table: &'t Table) -> Lexemes<'t> {
    let of_item = |item: &'t Item| match item {
        Item::Lexeme { name, expression, ahead, .. } => {
            Some((&name.value[..], (expression, ahead.as_ref())))
        }
        _ => None,
    };
    table.items.iter().filter_map(of_item).collect()
}

/// A position automaton (Glushkov's construction).
#[derive(Default)]
struct Automaton {
    /// Range of letters at each position.
    letters: Vec<(u32, u32)>,
    /// Positions that may follow each position.
    follow: Vec<BTreeSet<usize>>,
    ends: Positions,
}

/// The first and last positions of an expression.
#[derive(Clone, Default)]
struct Positions {
    first: BTreeSet<usize>,
    last: BTreeSet<usize>,
    can_be_empty: bool,
}

/// State of an automaton: the possible positions of the last letter, or `None` before the first letter.
type AutomatonState = Option<BTreeSet<usize>>;

fn automaton(name: &str, lexemes: &Lexemes<'_>) -> Automaton {
    let mut automaton = Automaton::default();
    automaton.ends = automaton.add_named(name, lexemes, 0);
    automaton
}

impl Automaton {
    fn add_named(&mut self, name: &str, lexemes: &Lexemes<'_>, depth: usize) -> Positions {
        let Some((expression, ahead)) = lexemes.get(name).filter(|_| depth < MAX_DEPTH) else {
            return Positions::default();
        };
        let mut ends = self.add(&expression.value, lexemes, depth + 1);
        if let Some(ahead) = ahead {
            let mark = self.add_letter(AHEAD, AHEAD);
            ends = self.concatenate(&ends, &mark);
            let ahead = self.add(&ahead.value, lexemes, depth + 1);
            ends = self.concatenate(&ends, &ahead);
        }
        ends
    }

    fn add_letter(&mut self, first: u32, last: u32) -> Positions {
        self.letters.push((first, last));
        self.follow.push(BTreeSet::new());
        let position = BTreeSet::from([self.letters.len() - 1]);
        Positions { first: position.clone(), last: position, can_be_empty: false }
    }

    fn concatenate(&mut self, one: &Positions, other: &Positions) -> Positions {
        for &position in &one.last {
            self.follow[position].extend(&other.first);
        }
        let union = |a: &BTreeSet<usize>, b: &BTreeSet<usize>, both: bool| -> BTreeSet<usize> {
            if both { a.union(b).copied().collect() } else { a.clone() }
        };
        Positions {
            first: union(&one.first, &other.first, one.can_be_empty),
            last: union(&other.last, &one.last, other.can_be_empty),
            can_be_empty: one.can_be_empty && other.can_be_empty,
        }
    }

    fn add(
        &mut self,
        expression: &LexemeExpression,
        lexemes: &Lexemes<'_>,
        depth: usize,
    ) -> Positions {
        let empty = Positions { can_be_empty: true, ..Positions::default() };
        match expression {
            LexemeExpression::Characters(first, last) => {
                self.add_letter(*first as u32, *last as u32)
            }
            LexemeExpression::Text(text) => text.chars().fold(empty, |ends, one| {
                let letter = self.add_letter(one as u32, one as u32);
                self.concatenate(&ends, &letter)
            }),
            LexemeExpression::Name(name) => self.add_named(name, lexemes, depth),
            LexemeExpression::Sequence(parts) => parts.iter().fold(empty, |ends, part| {
                let part = self.add(&part.value, lexemes, depth);
                self.concatenate(&ends, &part)
            }),
            LexemeExpression::Alternatives(parts) => {
                parts.iter().fold(Positions::default(), |mut ends, part| {
                    let part = self.add(&part.value, lexemes, depth);
                    ends.first.extend(part.first);
                    ends.last.extend(part.last);
                    ends.can_be_empty |= part.can_be_empty;
                    ends
                })
            }
            LexemeExpression::Repeated { inner, at_least_once, many } => {
                let mut ends = self.add(&inner.value, lexemes, depth);
                if *many {
                    self.concatenate(&ends.clone(), &ends.clone());
                }
                ends.can_be_empty |= !at_least_once;
                ends
            }
            LexemeExpression::Data(inner) => {
                let start = self.add_letter(DATA_BEGINS, DATA_BEGINS);
                let inner = self.add(&inner.value, lexemes, depth);
                let captured = self.concatenate(&start, &inner);
                let end = self.add_letter(DATA_ENDS, DATA_ENDS);
                self.concatenate(&captured, &end)
            }
        }
    }

    fn next(&self, state: &AutomatonState, letter: u32) -> AutomatonState {
        let matches_letter = |position: &usize| {
            let (first, last) = self.letters[*position];
            first <= letter && letter <= last
        };
        Some(match state {
            None => self.ends.first.iter().copied().filter(matches_letter).collect(),
            Some(at) => {
                let ahead = at.iter().flat_map(|&position| &self.follow[position]);
                ahead.copied().filter(matches_letter).collect()
            }
        })
    }

    fn accepts(&self, state: &AutomatonState) -> bool {
        match state {
            None => self.ends.can_be_empty,
            Some(at) => at.iter().any(|position| self.ends.last.contains(position)),
        }
    }
}

/// Whether both automata accept equal sets of words.
fn are_equivalent(one: &Automaton, other: &Automaton) -> bool {
    // The letters at which some range begins or ends represent all classes of letters that the positions distinguish.
    let letters: BTreeSet<u32> = one
        .letters
        .iter()
        .chain(&other.letters)
        .flat_map(|&(first, last)| [first, last + 1])
        .collect();
    let mut visited: BTreeSet<(AutomatonState, AutomatonState)> = BTreeSet::from([(None, None)]);
    let mut open = vec![(None, None)];
    while let Some((mine, yours)) = open.pop() {
        if one.accepts(&mine) != other.accepts(&yours) || visited.len() > MAX_PAIRS {
            return false;
        }
        for &letter in &letters {
            let next = (one.next(&mine, letter), other.next(&yours, letter));
            if visited.insert(next.clone()) {
                open.push(next);
            }
        }
    }
    true
}
