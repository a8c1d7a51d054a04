//! Liveness analysis of registers: a register that is dead in a state does not affect the rows that run from there on.
//! The analysis follows switches, but not values.

use super::successors::successors;
use tabulex_language::model::{
    Action, Machine, Pattern, Register, Row, State, StateId, Step, Subject,
};

/// The registers that the analysis covers.
const ANALYZED: [Register; 5] = [
    Register::Number,
    Register::AdditionalAllowedCharacter,
    Register::TemporaryBuffer,
    Register::ReturnState,
    Register::Tag,
];

/// For each state, whether each analyzed register is live.
#[derive(Debug)]
pub(super) struct Liveness(Vec<[bool; ANALYZED.len()]>);

impl Liveness {
    /// Computes liveness, propagating it backward from reads to a fixed point.
    pub(super) fn new(machine: &Machine) -> Self {
        let mut live = vec![[false; ANALYZED.len()]; machine.states.len()];
        loop {
            let previous = live.clone();
            for id in machine.state_ids() {
                let state = machine.state(id);
                for (index, register) in ANALYZED.into_iter().enumerate() {
                    let is_live = |other: StateId| previous[usize::from(other.0)][index];
                    live[usize::from(id.0)][index] |=
                        is_live_in(machine, id, state, register, &is_live);
                }
            }
            if live == previous {
                return Self(live);
            }
        }
    }

    /// Whether rows from this state on may read the register; always true for a register that is not analyzed.
    pub(super) fn is_live(&self, state: StateId, register: Register) -> bool {
        let index = ANALYZED.iter().position(|&other| other == register);
        index.is_none_or(|index| self.0[usize::from(state.0)][index])
    }
}

fn is_live_in(
    machine: &Machine,
    id: StateId,
    state: &State,
    register: Register,
    is_live: &dyn Fn(StateId) -> bool,
) -> bool {
    if register == Register::Number && state.subject == Subject::Number {
        return true;
    }
    machine.called_start(id).is_some_and(is_live)
        || state.rows.iter().any(|row| {
            row_reads(row, register)
                || (!always_sets(&row.steps, register)
                    && successors(machine, id, row).into_iter().any(is_live))
        })
}

fn row_reads(row: &Row, register: Register) -> bool {
    let pattern_reads = register == Register::AdditionalAllowedCharacter
        && row.has_pattern(&Pattern::AdditionalAllowedCharacter);
    pattern_reads
        || (register == Register::ReturnState
            && Step::actions(&row.steps).contains(&&Action::SwitchReturnState))
        || row.conditions().any(|it| it.reads().contains(&register))
}

/// Whether the steps always set the register; steps within conditions do not count.
fn always_sets(steps: &[Step], register: Register) -> bool {
    steps.iter().filter_map(Step::action).any(|action| action.effects().creates == Some(register))
}
