//! Steps of rows, read alike in states and in modes. What the words of an action or a condition mean is beside. Invariant:
//! notes are the row's, wherever among its steps they are.

use super::Resolver;
use crate::model::Step;
use crate::syntax::{self, Conditions, Note, Spanned, Words};

/// The notes of a row, collected from its steps.
pub(super) type Notes = Vec<Note>;

/// How the words of a step are read: those of states and those of modes differ in nothing else.
pub(super) struct Reading<A, C> {
    /// The steps that the words of an action stand for.
    pub(super) action: fn(&mut Resolver, &Words, &mut Notes) -> Vec<Step<A, C>>,
    /// The condition that the words stand for.
    pub(super) condition: fn(&mut Resolver, &Conditions) -> Option<Spanned<C>>,
}

impl Resolver {
    /// The steps of a row of a state.
    pub(super) fn steps(&mut self, steps: &[syntax::Step], notes: &mut Notes) -> Vec<Step> {
        let reading = Reading { action: Self::defined_or_action, condition: Self::conditions };
        self.steps_with(steps, notes, &reading)
    }

    /// The steps, actions and conditions read by the two functions: those of states or those of modes.
    pub(super) fn steps_with<A, C>(
        &mut self,
        steps: &[syntax::Step],
        notes: &mut Notes,
        reading: &Reading<A, C>,
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

    /// The steps of the declared action of this name, or the actions that the words mean.
    fn defined_or_action(&mut self, words: &Words, notes: &mut Notes) -> Vec<Step> {
        match self.defined_action(words) {
            Some((steps, of_action)) => {
                notes.extend(of_action);
                steps
            }
            None => self.action(words).into_iter().map(Step::Action).collect(),
        }
    }
}
