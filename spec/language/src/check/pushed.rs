//! Determines which registers may end between pushing a state and returning to it. The values of registers are tracked
//! by `registers`.

use super::CheckContext;
use super::flow::Edge;
use super::path::End;
use crate::model::{Action, Register, StateId};
use std::collections::HashSet;

/// Returns the states that the edge pushes.
pub(super) fn pushes(context: &CheckContext<'_>, index: usize, edge: Edge) -> Vec<StateId> {
    let actions = context.actions(index, edge, context.flow.entered_state(edge));
    let pushed = actions.into_iter().filter_map(|action| {
        if let Action::PushState(state) = action.value { Some(state) } else { None }
    });
    pushed.collect()
}

/// Whether the edge returns to a pushed state.
pub(super) fn returns_to_pushed(context: &CheckContext<'_>, index: usize, edge: Edge) -> bool {
    context.row_and_path(index, edge).is_some_and(|(_, path)| path.end() == End::PushedState)
}

/// Returns the registers that may end between this situation and the return to a state pushed before it. A state
/// pushed in the meantime is returned to before that.
pub(super) fn ended_before_return(context: &CheckContext<'_>, from: usize) -> HashSet<Register> {
    let flow = context.flow;
    let (mut visited, mut open) = (HashSet::from([from]), vec![from]);
    let mut ended = HashSet::new();
    while let Some(index) = open.pop() {
        for &edge in &flow.edges[index] {
            // The actions on entering the returned-to state come after the return.
            let next = edge.to.filter(|_| !returns_to_pushed(context, index, edge));
            let entered = next.and_then(|_| flow.entered_state(edge));
            let pushed = pushes(context, index, edge);
            let pushed_situations = (0..flow.situations.len())
                .filter(|&other| pushed.contains(&flow.situations[other].state));
            let enter = pushed.iter().flat_map(|&state| &context.machine.state(state).enter);
            let actions = context.actions(index, edge, entered).into_iter().chain(enter);
            ended.extend(
                actions.flat_map(|action| action.value.effects().ends.into_iter().flatten()),
            );
            open.extend(pushed_situations.chain(next).filter(|&other| visited.insert(other)));
        }
    }
    ended
}
