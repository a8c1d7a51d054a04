//! Lowering of lexical modes: selects the bytes that are a complete lexical token by themselves, and those that begin a
//! token that the automaton must match.

use super::{Candidate, Plan, candidate};
use tabulex_language::automaton::{self, Automaton, AutomatonState, LexemePart};
use tabulex_language::model::{Action, Condition, Machine, StateId, Text};

/// The slot of captures that match no characters, for which nothing is recorded.
const NO_SLOT: u8 = u8::MAX;

/// The lexical tokens of a mode.
#[derive(Debug)]
pub struct Lexemes {
    /// The automaton of all lexemes of the mode.
    pub automaton: Automaton,
    /// The row of each lexeme, by index in the automaton, with captures numbered by slot.
    pub candidates: Vec<Candidate>,
    /// For each byte, whether it begins a token that the automaton must match.
    pub first: [bool; 256],
    /// For each ASCII byte, the index of the lexeme that the byte is by itself in any context, if there is one.
    certain: [Option<usize>; 128],
}

impl Lexemes {
    /// Returns the row for a byte that is a lexeme by itself in any context; `None` for any other byte.
    pub(super) fn certain(&self, byte: u8) -> Option<&Candidate> {
        let index = self.certain.get(usize::from(byte)).copied().flatten()?;
        self.candidates.get(index)
    }
}

pub(super) fn lower(machine: &Machine, mode: StateId) -> Lexemes {
    let rows = automaton::lexemes_of(machine, mode);
    let lexemes: Vec<_> = rows.iter().map(|(_, lexeme)| *lexeme).collect();
    let automaton = automaton::build(&lexemes);
    let mut candidates = Vec::new();
    for (index, (row, _)) in rows.iter().enumerate() {
        let mut candidate = candidate(machine, mode, *row, &machine.state(mode).rows[*row], None);
        let slot = |data: u8| {
            automaton.parts[index].get(&LexemePart::Data(data)).copied().unwrap_or(NO_SLOT)
        };
        renumber_captures(&mut candidate.plan, &slot);
        candidates.push(candidate);
    }
    let (mut first, mut certain) = ([false; 256], [None; 128]);
    for (class, next) in automaton.classes.iter().zip(&automaton.states[0].next) {
        let Some(next) = next else { continue };
        let only = only_lexeme(&automaton.states[usize::from(*next)])
            .filter(|&index| lexemes[index].data == 0 && lexemes[index].ahead.is_none());
        let normalized = |byte: u8| match byte {
            0 if machine.nulls_replaced => char::REPLACEMENT_CHARACTER,
            _ => char::from(byte),
        };
        for byte in (0..0x80_u8).filter(|&byte| class.contains(normalized(byte))) {
            // A replaced U+0000 is matched as U+FFFD, and only the automaton matches characters beyond ASCII.
            let only = only.filter(|_| byte != 0 || !machine.nulls_replaced);
            certain[usize::from(byte)] = only;
            first[usize::from(byte)] = only.is_none();
        }
        if class.ranges().iter().any(|&(_, last)| !last.is_ascii()) {
            first[0x80..].fill(true);
        }
    }
    Lexemes { automaton, candidates, first, certain }
}

/// Returns the index of the lexeme that a state accepts, if the state has no transitions to a longer match.
fn only_lexeme(state: &AutomatonState) -> Option<usize> {
    let is_final = state.next.iter().all(Option::is_none);
    state.accepts.first().copied().filter(|_| is_final)
}

/// Replaces the number of each capture in a plan with the number of its slot.
fn renumber_captures(plan: &mut Plan, slot: &dyn Fn(u8) -> u8) {
    match plan {
        Plan::When(condition, then, otherwise) => {
            renumber_condition(condition, slot);
            renumber_captures(then, slot);
            renumber_captures(otherwise, slot);
        }
        Plan::List(list) => {
            for action in &mut list.actions {
                match action {
                    Action::SetNumberToData(data, _) | Action::MatchReference(data) => {
                        *data = slot(*data);
                    }
                    Action::Append(text, _) | Action::EmitText(text) | Action::Return(text) => {
                        if let Text::Data(data) = text {
                            *data = slot(*data);
                        }
                    }
                    // These actions refer to no captures.
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
                    | Action::Set(..)
                    | Action::SetTokenFlag(_)
                    | Action::SetFlag(..)
                    | Action::SetReturnState(_)
                    | Action::SetAdditionalAllowedCharacter(_)
                    | Action::SetNumber(_)
                    | Action::AddDigit(_)
                    | Action::EmitToken(_)
                    | Action::EmitEndOfFile
                    | Action::Stop
                    | Action::ReturnNothing
                    | Action::EmitShortEndTag
                    | Action::BeginToken
                    | Action::BeginField(_)
                    | Action::JoinSurrogates
                    | Action::Edit(..)
                    | Action::RememberPlace
                    | Action::GoBack
                    | Action::StartDeclaration
                    | Action::CollapseDeclaredValues
                    | Action::AppendDeclaration
                    | Action::AppendEntity(_)
                    | Action::Insert(..) => {}
                }
            }
        }
    }
}

fn renumber_condition(condition: &mut Condition, slot: &dyn Fn(u8) -> u8) {
    match condition {
        Condition::Not(inner) => renumber_condition(inner, slot),
        Condition::All(parts) => {
            parts.iter_mut().for_each(|part| renumber_condition(part, slot));
        }
        Condition::DataIsReference(data) | Condition::DataIsAtMost { data, .. } => {
            *data = slot(*data);
        }
        // These conditions refer to no captures.
        Condition::AppropriateEndTag
        | Condition::TemporaryBufferIs(_)
        | Condition::TemporaryBufferIsIgnoringCase(_)
        | Condition::TagIs(_)
        | Condition::TagNameIs(_)
        | Condition::ReturnStateIs(_)
        | Condition::NumberIs(_)
        | Condition::FieldIs(..)
        | Condition::FieldMissing(_)
        | Condition::Matches(..)
        | Condition::Ahead(_)
        | Condition::FlagIs(..)
        | Condition::CalledBy(_)
        | Condition::ReferenceEndsWith(_)
        | Condition::TagNameIn(_)
        | Condition::PrecededBy(_)
        | Condition::PrecededByOne(_)
        | Condition::FollowedBy(_)
        | Condition::LastStartTagAhead(_)
        | Condition::EntityDeclared(_)
        | Condition::EntityInsertable(_) => {}
    }
}
