//! Search for the shortest input for each row of a mode. Each configuration of the builder is expanded once, and only
//! nearby elements are distinguished. Each witness has been run.

use super::Bound;
use super::tree_pieces::{conditions, pieces};
use super::walk::{Expansion, SearchExtent, walk};
use crate::interpreter::Interpreter;
use crate::interpreter::tree::NEAR;
use crate::interpreter::tree::document::{self, Context, ParseOptions, Parsed};
use std::collections::{BTreeMap, HashSet};
use std::rc::Rc;
use tabulex_language::model::Machine;
use tabulex_language::model::tree::{
    Construction, ElementName, ModeId, ModeRowId, Namespace, TreeCondition,
};

/// An input that reaches a row of a mode.
#[derive(Clone, Debug)]
pub struct TreeWitness {
    /// Options for parsing.
    pub options: ParseOptions,
    /// The input.
    pub input: String,
}

/// The witnesses for the modes of a machine.
#[derive(Clone, Debug, Default)]
pub struct TreeWitnesses {
    /// Shortest input found for each row.
    pub rows: BTreeMap<ModeRowId, TreeWitness>,
    /// Rows for which none was found.
    pub unreached: Vec<ModeRowId>,
    /// Extent of the search.
    pub extent: SearchExtent,
}

/// Searches for an input of few tokens for each row of a mode; `None` if the machine has no tree construction. The
/// bound counts tokens.
pub fn tree_witnesses(machine: &Machine, bound: Bound) -> Option<TreeWitnesses> {
    let construction = machine.construction.as_ref()?;
    let interpreter = Interpreter::new(machine);
    let all: Vec<ModeRowId> = (0..construction.modes.len())
        .flat_map(|mode| {
            let rows = construction.modes[mode].rows.len();
            (0..rows).map(move |row| ModeRowId { mode: ModeId(mode as u8), row: row as u16 })
        })
        .collect();
    // A configuration has many more pieces than one of a tokenizer, so fewer are expanded.
    let bound = Bound { configurations: bound.configurations / 10, ..bound };
    let pieces = pieces(machine, construction);
    let mut search =
        Search { interpreter, pieces, all: all.len(), witnesses: TreeWitnesses::default() };
    let starts: Vec<PartialInput> =
        starts(machine, construction).into_iter().map(|it| (it, String::new())).collect();
    for (near, starts) in passes(starts) {
        search.walk(starts, bound, near);
        search.extend_witnesses();
        if search.is_done() {
            break;
        }
    }
    let mut witnesses = search.witnesses;
    witnesses.unreached = all.into_iter().filter(|row| !witnesses.rows.contains_key(row)).collect();
    Some(witnesses)
}

/// Options for parsing, and the input.
pub(super) type PartialInput = (ParseOptions, String);

/// Returns the passes of a search: how far from the current node elements are distinguished, and the inputs to begin
/// with. Elements further away are distinguished only once nothing else is left. Fragments, which cannot reach some
/// rows, come after documents.
pub(super) fn passes(
    starts: Vec<PartialInput>,
) -> impl Iterator<Item = (usize, Vec<PartialInput>)> {
    let (documents, fragments): (Vec<_>, Vec<_>) =
        starts.into_iter().partition(|(options, _)| options.context.is_none());
    (1..=NEAR).flat_map(move |near| [(near, documents.clone()), (near, fragments.clone())])
}

/// A search in progress.
struct Search<'m> {
    interpreter: Interpreter<'m>,
    /// For each mode, the pieces by which an input is extended.
    pieces: Vec<Rc<[String]>>,
    /// Number of rows to find inputs for.
    all: usize,
    witnesses: TreeWitnesses,
}

impl Search<'_> {
    fn is_done(&self) -> bool {
        self.witnesses.rows.len() == self.all
    }

    /// Extends each witness by one piece, including the new ones, until no further row is found. This finds the rows
    /// that follow a rarely reached row.
    fn extend_witnesses(&mut self) {
        let mut done: HashSet<ModeRowId> = HashSet::new();
        loop {
            let fresh = self.witnesses.rows.iter().filter(|(row, _)| done.insert(**row));
            let starts: Vec<PartialInput> =
                fresh.map(|(_, it)| (it.options.clone(), it.input.clone())).collect();
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

    fn walk(&mut self, starts: Vec<PartialInput>, bound: Bound, near: usize) {
        let Self { interpreter, pieces, all, witnesses } = self;
        let rows = &mut witnesses.rows;
        let reached = walk(
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
                    _ if rows.len() == *all => Expansion::Stop,
                    Some((state, mut configuration)) => {
                        let pieces = Rc::clone(&pieces[usize::from(configuration.mode.0)]);
                        configuration.cut(near);
                        Expansion::Continue((state, configuration), pieces)
                    }
                    None => Expansion::Prune,
                }
            },
        );
        witnesses.extent.add(reached);
    }
}

/// Returns the initial states of parsing with the machine's own modes; empty if it has no tree construction.
pub fn tree_starts(machine: &Machine) -> Vec<ParseOptions> {
    machine.construction.as_ref().map_or(Vec::new(), |construction| starts(machine, construction))
}

/// Returns the initial states of parsing: a document with each value of each flag of the host, and fragments in each
/// class of element that the table distinguishes.
pub(super) fn starts(machine: &Machine, construction: &Construction) -> Vec<ParseOptions> {
    let mut starts = vec![ParseOptions::default()];
    let of_trees = construction.flags.iter().filter(|flag| flag.by_host);
    let of_trees = of_trees.map(|flag| (&flag.name, &flag.values));
    let of_machine = machine.flags.iter().filter(|flag| flag.by_host);
    let of_machine = of_machine.map(|flag| (&flag.name, &flag.values));
    for (name, values) in of_trees.chain(of_machine) {
        for value in 1..values.len() {
            let flags = vec![(name.clone(), value as u8)];
            starts.push(ParseOptions { flags, ..ParseOptions::default() });
        }
    }
    for name in contexts(construction) {
        let context = Some(Context::new(name));
        starts.push(ParseOptions { context, ..ParseOptions::default() });
    }
    starts
}

fn contexts(construction: &Construction) -> Vec<ElementName> {
    let Some(fragment) = &construction.fragment else { return Vec::new() };
    let reset = construction.reset.iter().flat_map(|reset| &reset.rows);
    let rows = fragment.rows.iter().chain(reset);
    let mut contexts: Vec<ElementName> =
        rows.filter_map(|row| row.patterns.first().cloned()).collect();
    for condition in conditions(construction) {
        if let TreeCondition::ContextIs(names) = condition {
            contexts.extend(names.first().cloned());
        }
    }
    contexts.push(ElementName { namespace: Namespace::Own, local: "div".to_owned() });
    contexts.push(ElementName { namespace: Namespace::Svg, local: "g".to_owned() });
    contexts.push(ElementName { namespace: Namespace::Math, local: "mi".to_owned() });
    contexts.sort();
    contexts.dedup();
    contexts
}
