//! Successors of rows: the states that may follow, and those that may read the same character again. Values are not
//! followed, so the results are supersets.

use tabulex_language::model::{Action, Machine, Row, State, StateId, Step, Subject, Transfer};

/// Returns the states that may follow a row, including its own.
pub(super) fn successors(machine: &Machine, id: StateId, row: &Row) -> Vec<StateId> {
    let mut states = vec![id];
    for action in Step::actions(&row.steps) {
        match action.transfer() {
            Transfer::To(state) => states.push(state),
            Transfer::ToReturnState => states.extend(return_states(machine)),
            Transfer::ToPushedState => states.extend(machine.pushed_targets()),
            Transfer::ReturnNothing | Transfer::ReturnText => {
                let calls =
                    |state: &StateId| matches!(machine.state(*state).subject, Subject::Result(_));
                states.extend(machine.state_ids().filter(calls));
            }
            // `as else` runs another row of the state, whose successors are counted there.
            Transfer::Nowhere | Transfer::Ends => {}
        }
    }
    states
}

/// Returns all states that rows set as return state.
fn return_states(machine: &Machine) -> Vec<StateId> {
    let rows = machine.states.iter().flat_map(|state| &state.rows);
    let states = rows.flat_map(|row| Step::actions(&row.steps)).filter_map(|action| {
        if let Action::SetReturnState(state) = action { Some(*state) } else { None }
    });
    states.collect()
}

/// Returns the state and all others that may read the character that it reads.
pub(super) fn reading_same_character(machine: &Machine, id: StateId) -> Vec<StateId> {
    let mut states = vec![id];
    let mut index = 0;
    while let Some(&id) = states.get(index) {
        let state = machine.state(id);
        let mut next: Vec<StateId> = Vec::new();
        if let Subject::Result(procedure) = state.subject {
            next.push(machine.procedures[usize::from(procedure.0)].start);
        }
        let leaving = state.rows.iter().filter(|row| reconsumes(state, row));
        next.extend(leaving.flat_map(|row| successors(machine, id, row)));
        next.retain(|other| !states.contains(other));
        next.sort();
        next.dedup();
        states.extend(next);
        index += 1;
    }
    states
}

/// Whether the row leaves its character to the next state.
fn reconsumes(state: &State, row: &Row) -> bool {
    let reads_input = matches!(state.subject, Subject::Input | Subject::Lexemes(_));
    let is_back = |action: &Action| matches!(action, Action::Reconsume | Action::ReturnNothing);
    !reads_input || Step::actions(&row.steps).into_iter().any(is_back)
}
