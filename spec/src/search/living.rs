//! Which registers rows may still ask for, state by state. It follows switches, not values. Invariant: a register that
//! is not living in a state makes no difference for the rows that follow it.

use crate::model::{
    Action, Condition, Field, Machine, Pattern, Row, State, StateId, Step, Subject, TokenKind,
};

/// A register that conditions ask for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kept {
    Number,
    AdditionalAllowedCharacter,
    TemporaryBuffer,
    ReturnState,
    Tag,
}

const ALL: [Kept; 5] = [
    Kept::Number,
    Kept::AdditionalAllowedCharacter,
    Kept::TemporaryBuffer,
    Kept::ReturnState,
    Kept::Tag,
];

/// For each state, whether each register lives.
#[derive(Debug)]
pub(super) struct Living(Vec<[bool; ALL.len()]>);

impl Living {
    /// Goes backwards from where registers are asked for, until nothing changes.
    pub(super) fn new(machine: &Machine) -> Self {
        let mut living = vec![[false; ALL.len()]; machine.states.len()];
        loop {
            let before = living.clone();
            for id in machine.state_ids() {
                let state = machine.state(id);
                for (at, register) in ALL.into_iter().enumerate() {
                    let lives = |other: StateId| before[usize::from(other.0)][at];
                    living[usize::from(id.0)][at] |= lives_in(machine, id, state, register, &lives);
                }
            }
            if living == before {
                return Self(living);
            }
        }
    }

    /// Whether rows may ask for the register, from this state on.
    pub(super) fn lives(&self, state: StateId, register: Kept) -> bool {
        let at = ALL.iter().position(|&other| other == register).unwrap_or(0);
        self.0[usize::from(state.0)][at]
    }
}

fn lives_in(
    machine: &Machine,
    id: StateId,
    state: &State,
    register: Kept,
    lives: &dyn Fn(StateId) -> bool,
) -> bool {
    if register == Kept::Number && state.subject == Subject::Number {
        return true;
    }
    if let Subject::Result(procedure) = state.subject
        && lives(machine.procedures[usize::from(procedure.0)].start)
    {
        return true;
    }
    state.rows.iter().any(|row| {
        asks(row, register)
            || (!sets(&row.steps, register) && successors(machine, id, row).into_iter().any(lives))
    })
}

fn asks(row: &Row, register: Kept) -> bool {
    let by_pattern = row.patterns.iter().any(|pattern| {
        let is_additional = pattern.value == Pattern::AdditionalAllowedCharacter;
        is_additional && register == Kept::AdditionalAllowedCharacter
    });
    let guard = row.guard.iter().map(|guard| &guard.value);
    by_pattern
        || (register == Kept::ReturnState && switches_back(&row.steps))
        || guard.chain(conditions(&row.steps)).any(|it| asked_by(it, register))
}

/// Whether the steps switch to the return state.
fn switches_back(steps: &[Step]) -> bool {
    steps.iter().any(|step| match step {
        Step::Action(action) => action.value == Action::SwitchReturnState,
        Step::When { then, otherwise, .. } => switches_back(then) || switches_back(otherwise),
    })
}

fn conditions(steps: &[Step]) -> Vec<&Condition> {
    let mut found = Vec::new();
    for step in steps {
        if let Step::When { condition, then, otherwise } = step {
            found.push(&condition.value);
            found.extend(conditions(then));
            found.extend(conditions(otherwise));
        }
    }
    found
}

fn asked_by(condition: &Condition, register: Kept) -> bool {
    match condition {
        Condition::Not(other) => asked_by(other, register),
        Condition::All(parts) => parts.iter().any(|part| asked_by(part, register)),
        Condition::TemporaryBufferIs(_)
        | Condition::EntityDeclared(_)
        | Condition::EntityInsertable(_) => register == Kept::TemporaryBuffer,
        Condition::AppropriateEndTag
        | Condition::TagIs(_)
        | Condition::TagNameIs(_)
        | Condition::TagNameIn(_) => register == Kept::Tag,
        Condition::ReturnStateIs(_) => register == Kept::ReturnState,
        Condition::NumberIs(_) => register == Kept::Number,
        _ => false,
    }
}

/// Whether the steps set the register anew, whatever the answers.
fn sets(steps: &[Step], register: Kept) -> bool {
    steps.iter().any(|step| {
        let Step::Action(action) = step else { return false };
        match &action.value {
            Action::SetNumber(_) | Action::SetNumberToData(..) => register == Kept::Number,
            Action::SetAdditionalAllowedCharacter(_) => {
                register == Kept::AdditionalAllowedCharacter
            }
            Action::Set(Field::TemporaryBuffer, _) => register == Kept::TemporaryBuffer,
            Action::SetReturnState(_) => register == Kept::ReturnState,
            Action::Create(TokenKind::StartTag | TokenKind::EndTag) => register == Kept::Tag,
            _ => false,
        }
    })
}

/// The states that may come behind the row.
fn successors(machine: &Machine, id: StateId, row: &Row) -> Vec<StateId> {
    let mut states = vec![id];
    successors_in(machine, &row.steps, &mut states);
    states
}

fn successors_in(machine: &Machine, steps: &[Step], states: &mut Vec<StateId>) {
    for step in steps {
        match step {
            Step::When { then, otherwise, .. } => {
                successors_in(machine, then, states);
                successors_in(machine, otherwise, states);
            }
            Step::Action(action) => match &action.value {
                Action::Switch(state) => states.push(*state),
                Action::SwitchReturnState => states.extend(return_states(machine)),
                Action::ReturnNothing | Action::Return(_) => {
                    let calls = |state: &StateId| {
                        matches!(machine.state(*state).subject, Subject::Result(_))
                    };
                    states.extend(machine.state_ids().filter(calls));
                }
                // The row is another one of the same state, whose successors count there.
                _ => {}
            },
        }
    }
}

/// All states that rows name as the return state.
fn return_states(machine: &Machine) -> Vec<StateId> {
    let mut states = Vec::new();
    let rows = machine.states.iter().flat_map(|state| &state.rows);
    let mut waiting: Vec<&Step> = rows.flat_map(|row| &row.steps).collect();
    while let Some(step) = waiting.pop() {
        match step {
            Step::When { then, otherwise, .. } => waiting.extend(then.iter().chain(otherwise)),
            Step::Action(action) => {
                if let Action::SetReturnState(state) = action.value {
                    states.push(state);
                }
            }
        }
    }
    states
}
