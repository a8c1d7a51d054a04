//! Declared kinds of tokens, and the stack of states. The fields of all kinds are numbered consecutively, so that one
//! list can hold them.

use super::{Action, ErrorId, Field, Machine, Span, State, StateId, Text, TokenId};

/// A field of a token of a declared kind.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct FieldId {
    /// Kind of token.
    pub token: TokenId,
    /// Index of the field among the fields of all declared kinds.
    pub index: u8,
}

/// A kind of token that a table declares.
#[derive(Clone, Debug)]
pub struct DeclaredToken {
    /// Name of the kind.
    pub name: String,
    /// Span of the name.
    pub span: Span,
    /// Names of the fields, with their spans.
    pub fields: Vec<(String, Span)>,
    /// Index of the kind's first field among the fields of all declared kinds.
    pub first: u8,
    /// Whether the host creates the token before the machine starts.
    pub by_host: bool,
}

/// The declaration of the stack of states.
#[derive(Clone, Copy, Debug)]
pub struct PushedStates {
    /// Capacity of the stack. Further states are only counted.
    pub most: u16,
    /// Error reported when a state is pushed onto a full stack.
    pub error: ErrorId,
    /// Span of the declaration.
    pub span: Span,
}

impl Machine {
    /// Returns the kind of token with this id.
    pub fn token(&self, id: TokenId) -> &DeclaredToken {
        &self.tokens[usize::from(id.0)]
    }

    /// Returns the actions of all rows and states.
    fn actions(&self) -> impl Iterator<Item = &Action> {
        self.states.iter().flat_map(State::actions)
    }

    /// Whether a field has a range: no action appends the text of a field to it.
    pub fn has_field_range(&self, id: FieldId) -> bool {
        !self.actions().any(|action| {
            matches!(action, Action::Append(Text::Field(_), Field::Declared(field)) if *field == id)
        })
    }

    /// Returns the states that can be popped: those that actions push, and the start state, which an empty stack
    /// yields.
    pub fn pushed_targets(&self) -> Vec<StateId> {
        let pushed_states = self.actions().filter_map(|action| {
            if let Action::PushState(state) = action { Some(*state) } else { None }
        });
        let mut targets: Vec<StateId> = pushed_states.chain([self.start]).collect();
        targets.sort_unstable();
        targets.dedup();
        targets
    }
}

impl DeclaredToken {
    /// Returns the word for a field in rows: the kind and the field, as in `tag-name`.
    pub fn field_word(&self, field: &str) -> String {
        format!("{}-{field}", self.name)
    }
}
