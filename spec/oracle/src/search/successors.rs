//! Successors of rows: the states that may follow a row, and those that may read the same character again. The analysis
//! ignores values, so that the results may contain more states than any run reaches.

use tabulex_language::model::{Action, Machine, Row, State, StateId, Step, Subject, Transfer};

/// Returns the states that may follow a row, including the row's own state.
pub(super) fn successors(machine: &Machine, id: StateId, row: &Row) -> Vec<StateId> {
    let mut states = vec![id];
    for action in Step::actions(&row.steps) {
        match action.transfer() {
            Transfer::To(state) => states.push(state),
            Transfer::ToReturnState => states.extend(return_states(machine)),
            Transfer::ToPushedState => states.extend(machine.pushed_targets()),
            Transfer::ReturnNothing | Transfer::ReturnText => {
                let is_call =
                    |state: &StateId| matches!(machine.state(*state).subject, Subject::Result(_));
                states.extend(machine.state_ids().filter(is_call));
            }
            // `as else` runs another row of the state. The callers of this function visit that row, too.
            Transfer::Nowhere | Transfer::Ends => {}
        }
    }
    states
}

/// Returns all states that some action sets as the return state.
fn return_states(machine: &Machine) -> Vec<StateId> {
    let state_of = |action: &Action| {
        if let Action::SetReturnState(state) = action { Some(*state) } else { None }
    };
    machine.states.iter().flat_map(State::actions).filter_map(state_of).collect()
}

/// Returns the state, and all states that may read the same character after it.
pub(super) fn states_reading_same_character(machine: &Machine, id: StateId) -> Vec<StateId> {
    let mut states = vec![id];
    let mut index = 0;
    while let Some(&id) = states.get(index) {
        let state = machine.state(id);
        let mut new_states: Vec<StateId> = Vec::new();
        new_states.extend(machine.called_start(id));
        let reconsuming_rows = state.rows.iter().filter(|row| reconsumes(state, row));
        new_states.extend(reconsuming_rows.flat_map(|row| successors(machine, id, row)));
        new_states.retain(|other| !states.contains(other));
        new_states.sort();
        new_states.dedup();
        states.extend(new_states);
        index += 1;
    }
    states
}

/// Whether the row leaves its character to the next state.
fn reconsumes(state: &State, row: &Row) -> bool {
    let reads_input = matches!(state.subject, Subject::Input | Subject::Lexemes(_));
    let gives_back = |action: &Action| matches!(action, Action::Reconsume | Action::ReturnNothing);
    !reads_input || Step::actions(&row.steps).into_iter().any(gives_back)
}
