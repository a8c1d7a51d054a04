//! Searches the product of two machines for inputs on which they behave differently: both run on each input, and each
//! pair of configurations is expanded once. For each reported input, the tokens or errors of the two runs differ.

use super::Bound;
use super::describe::describe;
use super::pieces::{PieceCache, Pieces};
use super::probe::{InputEnd, Outcome, Probe, Record, Start};
use super::walk::{Expansion, SearchExtent, characters, starts, walk};
use crate::interpreter::{Configuration, Span, Token};
use std::collections::{BTreeSet, HashSet};
use tabulex_language::model::{Action, Machine, RowId, Step};

/// Properties of errors that are compared.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Errors {
    /// Only the number of errors. Always used if one of the machines has unnamed errors.
    Number,
    /// The codes of errors, because documents do not specify positions.
    Codes,
    /// The codes and start positions of errors.
    Positions,
}

/// An input on which two machines behave differently.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Difference {
    /// Initial state of the runs.
    pub start: Start,
    /// The input.
    pub input: String,
    /// Descriptions of the left machine's tokens, then errors.
    pub left: Vec<String>,
    /// Descriptions of the right machine's tokens, then errors.
    pub right: Vec<String>,
    /// Rows that the left machine ran: name of the state, and index of the row.
    pub left_rows: BTreeSet<(String, usize)>,
    /// Rows that the right machine ran: name of the state, and index of the row.
    pub right_rows: BTreeSet<(String, usize)>,
    /// Whether only the errors differ.
    pub only_errors: bool,
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
    /// Properties of errors that were compared.
    pub errors: Errors,
}

/// Searches for inputs on which two machines behave differently, from all initial states. Stops after `most` results.
pub fn differences(
    [left, right]: [&Machine; 2],
    errors: Errors,
    bound: Bound,
    most: usize,
) -> Differences {
    Pair::new([left, right], errors).search(common_starts([left, right]), bound, most)
}

/// Returns pairs of corresponding initial states, each with an empty input.
fn common_starts([left, right]: [&Machine; 2]) -> Vec<([Start; 2], String)> {
    let mut all: Vec<[Start; 2]> = Vec::new();
    let (mine, yours) = (starts(left), starts(right));
    // The start states correspond even if their names differ; entry states correspond by name.
    for start in mine.iter().chain(&yours) {
        let first = |machine: &Machine| machine.state(machine.start).name.clone();
        let is_first = [left, right].iter().any(|machine| first(machine) == start.state);
        let of = |machine: &Machine| {
            let state = if is_first { first(machine) } else { start.state.clone() };
            Start { state, ..start.clone() }
        };
        let both = [of(left), of(right)];
        if !all.contains(&both) {
            all.push(both);
        }
    }
    all.into_iter().map(|start| (start, String::new())).collect()
}

/// Searches like [`differences`], and passes each result to `take`, until that returns `true`. Returns the extent of
/// the search.
pub fn for_each_difference(
    machines: [&Machine; 2],
    errors: Errors,
    bound: Bound,
    take: &mut dyn FnMut(Difference) -> bool,
) -> SearchExtent {
    Pair::new(machines, errors).search_each(common_starts(machines), bound, take).0
}

/// Searches for differences among the inputs that extend one of the given inputs. Stops after `most` results. The bound
/// limits the length of the extension in characters.
pub fn differences_after(
    machines: [&Machine; 2],
    errors: Errors,
    inputs: &[(Start, String)],
    bound: Bound,
    most: usize,
) -> Differences {
    let both = |(start, input): &(Start, String)| ([start.clone(), start.clone()], input.clone());
    Pair::new(machines, errors).search(inputs.iter().map(both).collect(), bound, most)
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
    /// Last rows run, if the choice of these rows depends on further input.
    undecided_rows: [Option<RowId>; 2],
    /// Whether both have equal pending output.
    is_pending_equal: bool,
    surplus: Surplus,
}

/// Output that only one of the machines has produced so far. The first field of a pair is whether that is the right
/// one.
#[derive(PartialEq, Eq, Hash)]
struct Surplus {
    /// Tokens, with texts split into characters.
    tokens: (bool, Vec<String>),
    /// Errors, with their distances in bytes from the end of the input.
    errors: (bool, Vec<(usize, String)>),
}

impl<'m> Pair<'m> {
    fn new([left, right]: [&'m Machine; 2], errors: Errors) -> Self {
        let probes = [Probe::new(left), Probe::new(right)];
        let names = |machine: &Machine| -> HashSet<String> {
            let entries = machine.references.iter().flat_map(|references| &references.entries);
            entries.map(|(name, _)| name.clone()).collect()
        };
        let both = [names(left), names(right)];
        let mut references: Vec<String> = both[0].symmetric_difference(&both[1]).cloned().collect();
        references.sort_by_key(|name| (name.len(), name.clone()));
        references.truncate(2);
        let questions: Vec<String> =
            probes.iter().flat_map(|probe| &probe.compared_texts).cloned().collect();
        let pieces = [left, right].map(|machine| Pieces::new(machine, &questions, &references));
        let has_unnamed =
            |machine: &&Machine| machine.errors.iter().any(|error| error.name == "unnamed");
        let is_unnamed = [left, right].iter().any(has_unnamed);
        Self { probes, pieces, errors: if is_unnamed { Errors::Number } else { errors } }
    }

    fn search(&self, starts: Vec<([Start; 2], String)>, bound: Bound, most: usize) -> Differences {
        let mut differences = Vec::new();
        let (extent, is_exact) = self.search_each(starts, bound, &mut |difference| {
            differences.push(difference);
            differences.len() >= most
        });
        let is_proven_equal = is_exact && extent.is_exhaustive && differences.is_empty();
        Differences { differences, extent, is_proven_equal, errors: self.errors }
    }

    /// Passes each result to `take` until that returns `true`. Returns the extent of the search, and whether an
    /// exhaustive search without results proves equality.
    fn search_each(
        &self,
        starts: Vec<([Start; 2], String)>,
        bound: Bound,
        take: &mut dyn FnMut(Difference) -> bool,
    ) -> (SearchExtent, bool) {
        let mut joined = PieceCache::default();
        let mut is_exact = self.can_prove_equality();
        let extent = walk(starts, bound, characters, |starts: &[Start; 2], input| {
            let [left, right] = [0, 1].map(|index| self.probes[index].run(&starts[index], input));
            let (Some(left), Some(right)) = (left, right) else {
                // One of the machines has no such initial state.
                is_exact = false;
                return Expansion::Prune;
            };
            if let Some(difference) = self.difference(&starts[0], input, [&left, &right])
                && take(difference)
            {
                return Expansion::Stop;
            }
            let (Some(left), Some(right)) = (left.end, right.end) else { return Expansion::Prune };
            let Some(surplus) = self.surplus(&left.outcome, &right.outcome, input.len()) else {
                is_exact = false;
                return Expansion::Prune;
            };
            let states = [left.configuration.state, right.configuration.state];
            let pieces = joined.after(&[&self.pieces[0], &self.pieces[1]], &states);
            let pair_state = pair_state(left, right, surplus);
            is_exact &= pair_state.is_pending_equal;
            Expansion::Continue(pair_state, pieces)
        });
        (extent, is_exact)
    }

    /// Whether configurations represent the complete state of the machines, and all relevant inputs are tried. `false`
    /// for machines with lexical tokens, insertion of entities, or several host flags, and if the references differ, as
    /// only two of these are tried.
    fn can_prove_equality(&self) -> bool {
        let [left, right] = [0, 1].map(|index| self.probes[index].machine);
        let entries = |machine: &Machine| machine.references.as_ref().map(|it| it.entries.clone());
        let is_finite = |machine: &Machine| {
            let rows = machine.states.iter().flat_map(|state| &state.rows);
            let inserts = rows
                .flat_map(|row| Step::actions(&row.steps))
                .any(|action| matches!(action, Action::Insert(..)));
            let flags = machine.flags.iter().filter(|flag| flag.by_host).count();
            machine.lexemes.is_empty() && !inserts && flags < 2
        };
        entries(left) == entries(right) && is_finite(left) && is_finite(right)
    }

    fn difference(&self, start: &Start, input: &str, [a, b]: [&Record; 2]) -> Option<Difference> {
        let only_errors = units(&a.outcome) == units(&b.outcome) && a.stuck == b.stuck;
        let end = input.len();
        if only_errors && self.errors(&a.outcome, end) == self.errors(&b.outcome, end) {
            return None;
        }
        let recorded = |record: &Record| {
            let tokens = record.outcome.tokens.iter().map(describe);
            let errors = record.outcome.errors.iter();
            let errors = errors.map(|(name, span)| format!("error {name} at {}", span.start));
            let stuck = record.stuck.iter().map(|stuck| format!("stuck: {stuck}"));
            tokens.chain(errors).chain(stuck).collect()
        };
        let rows = |machine: &Machine, rows: &[RowId]| {
            let row = |row: &RowId| (machine.state(row.state).name.clone(), usize::from(row.row));
            rows.iter().map(row).collect()
        };
        Some(Difference {
            start: start.clone(),
            input: input.to_owned(),
            left: recorded(a),
            right: recorded(b),
            left_rows: rows(self.probes[0].machine, &a.rows),
            right_rows: rows(self.probes[1].machine, &b.rows),
            only_errors,
        })
    }

    /// Returns the compared properties of errors: distances in bytes from the end of the input, and codes.
    fn errors(&self, outcome: &Outcome, end: usize) -> Vec<(usize, String)> {
        let shown = |(name, span): &(String, Span)| match self.errors {
            Errors::Number => (0, String::new()),
            Errors::Codes => (0, name.clone()),
            Errors::Positions => (end.saturating_sub(span.start), name.clone()),
        };
        outcome.errors.iter().map(shown).collect()
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

/// Returns descriptions of the tokens, with texts split into characters.
fn units(outcome: &Outcome) -> Vec<String> {
    let mut units = Vec::new();
    for token in &outcome.tokens {
        if let Token::Text { text, .. } = token {
            units.extend(text.chars().map(String::from));
        } else {
            units.push(describe(token));
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
