//! States that hand an input around for ever. For every part of the inputs it follows the rows that consume nothing,
//! through calls and returns. It does not report ways whose conditions exclude one another. Invariant: what it reports
//! is a way that, once taken, leads to itself with the same input.

use super::flow::{Edge, Outcome};
use super::inputs::{Firsts, Part, parts};
use super::way::{Facts, Way};
use super::{Subject, words};
use crate::diagnostic::{Diagnostic, RECONSUME_CYCLE};
use crate::model::{self, CharacterSet, StateId};
use std::collections::{BTreeMap, HashSet};

/// A step that consumes nothing.
#[derive(Clone, Copy)]
struct Move {
    to: usize,
    edge: Option<Edge>,
}

/// The inputs that a cycle holds up.
#[derive(Default)]
struct HeldUp {
    characters: CharacterSet,
    end: bool,
}

pub(super) fn check(subject: &Subject<'_>) -> Vec<Diagnostic> {
    let firsts = Firsts::new(subject.machine);
    let mut cycles: BTreeMap<Vec<StateId>, HeldUp> = BTreeMap::new();
    for part in parts(subject.machine) {
        let follower = Follower::new(subject, &firsts, &part);
        for cycle in follower.cycles() {
            let held = cycles.entry(cycle).or_default();
            match &part {
                Part::Characters(set) => held.characters.insert_all(set),
                Part::End => held.end = true,
            }
        }
    }
    cycles.iter().map(|(states, held)| never_consumed(subject, states, held)).collect()
}

/// Follows one part of the inputs.
struct Follower<'s, 'm> {
    subject: &'s Subject<'m>,
    part: &'s Part,
    /// For every state over characters, the rows that the part can take.
    rows: Vec<Vec<usize>>,
}

impl<'s, 'm> Follower<'s, 'm> {
    fn new(subject: &'s Subject<'m>, firsts: &Firsts, part: &'s Part) -> Self {
        let machine = subject.machine;
        let rows = |state| firsts.rows(machine, state, part);
        Self { subject, part, rows: machine.states.iter().map(rows).collect() }
    }

    fn way(&self, at: usize, edge: Edge) -> Option<&'s Way<'m>> {
        let (row, way) = edge.via?;
        let state = self.subject.flow.situations[at].state;
        Some(&self.subject.ways.of(state, row)[way])
    }

    /// Whether the edge can be taken with the part; a call, a result and a number look at no input.
    fn takes(&self, at: usize, edge: Edge) -> bool {
        let state = self.subject.flow.situations[at].state;
        match edge.via {
            Some((row, _)) if self.looks_at_input(state) => {
                self.rows[usize::from(state.0)].contains(&row)
            }
            _ => true,
        }
    }

    fn looks_at_input(&self, state: StateId) -> bool {
        self.subject.machine.state(state).subject == model::Subject::Input
    }

    /// Whether the same input stands next behind the edge.
    fn keeps(&self, at: usize, edge: Edge) -> bool {
        let state = self.subject.flow.situations[at].state;
        !self.looks_at_input(state)
            || matches!(self.part, Part::End)
            || self.way(at, edge).is_some_and(Way::reconsumes)
    }

    fn returns_nothing(&self, at: usize, edge: Edge) -> bool {
        let situations = &self.subject.flow.situations;
        edge.to.is_some_and(|to| situations[to].result == Some(Outcome::Nothing))
            && situations[at].result.is_none()
            && edge.via.is_some()
            && situations[at].caller.is_some()
    }

    /// The steps from the situation that consume nothing.
    fn moves(&self, at: usize) -> Vec<Move> {
        let mut moves = Vec::new();
        for &edge in &self.subject.flow.edges[at] {
            let Some(to) = edge.to else { continue };
            if edge.via.is_none() {
                moves.extend(self.fruitless(to).into_iter().map(|to| Move { to, edge: None }));
            }
            // What a procedure consumed is unconsumed by `return nothing`: the whole call is one step.
            if self.takes(at, edge) && self.keeps(at, edge) && !self.returns_nothing(at, edge) {
                moves.push(Move { to, edge: Some(edge) });
            }
        }
        moves
    }

    /// Where callers go on when the procedure that starts in this situation, with this input, returns nothing.
    fn fruitless(&self, start: usize) -> Vec<usize> {
        let flow = self.subject.flow;
        let mut seen = HashSet::from([(start, true)]);
        let mut open = vec![(start, true)];
        let mut ends = Vec::new();
        while let Some((at, same_input)) = open.pop() {
            for &edge in &flow.edges[at] {
                let Some(to) = edge.to.filter(|_| !same_input || self.takes(at, edge)) else {
                    continue;
                };
                if self.returns_nothing(at, edge) {
                    ends.push(to);
                } else if flow.situations[to].caller.is_some() {
                    let next = (to, same_input && self.keeps(at, edge));
                    if seen.insert(next) {
                        open.push(next);
                    }
                }
            }
        }
        ends.sort_unstable();
        ends.dedup();
        ends
    }

    /// Every cycle that can be gone round again and again, as its states from the first one in the table.
    fn cycles(&self) -> Vec<Vec<StateId>> {
        let moves = self.moves_on_cycles();
        let mut found = Vec::new();
        for start in 0..moves.len() {
            let mut search = Search { follower: self, moves: &moves, start, path: Vec::new() };
            if search.comes_back(start) {
                let mut states: Vec<StateId> = search
                    .path
                    .iter()
                    .map(|(at, _)| self.subject.flow.situations[*at].state)
                    .collect();
                states.dedup();
                let first = (0..states.len()).min_by_key(|&index| states[index]).unwrap_or(0);
                states.rotate_left(first);
                states.dedup();
                found.push(states);
            }
        }
        found
    }

    /// The moves, without those from which no way leads on for ever.
    fn moves_on_cycles(&self) -> Vec<Vec<Move>> {
        let count = self.subject.flow.situations.len();
        let mut moves: Vec<Vec<Move>> = (0..count).map(|at| self.moves(at)).collect();
        loop {
            let ended: Vec<bool> = moves.iter().map(Vec::is_empty).collect();
            let before: usize = moves.iter().map(Vec::len).sum();
            moves.iter_mut().for_each(|moves| moves.retain(|next| !ended[next.to]));
            if before == moves.iter().map(Vec::len).sum() {
                return moves;
            }
        }
    }
}

/// A search for a way from a situation back to itself through later situations.
struct Search<'f, 's, 'm> {
    follower: &'f Follower<'s, 'm>,
    moves: &'f [Vec<Move>],
    start: usize,
    path: Vec<(usize, Move)>,
}

impl Search<'_, '_, '_> {
    /// Extends the path until it comes back; false if it never does.
    fn comes_back(&mut self, at: usize) -> bool {
        for &next in &self.moves[at] {
            if next.to < self.start
                || self.path.iter().any(|(before, _)| *before == next.to && next.to != self.start)
            {
                continue;
            }
            self.path.push((at, next));
            let back =
                if next.to == self.start { self.can_repeat() } else { self.comes_back(next.to) };
            if back {
                return true;
            }
            self.path.pop();
        }
        false
    }

    /// Whether the path can be gone twice, with the answers to all its conditions.
    fn can_repeat(&self) -> bool {
        let machine = self.follower.subject.machine;
        let mut facts = Facts::default();
        for (at, next) in self.path.iter().chain(&self.path) {
            let Some(edge) = next.edge else { continue };
            let Some(way) = self.follower.way(*at, edge) else { continue };
            if !facts.assume_all(machine, &way.facts) {
                return false;
            }
            let state = self.follower.subject.flow.situations[*at].state;
            let entered = self.follower.subject.flow.entered(edge);
            for action in way.all_actions(machine, state, entered) {
                facts.after(machine, &action.value);
            }
        }
        true
    }
}

fn never_consumed(subject: &Subject<'_>, states: &[StateId], held: &HeldUp) -> Diagnostic {
    let name = |state: &StateId| format!("`{}`", subject.machine.state(*state).name);
    let mut inputs = words::ranges(&held.characters);
    if held.end {
        inputs.push("the end of the input".to_owned());
    }
    let inputs = words::list(&inputs);
    let message = match states {
        [state] => format!("the machine never ends with {inputs}: {} keeps it", name(state)),
        _ => {
            let round: Vec<String> = states.iter().chain(states.first()).map(name).collect();
            format!("the machine never ends with {inputs}: {} consume nothing", round.join(" → "))
        }
    };
    let place = subject.machine.state(states[0]).place;
    let diagnostic = Diagnostic::new(RECONSUME_CYCLE, place, message)
        .help("let one of the rows consume the input, or stop with `emit end-of-file`");
    match states.get(1) {
        Some(&next) => diagnostic.and(subject.machine.state(next).place, "the next state stands"),
        None => diagnostic,
    }
}
