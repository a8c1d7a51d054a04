//! Reports cycles of states that never consume an input. For each class of inputs, the rows that consume nothing are
//! followed through calls and returns. A reported cycle is reachable with its input and can be repeated; paths with
//! contradictory conditions are excluded.

use super::flow::Situation;
use super::follower::{Follower, Move};
use super::inputs::InputClass;
use super::path::{Facts, Path};
use super::{CheckContext, words};
use crate::diagnostic::{Diagnostic, RECONSUME_CYCLE};
use crate::model::{Action, CharacterSet, Spanned, StateId, Transfer};
use std::collections::BTreeMap;

/// The inputs on which a cycle never advances.
#[derive(Default)]
struct StuckInputs {
    characters: CharacterSet,
    has_end: bool,
}

pub(super) fn check(context: &CheckContext<'_>) -> Vec<Diagnostic> {
    let follower = Follower::new(context);
    let situations = &context.flow.situations;
    let moves_of =
        |class| (0..situations.len()).map(|index| follower.moves(index, class)).collect();
    let moves: Vec<Vec<Vec<Move>>> = (0..follower.classes.len()).map(moves_of).collect();
    let arrivals = follower.arrivals(&moves);
    let mut cycles: BTreeMap<Vec<StateId>, StuckInputs> = BTreeMap::new();
    for ((class, moves), is_reachable) in follower.classes.iter().zip(moves).zip(&arrivals) {
        for cycle in cycles_of(context, &follower, &remove_dead_ends(moves, is_reachable)) {
            let stuck_inputs = cycles.entry(states_of(&cycle, situations)).or_default();
            match class {
                InputClass::Characters(set) => stuck_inputs.characters.insert_all(set),
                InputClass::End => stuck_inputs.has_end = true,
            }
        }
    }
    cycles
        .iter()
        .map(|(states, stuck_inputs)| cycle_diagnostic(context, states, stuck_inputs))
        .collect()
}

/// Returns the moves from reachable situations, without those that lead only to dead ends.
fn remove_dead_ends(mut moves: Vec<Vec<Move>>, is_reachable: &[bool]) -> Vec<Vec<Move>> {
    for (moves, is_reachable) in moves.iter_mut().zip(is_reachable) {
        moves.retain(|_| *is_reachable);
    }
    loop {
        let is_dead_end: Vec<bool> = moves.iter().map(Vec::is_empty).collect();
        let move_count: usize = moves.iter().map(Vec::len).sum();
        moves.iter_mut().for_each(|moves| moves.retain(|next| !is_dead_end[next.to]));
        if move_count == moves.iter().map(Vec::len).sum() {
            return moves;
        }
    }
}

/// Returns, for each situation, a repeatable cycle on which it has the lowest index, if there is one.
fn cycles_of(
    context: &CheckContext<'_>,
    follower: &Follower<'_, '_>,
    moves: &[Vec<Move>],
) -> Vec<Vec<usize>> {
    let mut cycles = Vec::new();
    for start in 0..moves.len() {
        let mut search = Search { context, follower, moves, start, path: Vec::new() };
        if search.close_cycle(start) {
            cycles.push(search.path.iter().map(|(at, _)| *at).collect());
        }
    }
    cycles
}

/// Returns the states of a cycle, beginning with the first one in the table, without adjacent duplicates.
fn states_of(cycle: &[usize], situations: &[Situation]) -> Vec<StateId> {
    let mut states: Vec<StateId> = cycle.iter().map(|&at| situations[at].state).collect();
    let first = (0..states.len()).min_by_key(|&index| states[index]).unwrap_or(0);
    states.rotate_left(first);
    states.dedup();
    states
}

/// A depth-first search for a path from a situation back to itself that avoids situations with lower indexes.
struct Search<'f, 's, 'm> {
    context: &'f CheckContext<'m>,
    follower: &'f Follower<'s, 'm>,
    moves: &'f [Vec<Move>],
    start: usize,
    path: Vec<(usize, Move)>,
}

impl Search<'_, '_, '_> {
    /// Extends the path to one that returns to its start and can be repeated. Returns whether there is one.
    fn close_cycle(&mut self, index: usize) -> bool {
        for &next in &self.moves[index] {
            if next.to < self.start
                || self.path.iter().any(|(before, _)| *before == next.to && next.to != self.start)
            {
                continue;
            }
            self.path.push((index, next));
            let is_closed =
                if next.to == self.start { self.can_repeat() } else { self.close_cycle(next.to) };
            if is_closed {
                return true;
            }
            self.path.pop();
        }
        false
    }

    /// Whether the path can be taken twice in a row without contradictory answers to its conditions.
    fn can_repeat(&self) -> bool {
        let machine = self.context.machine;
        let mut facts = Facts::default();
        if self.only_pops() {
            return false;
        }
        for (at, next) in self.path.iter().chain(&self.path) {
            let Some(edge) = next.edge else { continue };
            let Some((_, path)) = self.context.row_and_path(*at, edge) else { continue };
            if !facts.assume_all(machine, &path.facts) {
                return false;
            }
            let entered_state = self.context.flow.entered_state(edge);
            for action in self.context.actions(*at, edge, entered_state) {
                facts.apply_action(machine, &action.value);
            }
        }
        true
    }
}

impl Search<'_, '_, '_> {
    /// Whether the path pushes no state, but pops one other than the start state. The stack then shrinks in each round
    /// until it is empty and leads to the start state.
    fn only_pops(&self) -> bool {
        let start = self.context.machine.start;
        let paths = self.path.iter().filter_map(|(at, next)| {
            let (_, path) = self.context.row_and_path(*at, next.edge?)?;
            Some((path, self.follower.state(next.to)))
        });
        let paths: Vec<_> = paths.collect();
        let pops = |(path, to): &(&Path<'_>, StateId)| {
            path.end() == Transfer::ToPushedState && *to != start
        };
        let pushes = |action: &&Spanned<Action>| matches!(action.value, Action::PushState(_));
        paths.iter().any(pops)
            && !paths.iter().any(|(path, _)| path.actions().any(|it| pushes(&it)))
    }
}

fn cycle_diagnostic(
    context: &CheckContext<'_>,
    states: &[StateId],
    stuck_inputs: &StuckInputs,
) -> Diagnostic {
    let quoted_name = |state: &StateId| format!("`{}`", context.machine.state(*state).name);
    let mut inputs = words::ranges(&stuck_inputs.characters);
    if stuck_inputs.has_end {
        inputs.push("the end of the input".to_owned());
    }
    let inputs = words::list(&inputs);
    let message = match states {
        [state] => format!("endless loop on {inputs}: {} consumes nothing", quoted_name(state)),
        _ => {
            let round: Vec<String> = states.iter().chain(states.first()).map(quoted_name).collect();
            format!("endless loop on {inputs}: {} consume nothing", round.join(" → "))
        }
    };
    let span = context.machine.state(states[0]).span;
    let diagnostic = Diagnostic::new(RECONSUME_CYCLE, span, message)
        .help("consume the input in one of the rows, or stop with `emit end-of-file`");
    match states.get(1) {
        Some(&next) => diagnostic.and(context.machine.state(next).span, "the next state"),
        None => diagnostic,
    }
}
