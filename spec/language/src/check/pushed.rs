//! Determines which registers may end between pushing a state and returning to it. The values of registers are tracked
//! by `registers`.

use super::CheckContext;
use super::flow::Edge;
use crate::model::{Action, Register, StateId, Transfer};
use std::collections::HashSet;

/// Returns the states that the edge pushes.
pub(super) fn pushes(context: &CheckContext<'_>, index: usize, edge: Edge) -> Vec<StateId> {
    let actions = context.actions(index, edge, context.flow.entered_state(edge));
    let pushed_states = actions.into_iter().filter_map(|action| {
        if let Action::PushState(state) = action.value { Some(state) } else { None }
    });
    pushed_states.collect()
}

/// Whether the edge returns to a pushed state.
pub(super) fn returns_to_pushed(context: &CheckContext<'_>, index: usize, edge: Edge) -> bool {
    context.row_and_path(index, edge).is_some_and(|(_, path)| path.end() == Transfer::ToPushedState)
}

/// Returns the registers that may end between the situation `from` and the return to a state pushed before it. States
/// pushed in the meantime are popped first, so the registers that end in these are included.
pub(super) fn ended_before_return(context: &CheckContext<'_>, from: usize) -> HashSet<Register> {
    let flow = context.flow;
    let (mut visited, mut open) = (HashSet::from([from]), vec![from]);
    let mut ended_registers = HashSet::new();
    while let Some(index) = open.pop() {
        for &edge in &flow.edges[index] {
            // If an edge returns to a pushed state, that state's `enter` actions run after the return, so they are left
            // out.
            let target = edge.to.filter(|_| !returns_to_pushed(context, index, edge));
            let entered = target.and_then(|_| flow.entered_state(edge));
            let pushed_states = pushes(context, index, edge);
            let pushed_situations = (0..flow.situations.len())
                .filter(|&other| pushed_states.contains(&flow.situations[other].state));
            let entry_actions =
                pushed_states.iter().flat_map(|&state| &context.machine.state(state).enter);
            let actions = context.actions(index, edge, entered).into_iter().chain(entry_actions);
            ended_registers.extend(
                actions.flat_map(|action| action.value.effects().ends.into_iter().flatten()),
            );
            open.extend(pushed_situations.chain(target).filter(|&other| visited.insert(other)));
        }
    }
    ended_registers
}
