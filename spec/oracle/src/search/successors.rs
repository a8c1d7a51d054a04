//! Where rows lead: which states may follow, and which of them see the same character again.
//! It follows no values. Invariant: a state that may follow is among those that are returned.

use tabulex_language::model::{Action, Goes, Machine, Row, State, StateId, Step, Subject};

/// The states that may come after the row, its own included.
pub(super) fn successors(machine: &Machine, id: StateId, row: &Row) -> Vec<StateId> {
    let mut states = vec![id];
    for action in Step::actions(&row.steps) {
        match action.goes() {
            Goes::To(state) => states.push(state),
            Goes::ToReturnState => states.extend(return_states(machine)),
            Goes::ToPushedState => states.extend(machine.pushed_targets()),
            Goes::Back | Goes::BackWith => {
                let calls =
                    |state: &StateId| matches!(machine.state(*state).subject, Subject::Result(_));
                states.extend(machine.state_ids().filter(calls));
            }
            // `as else` takes another row of the same state, whose successors count there.
            Goes::Nowhere | Goes::Ends => {}
        }
    }
    states
}

/// All states that rows name as the return state.
fn return_states(machine: &Machine) -> Vec<StateId> {
    let rows = machine.states.iter().flat_map(|state| &state.rows);
    let states = rows.flat_map(|row| Step::actions(&row.steps)).filter_map(|action| {
        if let Action::SetReturnState(state) = action { Some(*state) } else { None }
    });
    states.collect()
}

/// The state and all others in which the character may be looked at that it looks at.
pub(super) fn seeing_the_same(machine: &Machine, id: StateId) -> Vec<StateId> {
    let mut states = vec![id];
    let mut at = 0;
    while let Some(&id) = states.get(at) {
        let state = machine.state(id);
        let mut next: Vec<StateId> = Vec::new();
        if let Subject::Result(procedure) = state.subject {
            next.push(machine.procedures[usize::from(procedure.0)].start);
        }
        let leaving = state.rows.iter().filter(|row| gives_back(state, row));
        next.extend(leaving.flat_map(|row| successors(machine, id, row)));
        next.retain(|other| !states.contains(other));
        next.sort();
        next.dedup();
        states.extend(next);
        at += 1;
    }
    states
}

/// Whether the row leaves the character for the state that follows.
fn gives_back(state: &State, row: &Row) -> bool {
    let looks = matches!(state.subject, Subject::Input | Subject::Lexemes(_));
    let is_back = |action: &Action| matches!(action, Action::Reconsume | Action::ReturnNothing);
    !looks || Step::actions(&row.steps).into_iter().any(is_back)
}
