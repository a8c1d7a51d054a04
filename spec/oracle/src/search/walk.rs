//! The walk through inputs in the order of their lengths. It knows nothing of rows. Invariant: no input is visited
//! before a shorter one, and none is gone on from whose end was met before.

use super::Bound;
use super::probe::Start;
use std::collections::HashSet;
use std::hash::Hash;
use std::rc::Rc;
use std::time::Instant;
use tabulex_language::model::Machine;

/// What is to be done after an input.
pub(super) enum Next<K> {
    /// It is gone on from with these pieces, unless the key was met before.
    On(K, Rc<[String]>),
    /// Nothing follows it.
    Over,
    /// The search has found all.
    Done,
}

/// How far a walk has come.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Reached {
    /// How many inputs were run.
    pub inputs: usize,
    /// How many configurations were gone on from.
    pub configurations: usize,
    /// Whether nothing was left to go on from, so that the bound made no difference.
    pub is_whole: bool,
}

/// The length of a piece in characters.
pub(super) fn characters(piece: &str) -> usize {
    piece.chars().count()
}

/// Visits the inputs that it is given, each with its start, then what comes of them when pieces are added. The bound's
/// length is that of what was added, as it is measured here.
pub(super) fn walk<S: Clone, K: Hash + Eq>(
    starts: Vec<(S, String)>,
    bound: Bound,
    measure: fn(&str) -> usize,
    mut visit: impl FnMut(&S, &str) -> Next<K>,
) -> Reached {
    let mut reached = Reached::default();
    let mut met: HashSet<K> = HashSet::new();
    // The inputs that are gone on from; those that wait are identified by their first part and their last piece.
    let none: Rc<[String]> = Rc::new([]);
    let mut inputs: Vec<(S, String, Rc<[String]>)> = Vec::new();
    let mut waiting: Vec<Vec<(usize, Option<usize>)>> = vec![Vec::new(); bound.length + 1];
    for (start, input) in starts {
        waiting[0].push((inputs.len(), None));
        inputs.push((start, input, Rc::clone(&none)));
    }
    let mut is_cut = false;
    for length in 0..=bound.length {
        for (before, piece) in std::mem::take(&mut waiting[length]) {
            let (start, begin, pieces) = &inputs[before];
            let input = begin.clone() + piece.map_or("", |piece| &pieces[piece]);
            if bound.until.is_some_and(|end| Instant::now() >= end) {
                return reached;
            }
            reached.inputs += 1;
            let pieces = match visit(start, &input) {
                Next::Done => return reached,
                Next::Over => continue,
                Next::On(key, pieces) => {
                    if !met.insert(key) {
                        continue;
                    }
                    pieces
                }
            };
            if reached.configurations == bound.configurations {
                return reached;
            }
            reached.configurations += 1;
            for (at, piece) in pieces.iter().enumerate() {
                match waiting.get_mut(length + measure(piece)) {
                    Some(list) => list.push((inputs.len(), Some(at))),
                    None => is_cut = true,
                }
            }
            let start = start.clone();
            inputs.push((start, input, pieces));
        }
    }
    reached.is_whole = !is_cut;
    reached
}

/// How runs of the machine may begin: in its first state, and in those that the host may switch it to, after a
/// start tag of the name `a`; with each value of each flag that the host sets.
pub(super) fn starts(machine: &Machine) -> Vec<Start> {
    let mut states = vec![(machine.start, None)];
    states.extend(machine.entries.iter().map(|&entry| (entry, Some("a".to_owned()))));
    let mut starts = Vec::new();
    for (state, last_start_tag) in states {
        let start =
            Start { state: machine.state(state).name.clone(), last_start_tag, flags: Vec::new() };
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
