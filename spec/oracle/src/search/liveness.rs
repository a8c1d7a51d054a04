//! Liveness analysis of registers. It follows switches, but not values. A register that is dead in a state does not
//! affect the rows that run from there on.

use super::successors::successors;
use tabulex_language::model::{
    Action, Condition, Field, Machine, Pattern, Row, State, StateId, Step, Subject, TokenKind,
};

/// A register that conditions read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum LiveRegister {
    Number,
    AdditionalAllowedCharacter,
    TemporaryBuffer,
    ReturnState,
    Tag,
}

const ALL: [LiveRegister; 5] = [
    LiveRegister::Number,
    LiveRegister::AdditionalAllowedCharacter,
    LiveRegister::TemporaryBuffer,
    LiveRegister::ReturnState,
    LiveRegister::Tag,
];

/// For each state, whether each register is live.
#[derive(Debug)]
pub(super) struct Liveness(Vec<[bool; ALL.len()]>);

impl Liveness {
    /// Propagates liveness backward from the reads until a fixed point is reached.
    pub(super) fn new(machine: &Machine) -> Self {
        let mut living = vec![[false; ALL.len()]; machine.states.len()];
        loop {
            let before = living.clone();
            for id in machine.state_ids() {
                let state = machine.state(id);
                for (at, register) in ALL.into_iter().enumerate() {
                    let is_live = |other: StateId| before[usize::from(other.0)][at];
                    living[usize::from(id.0)][at] |=
                        is_live_in(machine, id, state, register, &is_live);
                }
            }
            if living == before {
                return Self(living);
            }
        }
    }

    /// Whether rows from this state on may read the register.
    pub(super) fn is_live(&self, state: StateId, register: LiveRegister) -> bool {
        let index = ALL.iter().position(|&other| other == register).unwrap_or(0);
        self.0[usize::from(state.0)][index]
    }
}

fn is_live_in(
    machine: &Machine,
    id: StateId,
    state: &State,
    register: LiveRegister,
    is_live: &dyn Fn(StateId) -> bool,
) -> bool {
    if register == LiveRegister::Number && state.subject == Subject::Number {
        return true;
    }
    if let Subject::Result(procedure) = state.subject
        && is_live(machine.procedures[usize::from(procedure.0)].start)
    {
        return true;
    }
    state.rows.iter().any(|row| {
        row_reads(row, register)
            || (!sets(&row.steps, register)
                && successors(machine, id, row).into_iter().any(is_live))
    })
}

fn row_reads(row: &Row, register: LiveRegister) -> bool {
    let by_pattern = row.patterns.iter().any(|pattern| {
        let is_additional = pattern.value == Pattern::AdditionalAllowedCharacter;
        is_additional && register == LiveRegister::AdditionalAllowedCharacter
    });
    let guard = row.guard.iter().map(|guard| &guard.value);
    by_pattern
        || (register == LiveRegister::ReturnState
            && Step::actions(&row.steps).contains(&&Action::SwitchReturnState))
        || guard.chain(Step::conditions(&row.steps)).any(|it| condition_reads(it, register))
}

fn condition_reads(condition: &Condition, register: LiveRegister) -> bool {
    match condition {
        Condition::Not(other) => condition_reads(other, register),
        Condition::All(parts) => parts.iter().any(|part| condition_reads(part, register)),
        Condition::TemporaryBufferIs(_)
        | Condition::TemporaryBufferIsIgnoringCase(_)
        | Condition::EntityDeclared(_)
        | Condition::EntityInsertable(_) => register == LiveRegister::TemporaryBuffer,
        Condition::AppropriateEndTag
        | Condition::TagIs(_)
        | Condition::TagNameIs(_)
        | Condition::TagNameIn(_) => register == LiveRegister::Tag,
        Condition::ReturnStateIs(_) => register == LiveRegister::ReturnState,
        Condition::NumberIs(_) => register == LiveRegister::Number,
        // Conditions that read none of these registers.
        Condition::FlagIs(..)
        | Condition::FieldIs(..)
        | Condition::FieldMissing(_)
        | Condition::Matches(..)
        | Condition::Ahead(_)
        | Condition::CalledBy(_)
        | Condition::ReferenceEndsWith(_)
        | Condition::PrecededBy(_)
        | Condition::PrecededByOne(_)
        | Condition::FollowedBy(_)
        | Condition::LastStartTagAhead(_)
        | Condition::DataIsReference(_)
        | Condition::DataIsAtMost { .. } => false,
    }
}

/// Whether the steps set the register on every path.
fn sets(steps: &[Step], register: LiveRegister) -> bool {
    steps.iter().any(|step| {
        let Step::Action(action) = step else { return false };
        match &action.value {
            Action::SetNumber(_) | Action::SetNumberToData(..) => register == LiveRegister::Number,
            Action::SetAdditionalAllowedCharacter(_) => {
                register == LiveRegister::AdditionalAllowedCharacter
            }
            Action::Set(Field::TemporaryBuffer, _) => register == LiveRegister::TemporaryBuffer,
            Action::SetReturnState(_) => register == LiveRegister::ReturnState,
            Action::Create(TokenKind::StartTag | TokenKind::EndTag) => {
                register == LiveRegister::Tag
            }
            // Actions that keep the register or append to it.
            Action::Switch(_)
            | Action::SwitchReturnState
            | Action::SwitchPushedState
            | Action::PushState(_)
            | Action::Increase(_)
            | Action::Decrease(_)
            | Action::EmitInside(_)
            | Action::Reconsume
            | Action::Ignore
            | Action::AsElse
            | Action::Error(_)
            | Action::ErrorAfter(_)
            | Action::Create(_)
            | Action::StartAttribute
            | Action::DropDuplicateAttribute(_)
            | Action::Append(..)
            | Action::Set(..)
            | Action::SetTokenFlag(_)
            | Action::SetFlag(..)
            | Action::AddDigit(_)
            | Action::MatchReference(_)
            | Action::EmitText(_)
            | Action::EmitToken(_)
            | Action::EmitEndOfFile
            | Action::Stop
            | Action::ReturnNothing
            | Action::Return(_)
            | Action::EmitShortEndTag
            | Action::BeginToken
            | Action::BeginField(_)
            | Action::JoinSurrogates
            | Action::Edit(..)
            | Action::RememberPlace
            | Action::GoBack
            | Action::StartDeclaration
            | Action::AppendDeclaration
            | Action::AppendEntity(_)
            | Action::Insert(..) => false,
        }
    })
}
