//! Steps of rows in states and modes, generic over actions and conditions.

use super::{Action, Condition, Spanned};

/// A step of a row. In a state, all conditions are evaluated before the first action; in a mode, steps run in order,
/// conditions included.
#[derive(Clone, Debug)]
pub enum Step<A = Action, C = Condition> {
    /// An action.
    Action(Spanned<A>),
    /// A branch on a condition.
    When {
        /// Condition of the branch.
        condition: Spanned<C>,
        /// Steps run if the condition holds.
        then: Vec<Self>,
        /// Steps run if the condition does not hold.
        otherwise: Vec<Self>,
    },
}

impl<A, C> Step<A, C> {
    /// Returns the action; `None` for a branch.
    pub fn action(&self) -> Option<&A> {
        if let Self::Action(action) = self { Some(&action.value) } else { None }
    }

    /// Returns every step in preorder; the steps of a branch follow the branch.
    pub fn all(steps: &[Self]) -> Vec<&Self> {
        let mut all = Vec::new();
        for step in steps {
            all.push(step);
            if let Self::When { then, otherwise, .. } = step {
                all.extend([Self::all(then), Self::all(otherwise)].concat());
            }
        }
        all
    }

    /// Returns all actions with their spans, in order, including those of branches.
    pub fn spanned_actions(steps: &[Self]) -> Vec<&Spanned<A>> {
        let actions = Self::all(steps)
            .into_iter()
            .filter_map(|step| if let Self::Action(action) = step { Some(action) } else { None });
        actions.collect()
    }

    /// Returns all actions in order, including those of branches.
    pub fn actions(steps: &[Self]) -> Vec<&A> {
        Self::spanned_actions(steps).into_iter().map(|action| &action.value).collect()
    }

    /// Returns all conditions with their spans, in order; nested conditions follow that of the enclosing branch.
    pub fn spanned_conditions(steps: &[Self]) -> Vec<&Spanned<C>> {
        let conditions = Self::all(steps).into_iter().filter_map(|step| {
            if let Self::When { condition, .. } = step { Some(condition) } else { None }
        });
        conditions.collect()
    }

    /// Returns all conditions in order; nested conditions follow that of the enclosing branch.
    pub fn conditions(steps: &[Self]) -> Vec<&C> {
        let conditions = Self::spanned_conditions(steps).into_iter();
        conditions.map(|condition| &condition.value).collect()
    }
}
