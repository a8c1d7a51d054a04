//! Inputs of complete test suites: one for each short sequence of rows that a machine can run, and one for each row of
//! a mode after each kind of token. Every input covers something that no shorter one covers.

use super::Bound;
use super::pieces::{PieceCache, Pieces};
use super::probe::{InputEnd, Probe, Start};
use super::tree_pieces::pieces;
use super::tree_witnesses::{TreeWitness, starts as starts_of_trees};
use super::walk::{Expansion, SearchExtent, characters, starts, walk};
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
    pub covered: usize,
    /// Extent of the search.
    pub extent: SearchExtent,
}

/// Length of the sequences of rows that are distinguished. Two consecutive rows cover their succession; longer
/// sequences also cover how the rows are reached, and that saved input is restored.
const ROWS: usize = 4;

/// An item that an input of a tokenizer covers.
#[derive(PartialEq, Eq, Hash)]
enum TokenCoverage {
    /// A sequence of rows.
    Rows(Vec<RowId>),
    /// The end of the input after the last two rows and the last character.
    InputEnd(Vec<RowId>, Option<char>),
}

/// Returns an input for each short sequence of rows, and for each class of characters after each row.
pub fn token_suite(machine: &Machine, bound: Bound) -> Suite<Witness> {
    let probe = Probe::new(machine);
    let (mut cases, mut covered) = (Vec::new(), HashSet::new());
    let (pieces, mut joined) =
        (Pieces::new(machine, &probe.compared_texts, &[]), PieceCache::default());
    let starts = starts(machine).into_iter().map(|start| (start, String::new())).collect();
    let extent = walk(starts, bound, characters, |start: &Start, input| {
        let Some(seen) = probe.run(start, input) else { return Expansion::Prune };
        let before = covered.len();
        let runs = (1..=ROWS).flat_map(|length| seen.rows.windows(length));
        covered.extend(runs.map(|rows| TokenCoverage::Rows(rows.to_vec())));
        if let Some(end) = &seen.end {
            let last = seen.rows[..end.rows].iter().rev().take(2).copied().collect();
            covered.insert(TokenCoverage::InputEnd(last, input.chars().next_back()));
        }
        if covered.len() > before && seen.stuck.is_none() {
            let outcome = seen.outcome;
            cases.push(Witness { start: start.clone(), input: input.to_owned(), outcome });
        }
        match seen.end {
            Some(InputEnd { configuration, undecided_row: looking, rows, .. }) => {
                let pieces = joined.after(&[&pieces], &[configuration.state]);
                // The last row is part of the key, as it decides which sequences of rows can follow.
                let last = rows.checked_sub(1).map(|last| seen.rows[last]);
                Expansion::Continue((configuration, looking, last), pieces)
            }
            None => Expansion::Prune,
        }
    });
    Suite { cases, covered: covered.len(), extent }
}

/// An item that an input of tree construction covers.
#[derive(PartialEq, Eq, Hash)]
enum TreeCoverage {
    /// Two consecutive rows of modes.
    Rows(ModeRowId, ModeRowId),
    /// A row in a fragment, or in a document with non-default flags of the host.
    Options(usize, ModeRowId),
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
        covered: HashSet::new(),
        cases: Vec::new(),
    };
    let mut extent = SearchExtent::default();
    for (number, options) in starts_of_trees(machine, construction).into_iter().enumerate() {
        let part = if number == 0 { DOCUMENT_DIVISOR } else { OTHER_DIVISOR };
        let bound = Bound { configurations: bound.configurations / part, ..bound };
        let more = search.walk(number, &options, bound);
        extent.inputs += more.inputs;
        extent.configurations += more.configurations;
        extent.is_exhaustive &= more.is_exhaustive;
    }
    let TreeSearch { covered, mut cases, .. } = search;
    cases.sort_by_key(|case: &TreeWitness| case.input.chars().count());
    Some(Suite { cases, covered: covered.len(), extent })
}

/// Divisors of the configuration bound for documents, and for fragments and non-default flags. A configuration of tree
/// construction has about a hundred times as many pieces as one of a tokenizer.
const DOCUMENT_DIVISOR: usize = 20;
const OTHER_DIVISOR: usize = 200;

struct TreeSearch<'m> {
    interpreter: Interpreter<'m>,
    /// For each mode, the pieces by which an input is extended.
    pieces: Vec<Rc<[String]>>,
    covered: HashSet<TreeCoverage>,
    cases: Vec<TreeWitness>,
}

impl TreeSearch<'_> {
    /// Searches from an initial state, then tries each kind of token in each mode reached.
    fn walk(&mut self, number: usize, options: &ParseOptions, bound: Bound) -> SearchExtent {
        let mut modes: BTreeMap<(ModeId, String), String> = BTreeMap::new();
        let begun = vec![((), String::new())];
        let extent = walk(
            begun,
            bound,
            |_| 1,
            |(), input| {
                let Some((state, mut configuration)) = self.run(number, options, input, None)
                else {
                    return Expansion::Prune;
                };
                modes.entry(current_mode(&configuration)).or_insert_with(|| input.to_owned());
                let pieces = Rc::clone(&self.pieces[usize::from(configuration.mode.0)]);
                configuration.cut(1);
                Expansion::Continue((state, configuration), pieces)
            },
        );
        // Fragments and flags cover rows only; documents cover the kinds of tokens.
        for ((mode, namespace), input) in modes.iter().filter(|_| number == 0) {
            let pieces = Rc::clone(&self.pieces[usize::from(mode.0)]);
            for piece in pieces.iter() {
                let token = TreeCoverage::Token(*mode, namespace.clone(), piece[..].into());
                self.run(number, options, &format!("{input}{piece}"), Some(token));
            }
        }
        extent
    }

    /// Runs an input, keeps it if it increases coverage, and returns the configuration at its end.
    fn run(
        &mut self,
        number: usize,
        options: &ParseOptions,
        input: &str,
        token: Option<TreeCoverage>,
    ) -> Option<(StateId, TreeConfiguration)> {
        let parsed = document::parse(&self.interpreter, input, options).ok()?;
        let before = self.covered.len();
        let rows = &parsed.mode_rows;
        self.covered.extend(rows.windows(2).map(|rows| TreeCoverage::Rows(rows[0], rows[1])));
        self.covered.extend(rows.iter().map(|&row| TreeCoverage::Options(number, row)));
        self.covered.extend(token);
        if self.covered.len() > before {
            self.cases.push(TreeWitness { options: options.clone(), input: input.to_owned() });
        }
        parsed.end
    }
}

/// Returns the mode and the namespace of the current node.
fn current_mode(configuration: &TreeConfiguration) -> (ModeId, String) {
    let current = configuration.open.first().and_then(|name| name.rsplit(' ').next());
    (configuration.mode, current.unwrap_or_default().to_owned())
}
