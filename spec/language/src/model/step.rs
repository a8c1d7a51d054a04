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
    /// Calls the function with all steps in their order, those of branches after the one that they belong to.
    pub fn for_each<'s>(steps: &'s [Self], function: &mut dyn FnMut(&'s Self)) {
        for step in steps {
            function(step);
            if let Self::When { then, otherwise, .. } = step {
                Self::for_each(then, function);
                Self::for_each(otherwise, function);
            }
        }
    }

    /// All actions of the steps in their order with their places, whatever the conditions.
    pub fn spanned_actions(steps: &[Self]) -> Vec<&Spanned<A>> {
        let mut found = Vec::new();
        Self::for_each(steps, &mut |step| {
            if let Self::Action(action) = step {
                found.push(action);
            }
        });
        found
    }

    /// All actions of the steps in their order, whatever the conditions.
    pub fn actions(steps: &[Self]) -> Vec<&A> {
        Self::spanned_actions(steps).into_iter().map(|action| &action.value).collect()
    }

    /// All conditions of the steps in their order with their places, nested ones after the one that they depend on.
    pub fn spanned_conditions(steps: &[Self]) -> Vec<&Spanned<C>> {
        let mut found = Vec::new();
        Self::for_each(steps, &mut |step| {
            if let Self::When { condition, .. } = step {
                found.push(condition);
            }
        });
        found
    }

    /// All conditions of the steps in their order, likewise.
    pub fn conditions(steps: &[Self]) -> Vec<&C> {
        let found = Self::spanned_conditions(steps).into_iter();
        found.map(|condition| &condition.value).collect()
    }
}
