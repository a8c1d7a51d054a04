//! The algorithms in the roles that the vocabulary declares.

use super::Construction;
use super::algorithm::{Algorithm, AlgorithmId};
pub use crate::vocabulary::algorithm::Routine;

impl Routine {
    /// Returns the name of the variable whose value the algorithm returns at its end without a `return` step, if any.
    pub fn returned_variable(self) -> Option<&'static str> {
        (self == Self::Escape).then_some("string")
    }

    /// Returns the name of the algorithm whose steps precede its own and whose variables it shares, if any.
    pub fn prefix_algorithm(self) -> Option<&'static str> {
        matches!(self, Self::AttachShadowRoot | Self::PatchContent).then_some("template-in-head")
    }
}

impl Construction {
    /// Returns the id of the algorithm in this role; `None` if the table has none.
    pub fn routine(&self, routine: Routine) -> Option<AlgorithmId> {
        let index = self.algorithms.iter().position(|algorithm| algorithm.routine == routine)?;
        u8::try_from(index).ok().map(AlgorithmId)
    }

    /// Returns the algorithm with this id.
    pub fn algorithm(&self, id: AlgorithmId) -> &Algorithm {
        &self.algorithms[usize::from(id.0)]
    }
}
