//! Inputs of complete test suites: one for each short sequence of rows that a machine can run, and one for each row of
//! a mode after each kind of token. Every input covers something that no shorter one covers.

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
    /// Inputs, shorter ones first.
    pub cases: Vec<C>,
    /// Number of distinct sequences, tokens and ends covered.
    pub taken: usize,
    /// Extent of the search.
    pub reached: Reached,
}

/// Length of the sequences of rows that are distinguished. Two consecutive rows cover their succession; longer
/// sequences also cover how the rows are reached, and that saved input is restored.
const ROWS: usize = 4;

/// An item that an input of a tokenizer covers.
#[derive(PartialEq, Eq, Hash)]
enum TakenByTokens {
    /// A sequence of rows.
    Rows(Vec<RowId>),
    /// The end of the input after the last two rows and the last character.
    End(Vec<RowId>, Option<char>),
}

/// Returns an input for each short sequence of rows, and for each class of characters after each row.
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
                // The last row is part of the key, as it decides which sequences of rows can follow.
                let last = rows.checked_sub(1).map(|last| seen.rows[last]);
                Next::On((configuration, looking, last), pieces)
            }
            None => Next::Over,
        }
    });
    Suite { cases, taken: taken.len(), reached }
}

/// An item that an input of tree construction covers.
#[derive(PartialEq, Eq, Hash)]
enum Taken {
    /// Two consecutive rows of modes.
    Rows(ModeRowId, ModeRowId),
    /// A row in a fragment, or in a document with non-default flags of the host.
    Begun(usize, ModeRowId),
    /// A token of a kind in a mode, distinguished by the current node's namespace.
    Token(ModeId, String, Rc<str>),
}

/// Returns an input for each pair of consecutive rows of modes, for each kind of token in each mode, and for each row
/// in each context of a fragment and with each value of the host's flags; `None` if the machine has no tree
/// construction. The bound counts tokens.
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

/// Divisors of the configuration bound for documents, and for fragments and non-default flags. A configuration of tree
/// construction has about a hundred times as many pieces as one of a tokenizer.
const PART_OF_DOCUMENTS: usize = 20;
const PART_OF_OTHERS: usize = 200;

struct TreeSearch<'m> {
    interpreter: Interpreter<'m>,
    /// For each mode, the pieces by which an input is extended.
    pieces: Vec<Rc<[String]>>,
    taken: HashSet<Taken>,
    cases: Vec<TreeWitness>,
}

impl TreeSearch<'_> {
    /// Searches from an initial state, then tries each kind of token in each mode reached.
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
        // Fragments and flags cover rows only; documents cover the kinds of tokens.
        for ((mode, namespace), input) in modes.iter().filter(|_| number == 0) {
            let pieces = Rc::clone(&self.pieces[usize::from(mode.0)]);
            for piece in pieces.iter() {
                let token = Taken::Token(*mode, namespace.clone(), piece[..].into());
                self.run(number, options, &format!("{input}{piece}"), Some(token));
            }
        }
        reached
    }

    /// Runs an input, keeps it if it increases coverage, and returns the configuration at its end.
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

/// Returns the mode and the namespace of the current node.
fn mode_of(configuration: &TreeConfiguration) -> (ModeId, String) {
    let current = configuration.open.first().and_then(|name| name.rsplit(' ').next());
    (configuration.mode, current.unwrap_or_default().to_owned())
}
