//! Kinds of tokens that a table declares, and how deep its stack of states is. It holds nothing of a run. Invariant: the
//! fields of all kinds are numbered through, in the order of the kinds, so that one list holds them.

use super::{Action, ErrorId, Machine, Span, StateId, Step};

/// Index of a kind of token in [`Machine::tokens`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct TokenId(pub u8);

/// A field of a token of a declared kind.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct FieldId {
    /// The kind of token.
    pub token: TokenId,
    /// The number of the field among those of all kinds.
    pub index: u8,
}

/// A kind of token that a table declares.
#[derive(Clone, Debug)]
pub struct DeclaredToken {
    /// Its name.
    pub name: String,
    /// Where the name is.
    pub span: Span,
    /// The names of its fields, each in its place.
    pub fields: Vec<(String, Span)>,
    /// The number of its first field among those of all kinds.
    pub first: u8,
}

/// The stack of states.
#[derive(Clone, Copy, Debug)]
pub struct PushedStates {
    /// How many states it holds; further ones are counted.
    pub most: u16,
    /// The error of a state that is one too many.
    pub error: ErrorId,
    /// Where it is declared.
    pub span: Span,
}

impl Machine {
    /// The kind of token of this id.
    pub fn token(&self, id: TokenId) -> &DeclaredToken {
        &self.tokens[usize::from(id.0)]
    }

    /// The states to which the machine can come back by its stack: those that rows push, and its first one, to which it
    /// goes where none was pushed.
    pub fn pushed_targets(&self) -> Vec<StateId> {
        let rows = self.states.iter().flat_map(|state| &state.rows);
        let hooks = self.states.iter().flat_map(|state| state.enter.iter().chain(&state.leave));
        let all = rows.flat_map(|row| Step::actions(&row.steps)).chain(hooks.map(|it| &it.value));
        let pushed =
            all.filter_map(
                |action| {
                    if let Action::PushState(state) = action { Some(*state) } else { None }
                },
            );
        let mut targets: Vec<StateId> = pushed.chain([self.start]).collect();
        targets.sort_unstable();
        targets.dedup();
        targets
    }
}

impl DeclaredToken {
    /// The word for a field in rows: the kind and the field, as `tag-name` is the name of a tag.
    pub fn field_word(&self, field: &str) -> String {
        format!("{}-{field}", self.name)
    }
}
