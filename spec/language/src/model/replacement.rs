//! Texts that rows insert into the input, and what they are made of: lists of entities, limits. It inserts nothing.
//! Invariant: whether a machine inserts, its actions alone decide.

use super::{Action, Machine, State, Step};

/// How much text rows may insert into the input, and declared attributes add to tags, both together.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ReplacementLimits {
    /// How many texts may be inserted one within the other.
    pub nesting: u32,
    /// How many bytes there may be, whatever the input.
    pub bytes: u32,
    /// How many bytes more there may be for each byte of the input that has been consumed.
    pub bytes_per_input_byte: u32,
}

/// What a table can limit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Limit {
    /// [`ReplacementLimits::nesting`].
    ReplacementNesting,
    /// [`ReplacementLimits::bytes`].
    ReplacementBytes,
    /// [`ReplacementLimits::bytes_per_input_byte`].
    ReplacementBytesPerInputByte,
}

impl Default for ReplacementLimits {
    fn default() -> Self {
        Self { nesting: 16, bytes: 0x10_0000, bytes_per_input_byte: 16 }
    }
}

/// A list of entities.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum EntityList {
    /// Entities for the content and for attribute values.
    Entities,
    /// Entities for declarations.
    ParameterEntities,
}

impl Machine {
    /// Whether a row puts replacement text into the input, or declares attributes.
    pub fn inserts(&self) -> bool {
        self.states.iter().flat_map(State::actions).any(|action| {
            matches!(
                action,
                Action::Insert(..) | Action::AppendDeclaration | Action::AppendEntity(_)
            )
        })
    }
}

impl State {
    /// Every action of its rows, and of those at entering and leaving.
    pub fn actions(&self) -> impl Iterator<Item = &Action> {
        let found = self.rows.iter().flat_map(|row| Step::actions(&row.steps));
        self.enter.iter().chain(&self.leave).map(|action| &action.value).chain(found)
    }
}
