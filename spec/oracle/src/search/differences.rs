//! Inputs on which two machines do different things, found on the product of the two: both run side by side, and an
//! input is gone on from once for each pair of configurations. It compares no rows (`compare` does). Invariant: an input
//! that is reported was run on both, and gave different tokens or errors.

use super::Bound;
use super::describe::describe;
use super::pieces::{Joined, Pieces};
use super::probe::{End, Outcome, Probe, Record, Start};
use super::walk::{Next, Reached, characters, starts, walk};
use crate::interpreter::{Configuration, Span, Token};
use std::collections::{BTreeSet, HashSet};
use tabulex_language::model::{Action, Machine, RowId, Step};

/// What of errors is compared.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Errors {
    /// How many there are: some documents name none. This is what is compared in any case where a machine has unnamed
    /// errors.
    Number,
    /// Their codes: documents say nothing of their places.
    Codes,
    /// Their codes and where they begin.
    Places,
}

/// An input on which two machines do different things.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Difference {
    /// How the runs begin.
    pub start: Start,
    /// The input.
    pub input: String,
    /// What the left machine gives: tokens, then errors, in words.
    pub left: Vec<String>,
    /// What the right machine gives.
    pub right: Vec<String>,
    /// The rows that the left machine took, by name of the state and number of the row from 0.
    pub left_rows: BTreeSet<(String, usize)>,
    /// The rows that the right machine took.
    pub right_rows: BTreeSet<(String, usize)>,
    /// Whether only errors differ.
    pub only_errors: bool,
}

/// What a search for differences found.
#[derive(Clone, Debug)]
pub struct Differences {
    /// The inputs, a shorter one before a longer one.
    pub found: Vec<Difference>,
    /// How far the search went.
    pub reached: Reached,
    /// Whether there is no such input at all: nothing was found, nothing was left to go on from, whatever both machines
    /// held back was the same on both sides wherever they were taken for one, and all that the machines remember is in
    /// their configurations.
    pub is_proven_equal: bool,
    /// What of errors was compared.
    pub errors: Errors,
}

/// Searches inputs on which the two machines do different things, from all states in which both may begin, and stops
/// when `most` were found.
pub fn differences(
    [left, right]: [&Machine; 2],
    errors: Errors,
    bound: Bound,
    most: usize,
) -> Differences {
    Pair::new([left, right], errors).search(both_starts([left, right]), bound, most)
}

/// How runs of both machines may begin.
fn both_starts([left, right]: [&Machine; 2]) -> Vec<([Start; 2], String)> {
    let mut all: Vec<[Start; 2]> = Vec::new();
    let (mine, yours) = (starts(left), starts(right));
    // The first states belong together, whatever their names are; others go by their names.
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

/// Searches as [`differences`] does, and gives each input that is found to `take`, which says whether it was the last one
/// that is wanted.
pub fn each_difference(
    machines: [&Machine; 2],
    errors: Errors,
    bound: Bound,
    take: &mut dyn FnMut(Difference) -> bool,
) -> Reached {
    Pair::new(machines, errors).each(both_starts(machines), bound, take).0
}

/// Searches inputs on which the two machines do different things among those that begin with one of the given ones, and
/// stops when `most` were found. The bound's length is that of what follows, in characters.
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

/// Two machines.
struct Pair<'m> {
    probes: [Probe<'m>; 2],
    pieces: [Pieces; 2],
    errors: Errors,
}

/// What distinguishes the situations in which both machines may be.
#[derive(PartialEq, Eq, Hash)]
struct Situation {
    configurations: [Configuration; 2],
    /// The last rows, if they depend on what follows.
    looking: [Option<RowId>; 2],
    /// Whether both hold back the same.
    is_pending_equal: bool,
    ahead: Ahead,
}

/// What a machine has given that the other one has not given yet, and whether it is the right one.
#[derive(PartialEq, Eq, Hash)]
struct Ahead {
    /// Tokens, each character of a text for itself.
    tokens: (bool, Vec<String>),
    /// Errors, with their distances from the end of the input in bytes.
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
        let asked: Vec<String> = probes.iter().flat_map(|probe| &probe.asked).cloned().collect();
        let pieces = [left, right].map(|machine| Pieces::new(machine, &asked, &references));
        let has_unnamed =
            |machine: &&Machine| machine.errors.iter().any(|error| error.name == "unnamed");
        let is_unnamed = [left, right].iter().any(has_unnamed);
        Self { probes, pieces, errors: if is_unnamed { Errors::Number } else { errors } }
    }

    fn search(&self, starts: Vec<([Start; 2], String)>, bound: Bound, most: usize) -> Differences {
        let mut found = Vec::new();
        let (reached, is_exact) = self.each(starts, bound, &mut |difference| {
            found.push(difference);
            found.len() >= most
        });
        let is_proven_equal = is_exact && reached.is_whole && found.is_empty();
        Differences { found, reached, is_proven_equal, errors: self.errors }
    }

    /// Gives each input that is found to `take` until that says it was the last; how far the search went, and whether what
    /// it did not find does not exist, where it was whole.
    fn each(
        &self,
        starts: Vec<([Start; 2], String)>,
        bound: Bound,
        take: &mut dyn FnMut(Difference) -> bool,
    ) -> (Reached, bool) {
        let mut joined = Joined::default();
        let mut is_exact = self.can_be_proven();
        let reached = walk(starts, bound, characters, |starts: &[Start; 2], input| {
            let [left, right] = [0, 1].map(|at| self.probes[at].run(&starts[at], input));
            let (Some(left), Some(right)) = (left, right) else {
                // Only one of them may begin so.
                is_exact = false;
                return Next::Over;
            };
            if let Some(difference) = self.difference(&starts[0], input, [&left, &right])
                && take(difference)
            {
                return Next::Done;
            }
            let (Some(left), Some(right)) = (left.end, right.end) else { return Next::Over };
            let Some(ahead) = self.ahead(&left.outcome, &right.outcome, input.len()) else {
                is_exact = false;
                return Next::Over;
            };
            let states = [left.configuration.state, right.configuration.state];
            let pieces = joined.after(&[&self.pieces[0], &self.pieces[1]], &states);
            let situation = situation(left, right, ahead);
            is_exact &= situation.is_pending_equal;
            Next::On(situation, pieces)
        });
        (reached, is_exact)
    }

    /// Whether configurations hold all that the machines remember, and starts are all that there are: lexical tokens that
    /// are read in part and entities are in none, of several flags of the host each is tried by itself, and of references
    /// only a few, so that they must be the same.
    fn can_be_proven(&self) -> bool {
        let [left, right] = [0, 1].map(|at| self.probes[at].machine);
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
        let recorded = |seen: &Record| {
            let tokens = seen.outcome.tokens.iter().map(describe);
            let errors = seen.outcome.errors.iter();
            let errors = errors.map(|(name, span)| format!("error {name} at {}", span.start));
            let stuck = seen.stuck.iter().map(|stuck| format!("stuck: {stuck}"));
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

    /// Errors as far as they are compared: distances from the end, and codes.
    fn errors(&self, outcome: &Outcome, end: usize) -> Vec<(usize, String)> {
        let shown = |(name, span): &(String, Span)| match self.errors {
            Errors::Number => (0, String::new()),
            Errors::Codes => (0, name.clone()),
            Errors::Places => (end.saturating_sub(span.start), name.clone()),
        };
        outcome.errors.iter().map(shown).collect()
    }

    /// What one side has given more than the other; none if no input that follows can make them equal again, or if it
    /// is so much, or so long ago, that one side has most likely left it out.
    fn ahead(&self, left: &Outcome, right: &Outcome, end: usize) -> Option<Ahead> {
        let tokens = more(units(left), units(right))?;
        let errors = more(self.errors(left, end), self.errors(right, end))?;
        let is_recent = errors.1.len() < 2 && errors.1.iter().all(|error| error.0 <= RECENT);
        (is_recent && tokens.1.len() <= NEAR).then_some(Ahead { tokens, errors })
    }
}

fn situation(left: End, right: End, ahead: Ahead) -> Situation {
    let is_pending_equal = left.pending == right.pending;
    let looking = [left.looking, right.looking];
    let configurations = [left.configuration, right.configuration];
    Situation { configurations, looking, is_pending_equal, ahead }
}

/// The tokens in words, each character of a text for itself.
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

/// How many characters a machine may be ahead of another one that holds a temporary buffer, with a margin.
const NEAR: usize = 12;

/// How many bytes back an error may lie that the other machine is still to report.
const RECENT: usize = 4;

/// What the longer list has more than the other one, and whether it is the right one; none if neither begins with the
/// other.
fn more<T: PartialEq>(left: Vec<T>, right: Vec<T>) -> Option<(bool, Vec<T>)> {
    let is_right = right.len() > left.len();
    let (short, mut long) = if is_right { (left, right) } else { (right, left) };
    long.starts_with(&short).then(|| (is_right, long.split_off(short.len())))
}
