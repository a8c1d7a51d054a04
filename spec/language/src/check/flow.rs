//! The graph of reachable situations of a machine, in breadth-first order from the start. Every row counts as possible;
//! `cycle` takes characters into account.

use super::path::{Path, Paths};
use crate::model::{Action, Machine, Pattern, Row, StateId, Transfer};
use std::collections::HashMap;

/// A state with the registers that decide where it can lead.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) struct Situation {
    pub(super) state: StateId,
    /// The state that called the procedure that the state belongs to; `None` outside of procedures.
    pub(super) caller: Option<StateId>,
    /// The return state, if it is set.
    pub(super) return_state: Option<StateId>,
    /// Outcome of the procedure that the state has called; `None` until the procedure ends.
    pub(super) result: Option<Outcome>,
}

/// Outcome of a procedure.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) enum Outcome {
    /// The procedure returned nothing.
    Nothing,
    /// The procedure returned characters.
    Returned,
}

/// An edge from one situation to another.
#[derive(Clone, Copy, Debug)]
pub(super) struct Edge {
    /// Index of the target; `None` if the machine stops, or has no state to return to.
    pub(super) to: Option<usize>,
    /// Indices of the row and of the path through it; `None` for a call.
    pub(super) via: Option<(usize, usize)>,
}

/// The situations of a machine, with their edges.
pub(super) struct Flow {
    pub(super) situations: Vec<Situation>,
    pub(super) edges: Vec<Vec<Edge>>,
    /// Indexes of the situations in which a run can begin.
    pub(super) starts: Vec<usize>,
}

impl Flow {
    pub(super) fn new(machine: &Machine, paths: &Paths<'_>) -> Self {
        let mut flow = Self { situations: Vec::new(), edges: Vec::new(), starts: Vec::new() };
        let mut indexes = HashMap::new();
        for &state in std::iter::once(&machine.start).chain(&machine.entries) {
            let start = Situation { state, caller: None, return_state: None, result: None };
            let index = flow.intern(start, &mut indexes);
            flow.starts.push(index);
        }
        let mut index = 0;
        while index < flow.situations.len() {
            let mut edges = Vec::new();
            for (next, via) in successors(machine, paths, flow.situations[index]) {
                edges.push(Edge { to: next.map(|next| flow.intern(next, &mut indexes)), via });
            }
            flow.edges.push(edges);
            index += 1;
        }
        flow
    }

    /// Returns the state that the edge enters; `None` if the machine stops, or if a caller resumes without being
    /// entered again.
    pub(super) fn entered_state(&self, edge: Edge) -> Option<StateId> {
        let next = self.situations[edge.to?];
        next.result.is_none().then_some(next.state)
    }

    fn intern(&mut self, situation: Situation, indexes: &mut HashMap<Situation, usize>) -> usize {
        *indexes.entry(situation).or_insert_with(|| {
            self.situations.push(situation);
            self.situations.len() - 1
        })
    }
}

/// The successors of a situation, each with the row and the path through it.
type Successors = Vec<(Option<Situation>, Option<(usize, usize)>)>;

fn successors(machine: &Machine, paths: &Paths<'_>, from: Situation) -> Successors {
    if from.result.is_none()
        && let Some(start) = machine.called_start(from.state)
    {
        let called = Situation { state: start, caller: Some(from.state), result: None, ..from };
        return vec![(Some(called), None)];
    }
    let mut successors = Successors::new();
    for (index, row) in machine.state(from.state).rows.iter().enumerate() {
        if !row.can_match(from.result) {
            continue;
        }
        for (path_index, path) in paths.of_row(from.state, index).iter().enumerate() {
            if path.facts.allow(from.caller, from.return_state) {
                let pops_state = path.end() == Transfer::ToPushedState;
                let pushed_states =
                    if pops_state { machine.pushed_targets() } else { vec![from.state] };
                let next_situations = pushed_states
                    .into_iter()
                    .map(|pushed| situation_after(machine, from, path, pushed));
                successors.extend(next_situations.map(|next| (next, Some((index, path_index)))));
                // A switch that a later step overrules is reported elsewhere, so its target still counts as reachable
                // here.
                let overruled_targets = path.overruled().into_iter();
                let after_overruled =
                    overruled_targets.map(|state| Some(Situation { state, result: None, ..from }));
                successors.extend(after_overruled.map(|to| (to, Some((index, path_index)))));
            }
        }
    }
    successors
}

/// Returns the situation after a path, where `pushed` is the state pushed last; `None` if the machine stops, or has no
/// state to return to.
fn situation_after(
    machine: &Machine,
    from: Situation,
    path: &Path<'_>,
    pushed: StateId,
) -> Option<Situation> {
    let target = match path.end() {
        Transfer::Nowhere => Some(from.state),
        Transfer::To(state) => Some(state),
        Transfer::ToPushedState => Some(pushed),
        Transfer::ToReturnState
        | Transfer::ReturnNothing
        | Transfer::ReturnText
        | Transfer::Ends => None,
    };
    let mut return_state = from.return_state;
    for action in path.all_actions(machine, from.state, target) {
        if let Action::SetReturnState(state) = action.value {
            return_state = Some(state);
        }
    }
    let (state, result) = match path.end() {
        Transfer::Ends => return None,
        Transfer::ToReturnState => (return_state?, None),
        Transfer::ReturnNothing => (from.caller?, Some(Outcome::Nothing)),
        Transfer::ReturnText => (from.caller?, Some(Outcome::Returned)),
        Transfer::Nowhere | Transfer::To(_) | Transfer::ToPushedState => (target?, None),
    };
    let has_returned = result.is_some();
    let caller = from.caller.filter(|_| !has_returned && machine.state(state).procedure.is_some());
    Some(Situation { state, caller, return_state, result })
}

impl Row {
    /// Whether the row can match after this outcome of a called procedure. Without an outcome, any row can.
    fn can_match(&self, result: Option<Outcome>) -> bool {
        let expected = match result {
            None => return true,
            Some(Outcome::Nothing) => Pattern::Nothing,
            Some(Outcome::Returned) => Pattern::Returned,
        };
        self.has_pattern(&expected)
    }
}
