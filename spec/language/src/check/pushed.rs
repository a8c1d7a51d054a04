//! Determines which registers may end between pushing a state and returning to it. The values of registers are tracked
//! by `registers`.

use super::CheckContext;
use super::flow::Edge;
use super::path::{End, Path};
use crate::model::{Action, Register, StateId};
use std::collections::HashSet;

/// Returns the states that the edge pushes.
pub(super) fn pushes(subject: &CheckContext<'_>, index: usize, edge: Edge) -> Vec<StateId> {
    let actions = actions(subject, index, edge, subject.flow.entered_state(edge));
    let pushed = actions.into_iter().filter_map(|action| {
        if let Action::PushState(state) = action { Some(*state) } else { None }
    });
    pushed.collect()
}

/// Whether the edge returns to a pushed state.
pub(super) fn returns_to_pushed(subject: &CheckContext<'_>, index: usize, edge: Edge) -> bool {
    path(subject, index, edge).is_some_and(|path| path.end() == End::PushedState)
}

/// Returns the registers that may end between this situation and the return to a state pushed before it. States pushed
/// in between are returned to in between.
pub(super) fn ended_before_return(subject: &CheckContext<'_>, from: usize) -> HashSet<Register> {
    let flow = subject.flow;
    let (mut seen, mut open) = (HashSet::from([from]), vec![from]);
    let mut ended = HashSet::new();
    while let Some(index) = open.pop() {
        for &edge in &flow.edges[index] {
            // The actions on entering the returned-to state come after the return.
            let next = edge.to.filter(|_| !returns_to_pushed(subject, index, edge));
            let entered = next.and_then(|_| flow.entered_state(edge));
            let pushed = pushes(subject, index, edge);
            let again = (0..flow.situations.len())
                .filter(|&other| pushed.contains(&flow.situations[other].state));
            let enter = pushed.iter().flat_map(|&state| &subject.machine.state(state).enter);
            let actions = actions(subject, index, edge, entered).into_iter();
            let actions = actions.chain(enter.map(|action| &action.value));
            ended.extend(actions.flat_map(|action| action.effects().ends.into_iter().flatten()));
            open.extend(again.chain(next).filter(|&other| seen.insert(other)));
        }
    }
    ended
}

fn path<'s, 'm>(subject: &'s CheckContext<'m>, index: usize, edge: Edge) -> Option<&'s Path<'m>> {
    let (row, path) = edge.via?;
    Some(&subject.paths.of_row(subject.flow.situations[index].state, row)[path])
}

/// Returns the actions of the edge, including those on entering the state, if one is given.
fn actions<'m>(
    subject: &CheckContext<'m>,
    at: usize,
    edge: Edge,
    entered: Option<StateId>,
) -> Vec<&'m Action> {
    let Some(path) = path(subject, at, edge) else { return Vec::new() };
    let state = subject.flow.situations[at].state;
    let all = path.all_actions(subject.machine, state, entered);
    all.into_iter().map(|action| &action.value).collect()
}
