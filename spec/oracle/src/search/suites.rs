//! Generates the inputs of test suites that cover a machine: each short sequence of rows of states, each pair of rows
//! of modes, and each kind of token in each mode. An input is included only if it covers something that earlier ones do
//! not.

use super::Bound;
use super::pieces::{PieceCache, Pieces};
use super::probe::{InputEnd, Probe, Start};
use super::tree_pieces::pieces;
use super::tree_witnesses::{TreeWitness, tree_starts};
use super::walk::{Expansion, characters, starts, walk};
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
    /// Inputs, shortest first.
    pub cases: Vec<C>,
    /// Number of distinct items covered.
    pub covered: usize,
}

/// Maximum length of the sequences of rows to cover. Sequences of more than two rows also cover how rows are reached,
/// and that saved input is restored.
const MAX_SEQUENCE: usize = 4;

/// An item that an input of a tokenizer covers.
#[derive(PartialEq, Eq, Hash)]
enum TokenCoverage {
    /// A sequence of rows.
    Rows(Vec<RowId>),
    /// The end of the input, after these rows (at most two, the last one first) and this last character.
    InputEnd(Vec<RowId>, Option<char>),
}

/// Generates inputs that together cover each short sequence of rows, and the end of the input after each class of
/// characters.
pub fn token_suite(machine: &Machine, bound: Bound) -> Suite<Witness> {
    let probe = Probe::new(machine);
    let (mut cases, mut covered) = (Vec::new(), HashSet::new());
    let (pieces, mut piece_cache) =
        (Pieces::new(machine, &probe.compared_texts, &[]), PieceCache::default());
    let starts = starts(machine).into_iter().map(|start| (start, String::new())).collect();
    walk(starts, bound, characters, |start: &Start, input| {
        let Some(record) = probe.run(start, input) else { return Expansion::Prune };
        let covered_before = covered.len();
        let sequences = (1..=MAX_SEQUENCE).flat_map(|length| record.rows.windows(length));
        covered.extend(sequences.map(|rows| TokenCoverage::Rows(rows.to_vec())));
        if let Some(end) = &record.end {
            let last_rows = record.rows[..end.rows].iter().rev().take(2).copied().collect();
            covered.insert(TokenCoverage::InputEnd(last_rows, input.chars().next_back()));
        }
        if covered.len() > covered_before && record.stuck.is_none() {
            let outcome = record.outcome;
            cases.push(Witness { start: start.clone(), input: input.to_owned(), outcome });
        }
        match record.end {
            Some(InputEnd { configuration, undecided_row, rows, .. }) => {
                let pieces = piece_cache.after(&[&pieces], &[configuration.state]);
                // The last row is part of the key, so that the search also continues from an equal configuration that
                // another row reached, and covers the sequences that begin with that row.
                let last_row = rows.checked_sub(1).map(|index| record.rows[index]);
                Expansion::Continue((configuration, undecided_row, last_row), pieces)
            }
            None => Expansion::Prune,
        }
    });
    Suite { cases, covered: covered.len() }
}

/// An item that an input of tree construction covers.
#[derive(PartialEq, Eq, Hash)]
enum TreeCoverage {
    /// Two consecutive rows of modes.
    Rows(ModeRowId, ModeRowId),
    /// A row run with the options of this index: for a document or a fragment, with values of the host's flags.
    Options(usize, ModeRowId),
    /// A piece of input in a mode, with the namespace of the current node.
    Token(ModeId, String, Rc<str>),
}

/// Generates inputs that together cover each pair of consecutive rows of modes, each kind of token in each mode, and
/// each row in each context of a fragment and with each value of the host's flags. Returns `None` if the machine has no
/// tree construction. The length in `bound` counts pieces rather than characters.
pub fn tree_suite(machine: &Machine, bound: Bound) -> Option<Suite<TreeWitness>> {
    let construction = machine.construction.as_ref()?;
    let mut search = TreeSearch {
        interpreter: Interpreter::new(machine),
        pieces: pieces(machine, construction),
        covered: HashSet::new(),
        cases: Vec::new(),
    };
    for (options_index, start) in tree_starts(machine).into_iter().enumerate() {
        let divisor = if options_index == 0 { DOCUMENT_DIVISOR } else { OTHER_DIVISOR };
        let bound = Bound { configurations: bound.configurations / divisor, ..bound };
        search.walk(options_index, &start.options, bound);
    }
    let TreeSearch { covered, mut cases, .. } = search;
    cases.sort_by_key(|case: &TreeWitness| case.input.chars().count());
    Some(Suite { cases, covered: covered.len() })
}

/// Divisor of the bound on configurations for documents with default flags. A configuration of tree construction has
/// about a hundred times as many pieces as one of a tokenizer.
const DOCUMENT_DIVISOR: usize = 20;
/// Divisor of the bound on configurations for fragments, and for documents with other flags.
const OTHER_DIVISOR: usize = 200;

/// State of the search for a suite of trees.
struct TreeSearch<'m> {
    interpreter: Interpreter<'m>,
    /// For each mode, the pieces by which an input is extended.
    pieces: Vec<Rc<[String]>>,
    covered: HashSet<TreeCoverage>,
    cases: Vec<TreeWitness>,
}

impl TreeSearch<'_> {
    /// Searches with the options of this index. For index 0, also tries each piece in each mode that was reached.
    fn walk(&mut self, options_index: usize, options: &ParseOptions, bound: Bound) {
        let mut modes: BTreeMap<(ModeId, String), String> = BTreeMap::new();
        let starts = vec![((), String::new())];
        walk(
            starts,
            bound,
            |_| 1,
            |(), input| {
                let Some((state, mut configuration)) =
                    self.run(options_index, options, input, None)
                else {
                    return Expansion::Prune;
                };
                modes.entry(mode_and_namespace(&configuration)).or_insert_with(|| input.to_owned());
                let pieces = Rc::clone(&self.pieces[usize::from(configuration.mode.0)]);
                configuration.cut(1);
                Expansion::Continue((state, configuration), pieces)
            },
        );
        // The kinds of tokens are covered only with default options, because all options would multiply the inputs.
        for ((mode, namespace), input) in modes.iter().filter(|_| options_index == 0) {
            let pieces = Rc::clone(&self.pieces[usize::from(mode.0)]);
            for piece in pieces.iter() {
                let token = TreeCoverage::Token(*mode, namespace.clone(), piece[..].into());
                self.run(options_index, options, &format!("{input}{piece}"), Some(token));
            }
        }
    }

    /// Runs an input, and adds it to the suite if it covers anything new. Returns the state and configuration at the
    /// end of the input; `None` if the run fails or stops before that.
    fn run(
        &mut self,
        options_index: usize,
        options: &ParseOptions,
        input: &str,
        token: Option<TreeCoverage>,
    ) -> Option<(StateId, TreeConfiguration)> {
        let parsed = document::parse(&self.interpreter, input, options).ok()?;
        let covered_before = self.covered.len();
        let rows = &parsed.mode_rows;
        self.covered.extend(rows.windows(2).map(|rows| TreeCoverage::Rows(rows[0], rows[1])));
        self.covered.extend(rows.iter().map(|&row| TreeCoverage::Options(options_index, row)));
        self.covered.extend(token);
        if self.covered.len() > covered_before {
            self.cases.push(TreeWitness { options: options.clone(), input: input.to_owned() });
        }
        parsed.end
    }
}

/// Returns the current mode, and the last segment of the current node's namespace; empty if there is no current node.
fn mode_and_namespace(configuration: &TreeConfiguration) -> (ModeId, String) {
    let namespace = configuration.open.first().and_then(|name| name.rsplit(' ').next());
    (configuration.mode, namespace.unwrap_or_default().to_owned())
}
