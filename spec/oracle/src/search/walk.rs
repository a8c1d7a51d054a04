//! Breadth-first search over inputs in order of length, which expands each configuration once.

use super::Bound;
use super::probe::Start;
use std::collections::HashSet;
use std::hash::Hash;
use std::rc::Rc;
use std::time::Instant;
use tabulex_language::model::{Action, Condition, Machine, Register, Row};

/// The continuation of a search after an input.
pub(super) enum Expansion<K> {
    /// Append each of these pieces to the input, unless an earlier input had the same key.
    Continue(K, Rc<[String]>),
    /// Append nothing to the input.
    Prune,
    /// End the search.
    Stop,
}

/// The extent of a search.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct SearchExtent {
    /// Number of inputs that were run.
    pub inputs: usize,
    /// Number of configurations that were expanded.
    pub configurations: usize,
    /// Whether the search covered all inputs, so that a larger bound would find nothing more.
    pub is_exhaustive: bool,
}

impl SearchExtent {
    /// Returns the extent of the search of these machines: it is exhaustive only if rows depend on nothing but what
    /// configurations represent, so not on the fields of declared tokens or on going back.
    pub(super) fn of_machines(mut self, machines: &[&Machine]) -> Self {
        let reads_field = |condition: &Condition| {
            condition.reads().iter().any(|register| matches!(register, Register::Declared(_)))
        };
        self.is_exhaustive &= !machines.iter().flat_map(|machine| &machine.states).any(|state| {
            state.rows.iter().flat_map(Row::conditions).any(reads_field)
                || state.actions().any(|action| *action == Action::GoBack)
        });
        self
    }

    /// Adds the counts of a later search, and replaces `is_exhaustive` by that of the later search.
    pub(super) fn add(&mut self, later: Self) {
        self.inputs += later.inputs;
        self.configurations += later.configurations;
        self.is_exhaustive = later.is_exhaustive;
    }
}

/// Returns the length of a piece in characters.
pub(super) fn characters(piece: &str) -> usize {
    piece.chars().count()
}

/// Visits the inputs in `starts`, and then extends them by the pieces that `visit` returns. The bound limits the length
/// of the extensions, as the sum of `measure` over their pieces.
pub(super) fn walk<S: Clone, K: Hash + Eq>(
    starts: Vec<(S, String)>,
    bound: Bound,
    measure: fn(&str) -> usize,
    mut visit: impl FnMut(&S, &str) -> Expansion<K>,
) -> SearchExtent {
    let mut extent = SearchExtent::default();
    let mut visited: HashSet<K> = HashSet::new();
    let no_pieces: Rc<[String]> = Rc::new([]);
    let mut inputs: Vec<(S, String, Rc<[String]>)> = Vec::new();
    // `waiting[length]` lists the inputs of this length to visit. Each is a pair: the index in `inputs` of the input
    // that it extends, and the index of the piece to append; for a start, its own index and `None`.
    let mut waiting: Vec<Vec<(usize, Option<usize>)>> = vec![Vec::new(); bound.length + 1];
    for (start, input) in starts {
        waiting[0].push((inputs.len(), None));
        inputs.push((start, input, Rc::clone(&no_pieces)));
    }
    let mut is_truncated = false;
    for length in 0..=bound.length {
        for (base_index, piece) in std::mem::take(&mut waiting[length]) {
            let (start, base, pieces) = &inputs[base_index];
            let input = base.clone() + piece.map_or("", |piece| &pieces[piece]);
            if bound.until.is_some_and(|end| Instant::now() >= end) {
                return extent;
            }
            extent.inputs += 1;
            let pieces = match visit(start, &input) {
                Expansion::Stop => return extent,
                Expansion::Prune => continue,
                Expansion::Continue(key, pieces) => {
                    if !visited.insert(key) {
                        continue;
                    }
                    pieces
                }
            };
            if extent.configurations == bound.configurations {
                return extent;
            }
            extent.configurations += 1;
            for (offset, piece) in pieces.iter().enumerate() {
                match waiting.get_mut(length + measure(piece)) {
                    Some(list) => list.push((inputs.len(), Some(offset))),
                    None => is_truncated = true,
                }
            }
            let start = start.clone();
            inputs.push((start, input, pieces));
        }
    }
    extent.is_exhaustive = !is_truncated;
    extent
}

/// Returns the starts of runs: the start state; each state that the host may select, with the last start tag `a`; and
/// each of these states with that tag and each other value of one flag of the host.
pub(super) fn starts(machine: &Machine) -> Vec<Start> {
    let mut states = vec![(machine.start, None)];
    states.extend(machine.entries.iter().map(|&entry| (entry, Some("a".to_owned()))));
    let mut starts = Vec::new();
    for (state, last_start_tag) in states {
        let start =
            Start { state: machine.state(state).name.clone(), last_start_tag, ..Start::default() };
        starts.push(start.clone());
        for flag in machine.flags.iter().filter(|flag| flag.by_host) {
            for value in flag.values.iter().skip(1) {
                let flags = vec![(flag.name.clone(), value.clone())];
                let last_start_tag = Some("a".to_owned());
                starts.push(Start { flags, last_start_tag, ..start.clone() });
            }
        }
    }
    starts.dedup();
    starts
}
