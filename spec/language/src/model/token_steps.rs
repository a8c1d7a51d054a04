//! Algorithms that process tokens outside of rows, as typed steps for the oracle: creating tokens, recognizing
//! appropriate end tags, dropping duplicate attributes, and reconsuming characters.

use super::{Machine, TokenFlag};
pub use crate::vocabulary::token_steps::TokenRoutine;

/// The steps of a token routine.
#[derive(Clone, Debug)]
pub struct TokenAlgorithm {
    /// Occasion on which the steps run.
    pub routine: TokenRoutine,
    /// Span of the algorithm's name.
    pub span: super::Span,
    /// Steps in order.
    pub steps: Vec<TokenStep>,
}

/// A step of a token algorithm.
#[derive(Clone, Debug, PartialEq)]
pub enum TokenStep {
    /// Marks a part of the DOCTYPE as missing, as opposed to empty.
    Missing(DoctypePart),
    /// Clears a flag.
    Unset(TokenFlag),
    /// Removes all attributes from the current tag.
    NoAttributes,
    /// Runs the steps if a condition holds.
    When(TokenCondition, Vec<TokenStep>),
    /// Ends the steps; the value tells whether the condition that runs them holds.
    Return(bool),
    /// Drops the current attribute from the current tag.
    DiscardAttribute,
    /// Keeps the dropped attribute as the current one.
    KeepAttribute,
    /// Switches to the state that the reconsuming row names.
    SwitchState,
    /// Reconsumes the current character.
    GiveBack,
}

/// A part of a DOCTYPE.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DoctypePart {
    /// The name of the DOCTYPE.
    Name,
    /// The public identifier of the DOCTYPE.
    PublicIdentifier,
    /// The system identifier of the DOCTYPE.
    SystemIdentifier,
}

/// A condition of a token step.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TokenCondition {
    /// The current tag has the name of the last start tag.
    HasNameOfLastStartTag,
    /// No start tag has been emitted.
    NoStartTag,
}

impl Machine {
    /// Returns the steps of a routine; empty if the table has none.
    pub fn token_steps(&self, routine: TokenRoutine) -> &[TokenStep] {
        let algorithm = self.token_algorithms.iter().find(|it| it.routine == routine);
        algorithm.map_or(&[], |it| &it.steps)
    }
}
