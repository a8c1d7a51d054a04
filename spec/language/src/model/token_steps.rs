//! What is done with tokens besides rows, as typed steps which the oracle executes: how a token is made, which end tag is
//! appropriate, what becomes of an attribute whose name is there already, how a character is consumed again. Invariant: a
//! machine has the steps of each routine.

use super::{Machine, TokenFlag};

/// What runs steps on tokens.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TokenRoutine {
    /// A DOCTYPE is created.
    CreateDoctype,
    /// A tag is created.
    CreateTag,
    /// Whether an end tag is appropriate.
    AppropriateEndTag,
    /// The current attribute has the name of an earlier one.
    DropDuplicateAttribute,
    /// A row consumes the current character again.
    Reconsume,
}

/// The steps of a routine.
#[derive(Clone, Debug)]
pub struct TokenAlgorithm {
    /// What runs them.
    pub routine: TokenRoutine,
    /// The steps.
    pub steps: Vec<TokenStep>,
}

/// A step.
#[derive(Clone, Debug, PartialEq)]
pub enum TokenStep {
    /// The part of the DOCTYPE is missing, which is not the empty string.
    Missing(DoctypePart),
    /// The flag is not set.
    Unset(TokenFlag),
    /// The tag has no attributes.
    NoAttributes,
    /// The steps are taken if it is so.
    When(TokenAsk, Vec<TokenStep>),
    /// The steps end; whether the condition that asks holds.
    Return(bool),
    /// The current attribute will not be part of the tag.
    DiscardAttribute,
    /// It is still the current one.
    KeepAttribute,
    /// The machine goes to the state that the row names.
    SwitchState,
    /// The current character is the next one.
    GiveBack,
}

/// A part of a DOCTYPE.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DoctypePart {
    /// Its name.
    Name,
    /// Its public identifier.
    PublicIdentifier,
    /// Its system identifier.
    SystemIdentifier,
}

/// What a step depends on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TokenAsk {
    /// The name of the current tag is that of the last start tag.
    HasNameOfLastStartTag,
    /// There was no start tag.
    NoStartTag,
}

impl Machine {
    /// The steps of the routine.
    pub fn token_steps(&self, routine: TokenRoutine) -> &[TokenStep] {
        let found = self.token_algorithms.iter().find(|one| one.routine == routine);
        found.map_or(&[], |one| &one.steps)
    }
}
