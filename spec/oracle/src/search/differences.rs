//! Searches the product of two machines for inputs on which they behave differently: both run on each input, and each
//! pair of configurations is expanded once. For each reported input, the tokens or errors of the two runs differ.

use super::Bound;
use super::pieces::{PieceCache, Pieces};
use super::probe::{InputEnd, Outcome, Probe, Record, Start};
use super::walk::{Expansion, SearchExtent, characters, starts, walk};
use crate::interpreter::{Configuration, Span, Token};
use std::collections::HashSet;
use tabulex_language::model::{ErrorCode, Machine, RowId};

/// Which properties of errors are compared.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Errors {
    /// Only the number of errors. Always used if one of the machines has unnamed errors.
    Number,
    /// Only the codes of errors, for machines whose specifications define no positions.
    Codes,
    /// The codes and start positions of errors.
    Positions,
}

/// An input on which two machines behave differently.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Difference {
    /// Start of the runs, as the first machine names it.
    pub start: Start,
    /// Text of the input.
    pub input: String,
    /// Rows that each machine ran.
    pub rows: [Vec<RowId>; 2],
}

/// The result of a search for differences.
#[derive(Clone, Debug)]
pub struct Differences {
    /// Differences, sorted by the length of their inputs.
    pub differences: Vec<Difference>,
    /// Extent of the search.
    pub extent: SearchExtent,
    /// Whether the machines are proven equal: the search was exhaustive and found nothing, configurations represent the
    /// complete state of both machines, and the pending output of both was equal in each expanded pair.
    pub is_proven_equal: bool,
}

/// Searches for inputs on which two machines behave differently, from all initial states. Stops after `most` results.
pub fn differences(
    machines: [&Machine; 2],
    errors: Errors,
    bound: Bound,
    most: usize,
) -> Differences {
    let mut differences = Vec::new();
    let (extent, is_exact) = Pair::new(machines, errors).search(bound, &mut |difference| {
        differences.push(difference);
        differences.len() >= most
    });
    let is_proven_equal = is_exact && extent.is_exhaustive && differences.is_empty();
    Differences { differences, extent, is_proven_equal }
}

/// Returns pairs of corresponding initial states, each with an empty input.
fn common_starts([left, right]: [&Machine; 2]) -> Vec<([Start; 2], String)> {
    let mut pairs: Vec<[Start; 2]> = Vec::new();
    let (left_starts, right_starts) = (starts(left), starts(right));
    // The start states correspond even if their names differ; entry states correspond by name.
    for start in left_starts.iter().chain(&right_starts) {
        let start_name = |machine: &Machine| machine.state(machine.start).name.clone();
        let is_start_state = [left, right].iter().any(|machine| start_name(machine) == start.state);
        let start_in = |machine: &Machine| {
            let state = if is_start_state { start_name(machine) } else { start.state.clone() };
            Start { state, ..start.clone() }
        };
        let pair = [start_in(left), start_in(right)];
        if !pairs.contains(&pair) {
            pairs.push(pair);
        }
    }
    pairs.into_iter().map(|start| (start, String::new())).collect()
}

/// Searches like [`differences`], and passes each result to `take`, until that returns `true`. Returns the extent of
/// the search.
pub fn for_each_difference(
    machines: [&Machine; 2],
    errors: Errors,
    bound: Bound,
    take: &mut dyn FnMut(Difference) -> bool,
) -> SearchExtent {
    Pair::new(machines, errors).search(bound, take).0
}

/// Two machines to be compared, with the pieces of input to try.
struct Pair<'m> {
    probes: [Probe<'m>; 2],
    pieces: [Pieces; 2],
    errors: Errors,
}

/// The combined state of both machines.
#[derive(PartialEq, Eq, Hash)]
struct PairState {
    configurations: [Configuration; 2],
    /// For each machine, the last row run, if the choice of that row may depend on further input.
    undecided_rows: [Option<RowId>; 2],
    /// Whether the pending output of both machines is equal.
    is_pending_equal: bool,
    surplus: Surplus,
}

/// Output that only one of the machines has produced so far. The first component of each pair tells whether the right
/// machine has produced it.
#[derive(PartialEq, Eq, Hash)]
struct Surplus {
    /// Tokens, with texts split into characters.
    tokens: (bool, Vec<Token>),
    /// Errors, with their distances in bytes from the end of the input.
    errors: (bool, Vec<(usize, String)>),
}

impl<'m> Pair<'m> {
    fn new([left, right]: [&'m Machine; 2], errors: Errors) -> Self {
        let probes = [Probe::new(left), Probe::new(right)];
        let reference_names = |machine: &Machine| -> HashSet<String> {
            let entries = machine.references.iter().flatten();
            entries.map(|(name, _)| name.clone()).collect()
        };
        let names = [reference_names(left), reference_names(right)];
        let mut references: Vec<String> =
            names[0].symmetric_difference(&names[1]).cloned().collect();
        references.sort_by_key(|name| (name.len(), name.clone()));
        references.truncate(2);
        let compared_texts: Vec<String> =
            probes.iter().flat_map(|probe| &probe.compared_texts).cloned().collect();
        let pieces =
            [left, right].map(|machine| Pieces::new(machine, &compared_texts, &references));
        let has_unnamed_errors = |machine: &&Machine| {
            machine.errors.iter().any(|error| error.name == ErrorCode::UNNAMED)
        };
        let any_has_unnamed = [left, right].iter().any(has_unnamed_errors);
        Self { probes, pieces, errors: if any_has_unnamed { Errors::Number } else { errors } }
    }

    /// Passes each result to `take` until that returns `true`. Returns the extent of the search, and whether an
    /// exhaustive search without results proves equality.
    fn search(
        &self,
        bound: Bound,
        take: &mut dyn FnMut(Difference) -> bool,
    ) -> (SearchExtent, bool) {
        let mut piece_cache = PieceCache::default();
        let mut is_exact = self.can_prove_equality();
        let starts = common_starts([self.probes[0].machine, self.probes[1].machine]);
        let extent = walk(starts, bound, characters, |starts: &[Start; 2], input| {
            let [left, right] = [0, 1].map(|index| self.probes[index].run(&starts[index], input));
            let (Some(left), Some(right)) = (left, right) else {
                // One of the machines lacks the initial state or a flag, so the search cannot prove that the two are
                // equal.
                is_exact = false;
                return Expansion::Prune;
            };
            if self.records_differ([&left, &right], input.len()) {
                let rows = [left.rows, right.rows];
                let start = starts[0].clone();
                if take(Difference { start, input: input.to_owned(), rows }) {
                    return Expansion::Stop;
                }
            }
            let (Some(left), Some(right)) = (left.end, right.end) else { return Expansion::Prune };
            let Some(surplus) = self.surplus(&left.outcome, &right.outcome, input.len()) else {
                is_exact = false;
                return Expansion::Prune;
            };
            let states = [left.configuration.state, right.configuration.state];
            let pieces = piece_cache.after(&[&self.pieces[0], &self.pieces[1]], &states);
            let pair_state = pair_state(left, right, surplus);
            is_exact &= pair_state.is_pending_equal;
            Expansion::Continue(pair_state, pieces)
        });
        (extent.of_machines(&[self.probes[0].machine, self.probes[1].machine]), is_exact)
    }

    /// Whether configurations represent the complete state of the machines, and all relevant inputs are tried. `false`
    /// for machines with lexical tokens, replacement text, or several host flags, and if the references differ, as only
    /// two of these are tried.
    fn can_prove_equality(&self) -> bool {
        let [left, right] = [0, 1].map(|index| self.probes[index].machine);
        let is_finite = |machine: &Machine| {
            let flags = machine.flags.iter().filter(|flag| flag.by_host).count();
            machine.lexemes.is_empty() && !machine.inserts() && flags < 2
        };
        left.references == right.references && is_finite(left) && is_finite(right)
    }

    fn records_differ(&self, [a, b]: [&Record; 2], end: usize) -> bool {
        units(&a.outcome) != units(&b.outcome)
            || a.stuck != b.stuck
            || self.errors(&a.outcome, end) != self.errors(&b.outcome, end)
    }

    /// Returns the compared properties of errors: distances in bytes from the end of the input, and codes. A property
    /// that is not compared is 0 or empty.
    fn errors(&self, outcome: &Outcome, end: usize) -> Vec<(usize, String)> {
        let compared_properties = |(name, span): &(String, Span)| match self.errors {
            Errors::Number => (0, String::new()),
            Errors::Codes => (0, name.clone()),
            Errors::Positions => (end.saturating_sub(span.start), name.clone()),
        };
        outcome.errors.iter().map(compared_properties).collect()
    }

    /// Returns the output that only one side has produced so far. `None` if no further input can make the outputs
    /// equal, or if the output is so long or so old that the other side is unlikely to produce it.
    fn surplus(&self, left: &Outcome, right: &Outcome, end: usize) -> Option<Surplus> {
        let tokens = longer_remainder(units(left), units(right))?;
        let errors = longer_remainder(self.errors(left, end), self.errors(right, end))?;
        let is_recent =
            errors.1.len() < 2 && errors.1.iter().all(|error| error.0 <= MAX_ERROR_DELAY);
        (is_recent && tokens.1.len() <= MAX_LEAD).then_some(Surplus { tokens, errors })
    }
}

fn pair_state(left: InputEnd, right: InputEnd, surplus: Surplus) -> PairState {
    let is_pending_equal = left.pending == right.pending;
    let undecided_rows = [left.undecided_row, right.undecided_row];
    let configurations = [left.configuration, right.configuration];
    PairState { configurations, undecided_rows, is_pending_equal, surplus }
}

/// Returns the tokens without their ranges, with texts split into characters.
fn units(outcome: &Outcome) -> Vec<Token> {
    let mut units = Vec::new();
    for token in &outcome.tokens {
        if let Token::Text { text, .. } = token {
            let characters = text.chars().map(String::from);
            units.extend(characters.map(|text| Token::Text { text, span: Span::default() }));
        } else {
            units.push(token.clone().without_spans());
        }
    }
    units
}

/// Maximum number of tokens or characters by which one machine may be ahead, while the other holds them in a temporary
/// buffer.
const MAX_LEAD: usize = 12;

/// Maximum distance in bytes from the end of the input at which the other machine may still report an error.
const MAX_ERROR_DELAY: usize = 4;

/// Returns whether the right list is longer, and the remainder of the longer list after the shorter one. `None` if
/// neither list is a prefix of the other.
fn longer_remainder<T: PartialEq>(left: Vec<T>, right: Vec<T>) -> Option<(bool, Vec<T>)> {
    let is_right = right.len() > left.len();
    let (short, mut long) = if is_right { (left, right) } else { (right, left) };
    long.starts_with(&short).then(|| (is_right, long.split_off(short.len())))
}
