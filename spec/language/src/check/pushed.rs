//! Determines which registers may end between pushing a state and returning to it. The values of registers are tracked
//! by `registers`.

use super::CheckContext;
use super::flow::Edge;
use super::path::End;
use crate::model::{Action, Register, StateId};
use std::collections::HashSet;

/// Returns the states that the edge pushes.
pub(super) fn pushes(subject: &CheckContext<'_>, index: usize, edge: Edge) -> Vec<StateId> {
    let actions = subject.actions(index, edge, subject.flow.entered_state(edge));
    let pushed = actions.into_iter().filter_map(|action| {
        if let Action::PushState(state) = action.value { Some(state) } else { None }
    });
    pushed.collect()
}

/// Whether the edge returns to a pushed state.
pub(super) fn returns_to_pushed(subject: &CheckContext<'_>, index: usize, edge: Edge) -> bool {
    subject.row_and_path(index, edge).is_some_and(|(_, path)| path.end() == End::PushedState)
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
            let actions = subject.actions(index, edge, entered).into_iter().chain(enter);
            ended.extend(
                actions.flat_map(|action| action.value.effects().ends.into_iter().flatten()),
            );
            open.extend(again.chain(next).filter(|&other| seen.insert(other)));
        }
    }
    ended
}
