//! What rows do, step by step, in states and in modes alike. It knows nothing of what an action or a condition is.
//! Invariant: a condition decides about all the steps of both its branches and about no others.

use super::{Action, Condition, Spanned};

/// A step of a row. In a state all conditions are asked before the first action; in a mode steps are taken one after the
/// other, conditions included.
#[derive(Clone, Debug)]
pub enum Step<A = Action, C = Condition> {
    /// An action.
    Action(Spanned<A>),
    /// Steps that depend on a condition.
    When {
        /// The condition.
        condition: Spanned<C>,
        /// What is done when it holds.
        then: Vec<Self>,
        /// What is done when it does not.
        otherwise: Vec<Self>,
    },
}

impl<A, C> Step<A, C> {
    /// All actions of the steps in their order, whatever the conditions.
    pub fn actions(steps: &[Self]) -> Vec<&A> {
        let mut found = Vec::new();
        for step in steps {
            match step {
                Self::Action(action) => found.push(&action.value),
                Self::When { then, otherwise, .. } => {
                    found.extend(Self::actions(then));
                    found.extend(Self::actions(otherwise));
                }
            }
        }
        found
    }

    /// All conditions of the steps in their order, nested ones after the one that they depend on.
    pub fn conditions(steps: &[Self]) -> Vec<&C> {
        let mut found = Vec::new();
        for step in steps {
            match step {
                Self::Action(_) => {}
                Self::When { condition, then, otherwise } => {
                    found.push(&condition.value);
                    found.extend(Self::conditions(then));
                    found.extend(Self::conditions(otherwise));
                }
            }
        }
        found
    }
}
