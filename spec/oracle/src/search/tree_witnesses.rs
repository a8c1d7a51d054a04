//! Searches for the shortest input that runs each row of a mode. Each configuration of the builder is expanded once,
//! and configurations that differ only in elements far from the current node count as equal.

use super::Bound;
use super::tree_pieces::{conditions, pieces};
use super::walk::{Expansion, SearchExtent, walk};
use super::witnesses::Witnesses;
use crate::interpreter::Interpreter;
use crate::interpreter::tree::NEAR;
use crate::interpreter::tree::document::{self, Context, ParseOptions, Parsed};
use std::collections::{BTreeMap, HashSet};
use std::rc::Rc;
use tabulex_language::model::Machine;
use tabulex_language::model::tree::{
    Construction, ElementName, ModeRowId, Namespace, TreeCondition,
};

/// An input of tree construction, with the options for parsing it.
#[derive(Clone, Debug)]
pub struct TreeWitness {
    /// Options for parsing.
    pub options: ParseOptions,
    /// Text of the input.
    pub input: String,
}

/// Searches for an input of few pieces that runs each row of a mode. Returns `None` if the machine has no tree
/// construction. The length in `bound` counts pieces rather than characters.
pub fn tree_witnesses(
    machine: &Machine,
    bound: Bound,
) -> Option<Witnesses<ModeRowId, TreeWitness>> {
    let construction = machine.construction.as_ref()?;
    let interpreter = Interpreter::new(machine);
    // Fewer configurations are expanded than for a tokenizer, because each has many more pieces.
    let bound = Bound { configurations: bound.configurations / 10, ..bound };
    let pieces = pieces(machine, construction);
    let mut search = Search {
        interpreter,
        pieces,
        row_count: construction.rows().count(),
        rows: BTreeMap::new(),
        extent: SearchExtent::default(),
    };
    for (near, starts) in passes(tree_starts(machine)) {
        search.walk(starts, bound, near);
        search.extend_witnesses();
        if search.is_done() {
            break;
        }
    }
    let Search { rows, extent, .. } = search;
    let unreached = construction.row_ids().filter(|row| !rows.contains_key(row)).collect();
    Some(Witnesses { rows, unreached, extent })
}

/// Returns the passes of a search, each with the number of elements near the current node that are distinguished, and
/// the inputs to start from. For each number, in ascending order, a pass over documents precedes one over fragments,
/// because fragments cannot reach all rows.
pub(super) fn passes(
    starts: Vec<TreeWitness>,
) -> impl Iterator<Item = (usize, Vec<(ParseOptions, String)>)> {
    let starts = starts.into_iter().map(|it| (it.options, it.input));
    let (documents, fragments): (Vec<_>, Vec<_>) =
        starts.partition(|(options, _)| options.context.is_none());
    (1..=NEAR).flat_map(move |near| [(near, documents.clone()), (near, fragments.clone())])
}

/// State of a search for witnesses.
struct Search<'m> {
    interpreter: Interpreter<'m>,
    /// For each mode, the pieces by which an input is extended.
    pieces: Vec<Rc<[String]>>,
    /// Number of rows of all modes.
    row_count: usize,
    /// Shortest input found for each row.
    rows: BTreeMap<ModeRowId, TreeWitness>,
    extent: SearchExtent,
}

impl Search<'_> {
    fn is_done(&self) -> bool {
        self.rows.len() == self.row_count
    }

    /// Extends each witness by one piece, also those found in this way, until no further row is found. This finds rows
    /// that can run only after a rare row.
    fn extend_witnesses(&mut self) {
        let mut extended: HashSet<ModeRowId> = HashSet::new();
        loop {
            let new_witnesses = self.rows.iter().filter(|(row, _)| extended.insert(**row));
            let starts: Vec<_> =
                new_witnesses.map(|(_, it)| (it.options.clone(), it.input.clone())).collect();
            if starts.is_empty() || self.is_done() {
                return;
            }
            self.walk(
                starts,
                Bound { configurations: usize::MAX, length: 1, ..Bound::default() },
                NEAR,
            );
        }
    }

    fn walk(&mut self, starts: Vec<(ParseOptions, String)>, bound: Bound, near: usize) {
        let Self { interpreter, pieces, row_count, rows, .. } = self;
        let extent = walk(
            starts,
            bound,
            |_| 1,
            |options: &ParseOptions, input| {
                let Ok(parsed) = document::parse(interpreter, input, options) else {
                    return Expansion::Prune;
                };
                let Parsed { mode_rows, end, .. } = parsed;
                for row in mode_rows {
                    let witness =
                        || TreeWitness { options: options.clone(), input: input.to_owned() };
                    rows.entry(row).or_insert_with(witness);
                }
                match end {
                    _ if rows.len() == *row_count => Expansion::Stop,
                    Some((state, mut configuration)) => {
                        let pieces = Rc::clone(&pieces[usize::from(configuration.mode.0)]);
                        configuration.cut(near);
                        Expansion::Continue((state, configuration), pieces)
                    }
                    None => Expansion::Prune,
                }
            },
        );
        self.extent.add(extent);
    }
}

/// Returns the empty inputs with which a search starts: documents, with each value of each flag of the host, and
/// fragments, with a context of each class that the table distinguishes. Returns none if the machine has no tree
/// construction.
pub fn tree_starts(machine: &Machine) -> Vec<TreeWitness> {
    let Some(construction) = &machine.construction else { return Vec::new() };
    let mut starts = vec![ParseOptions::default()];
    let flags = construction.flags.iter().chain(&machine.flags);
    for flag in flags.filter(|flag| flag.by_host) {
        for value in 1..flag.values.len() {
            let flags = vec![(flag.name.clone(), value as u8)];
            starts.push(ParseOptions { flags, ..ParseOptions::default() });
        }
    }
    for name in contexts(construction) {
        let context = Some(Context::new(name));
        starts.push(ParseOptions { context, ..ParseOptions::default() });
    }
    starts.into_iter().map(|options| TreeWitness { options, input: String::new() }).collect()
}

fn contexts(construction: &Construction) -> Vec<ElementName> {
    let Some(fragment) = &construction.fragment else { return Vec::new() };
    let reset_rows = construction.reset.iter().flatten();
    let rows = fragment.rows.iter().chain(reset_rows);
    let mut contexts: Vec<ElementName> =
        rows.filter_map(|row| row.patterns.first().cloned()).collect();
    for condition in conditions(construction) {
        if let TreeCondition::ContextIs(names) = condition {
            contexts.extend(names.first().cloned());
        }
    }
    contexts.push(ElementName::own("div"));
    contexts.push(ElementName { namespace: Namespace::Svg, local: "g".to_owned() });
    contexts.push(ElementName { namespace: Namespace::Math, local: "mi".to_owned() });
    contexts.sort();
    contexts.dedup();
    contexts
}
