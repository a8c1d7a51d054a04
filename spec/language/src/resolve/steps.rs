//! Resolves the steps of rows, in states as in modes. Notes among the steps are collected for the row.

use super::Resolver;
use crate::model::Step;
use crate::syntax::{self, Conditions, Note, Spanned, Words};

/// The notes of a row, collected from its steps.
pub(super) type Notes = Vec<Note>;

/// Resolvers of actions and conditions, which differ between states and modes.
pub(super) struct StepResolvers<A, C> {
    /// Resolves an action to steps.
    pub(super) action: fn(&mut Resolver, &Words, &mut Notes) -> Vec<Step<A, C>>,
    /// Resolves a condition.
    pub(super) condition: fn(&mut Resolver, &Conditions) -> Option<Spanned<C>>,
}

impl Resolver {
    /// Resolves the steps of a state's row.
    pub(super) fn steps(&mut self, steps: &[syntax::Step], notes: &mut Notes) -> Vec<Step> {
        let reading = StepResolvers { action: Self::action_steps, condition: Self::conditions };
        self.steps_with(steps, notes, &reading)
    }

    /// Resolves steps by means of the given resolvers.
    pub(super) fn steps_with<A, C>(
        &mut self,
        steps: &[syntax::Step],
        notes: &mut Notes,
        reading: &StepResolvers<A, C>,
    ) -> Vec<Step<A, C>> {
        let mut resolved = Vec::new();
        for step in steps {
            match step {
                syntax::Step::Note(note) => notes.push(note.clone()),
                syntax::Step::Action(words) => {
                    resolved.extend((reading.action)(self, words, notes));
                }
                syntax::Step::When { condition, then, otherwise } => {
                    let then = self.steps_with(then, notes, reading);
                    let otherwise = self.steps_with(otherwise, notes, reading);
                    if let Some(condition) = (reading.condition)(self, condition) {
                        resolved.push(Step::When { condition, then, otherwise });
                    }
                }
            }
        }
        resolved
    }

    /// Resolves a defined action to its steps, or an action of the vocabulary.
    fn action_steps(&mut self, words: &Words, notes: &mut Notes) -> Vec<Step> {
        match self.defined_action(words) {
            Some((steps, of_action)) => {
                notes.extend(of_action);
                steps
            }
            None => self.action(words).into_iter().map(Step::Action).collect(),
        }
    }
}
