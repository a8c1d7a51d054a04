//! Inputs for whole suites: one for each few rows of a machine that can follow each other, and one for each row of a mode
//! after each kind of token. It writes no format. Invariant: every input was run, and took something that no shorter one
//! before it has taken.

use super::Bound;
use super::pieces::{Joined, Pieces};
use super::probe::{End, Probe, Start};
use super::tree_pieces::pieces;
use super::tree_witnesses::{TreeWitness, starts as starts_of_trees};
use super::walk::{Next, Reached, characters, starts, walk};
use super::witnesses::Witness;
use crate::interpreter::Interpreter;
use crate::interpreter::tree::TreeConfiguration;
use crate::interpreter::tree::document::{self, ParseOptions};
use std::collections::{BTreeMap, HashSet};
use std::rc::Rc;
use tabulex_language::model::tree::{ModeId, ModeRowId};
use tabulex_language::model::{Machine, RowId, StateId};

/// The inputs of a suite.
#[derive(Clone, Debug)]
pub struct Suite<C> {
    /// The shorter ones first.
    pub cases: Vec<C>,
    /// What they take, each thing counted once.
    pub taken: usize,
    /// How far the search went.
    pub reached: Reached,
}

/// How many rows in a row are told apart. Two say which row may follow which, and those around them how they were come to,
/// and that what was kept is given back.
const ROWS: usize = 4;

/// What an input takes.
#[derive(PartialEq, Eq, Hash)]
enum TakenByTokens {
    /// Rows, one after the other.
    Rows(Vec<RowId>),
    /// Where the input ends, the last row, the one before, and the last character.
    End(Vec<RowId>, Option<char>),
}

/// An input for each few rows of a machine that can follow each other, and for each kind of character after each row.
pub fn token_suite(machine: &Machine, bound: Bound) -> Suite<Witness> {
    let probe = Probe::new(machine);
    let (mut cases, mut taken) = (Vec::new(), HashSet::new());
    let (pieces, mut joined) = (Pieces::new(machine, &probe.asked, &[]), Joined::default());
    let starts = starts(machine).into_iter().map(|start| (start, String::new())).collect();
    let reached = walk(starts, bound, characters, |start: &Start, input| {
        let Some(seen) = probe.run(start, input) else { return Next::Over };
        let before = taken.len();
        let runs = (1..=ROWS).flat_map(|length| seen.rows.windows(length));
        taken.extend(runs.map(|rows| TakenByTokens::Rows(rows.to_vec())));
        if let Some(end) = &seen.end {
            let last = seen.rows[..end.rows].iter().rev().take(2).copied().collect();
            taken.insert(TakenByTokens::End(last, input.chars().next_back()));
        }
        if taken.len() > before && seen.stuck.is_none() {
            let outcome = seen.outcome;
            cases.push(Witness { start: start.clone(), input: input.to_owned(), outcome });
        }
        match seen.end {
            Some(End { configuration, looking, rows, .. }) => {
                let pieces = joined.after(&[&pieces], &[configuration.state]);
                // What was done last makes a difference for what can follow it.
                let last = rows.checked_sub(1).map(|last| seen.rows[last]);
                Next::On((configuration, looking, last), pieces)
            }
            None => Next::Over,
        }
    });
    Suite { cases, taken: taken.len(), reached }
}

/// What an input of tree construction takes.
#[derive(PartialEq, Eq, Hash)]
enum Taken {
    /// Two rows of modes, one after the other.
    Rows(ModeRowId, ModeRowId),
    /// A row, in a fragment or under flags that the host sets.
    Begun(usize, ModeRowId),
    /// In a mode a token of a kind, and in foreign content another one.
    Token(ModeId, String, Rc<str>),
}

/// An input for each pair of rows of modes that can follow each other, for each kind of token in each mode, and for each row
/// in each context of a fragment and under each value of a flag that the host sets; none if the machine constructs no
/// trees. The bound's length counts tokens.
pub fn tree_suite(machine: &Machine, bound: Bound) -> Option<Suite<TreeWitness>> {
    let construction = machine.construction.as_ref()?;
    let mut search = TreeSearch {
        interpreter: Interpreter::new(machine),
        pieces: pieces(machine, construction),
        taken: HashSet::new(),
        cases: Vec::new(),
    };
    let mut reached = Reached::default();
    for (number, options) in starts_of_trees(machine, construction).into_iter().enumerate() {
        let part = if number == 0 { PART_OF_DOCUMENTS } else { PART_OF_OTHERS };
        let bound = Bound { configurations: bound.configurations / part, ..bound };
        let more = search.walk(number, &options, bound);
        reached.inputs += more.inputs;
        reached.configurations += more.configurations;
        reached.is_whole &= more.is_whole;
    }
    let TreeSearch { taken, mut cases, .. } = search;
    cases.sort_by_key(|case: &TreeWitness| case.input.chars().count());
    Some(Suite { cases, taken: taken.len(), reached })
}

/// After a configuration of tree construction there are a hundred times as many pieces as after one of a tokenizer, so that
/// fewer are gone on from: this part of the bound in documents, and in fragments and under flags that one.
const PART_OF_DOCUMENTS: usize = 20;
const PART_OF_OTHERS: usize = 200;

struct TreeSearch<'m> {
    interpreter: Interpreter<'m>,
    /// By mode.
    pieces: Vec<Rc<[String]>>,
    taken: HashSet<Taken>,
    cases: Vec<TreeWitness>,
}

impl TreeSearch<'_> {
    /// Searches from one start, then tries each kind of token in each mode that was come to.
    fn walk(&mut self, number: usize, options: &ParseOptions, bound: Bound) -> Reached {
        let mut modes: BTreeMap<(ModeId, String), String> = BTreeMap::new();
        let begun = vec![((), String::new())];
        let reached = walk(
            begun,
            bound,
            |_| 1,
            |(), input| {
                let Some((state, mut configuration)) = self.run(number, options, input, None)
                else {
                    return Next::Over;
                };
                modes.entry(mode_of(&configuration)).or_insert_with(|| input.to_owned());
                let pieces = Rc::clone(&self.pieces[usize::from(configuration.mode.0)]);
                configuration.cut(1);
                Next::On((state, configuration), pieces)
            },
        );
        // In fragments and under flags a row is enough; which tokens there are has been tried in documents.
        for ((mode, namespace), input) in modes.iter().filter(|_| number == 0) {
            let pieces = Rc::clone(&self.pieces[usize::from(mode.0)]);
            for piece in pieces.iter() {
                let token = Taken::Token(*mode, namespace.clone(), piece[..].into());
                self.run(number, options, &format!("{input}{piece}"), Some(token));
            }
        }
        reached
    }

    /// Runs an input, keeps it if it takes something new, and returns what is remembered at its end.
    fn run(
        &mut self,
        number: usize,
        options: &ParseOptions,
        input: &str,
        token: Option<Taken>,
    ) -> Option<(StateId, TreeConfiguration)> {
        let parsed = document::parse(&self.interpreter, input, options).ok()?;
        let before = self.taken.len();
        let rows = &parsed.mode_rows;
        self.taken.extend(rows.windows(2).map(|rows| Taken::Rows(rows[0], rows[1])));
        self.taken.extend(rows.iter().map(|&row| Taken::Begun(number, row)));
        self.taken.extend(token);
        if self.taken.len() > before {
            self.cases.push(TreeWitness { options: options.clone(), input: input.to_owned() });
        }
        parsed.end
    }
}

/// The mode, and the namespace of the current node.
fn mode_of(configuration: &TreeConfiguration) -> (ModeId, String) {
    let current = configuration.open.first().and_then(|name| name.rsplit(' ').next());
    (configuration.mode, current.unwrap_or_default().to_owned())
}
