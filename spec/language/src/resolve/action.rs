//! Resolves actions of states: defined ones, and those of the vocabulary.

use super::Resolver;
use crate::diagnostic::{BAD_PATTERN, Diagnostic, UNKNOWN_ACTION};
use crate::model::{Action, Step};
use crate::syntax::{Argument, Item, Note, Spanned, Table, Words};

impl Resolver {
    /// Resolves the actions that the table defines; they may refer to earlier ones.
    pub(super) fn define_actions(&mut self, table: &Table) {
        for item in &table.items {
            if let Item::Action { name, steps, .. } = item {
                self.unique(name, "action");
                let mut notes = Vec::new();
                let steps = self.steps(steps, &mut notes);
                self.actions.push((name.value.clone(), steps, notes));
            }
        }
    }

    /// Returns the steps and notes of the defined action with this name.
    pub(super) fn defined_action(&self, words: &Words) -> Option<(Vec<Step>, Vec<Note>)> {
        let [Spanned { value: Argument::Name(name), .. }] = &words.arguments[..] else {
            return None;
        };
        let (_, steps, notes) = self.actions.iter().find(|(other, ..)| other == name)?;
        Some((steps.clone(), notes.clone()))
    }

    /// Resolves an action; a shorthand form gives several.
    pub(super) fn action(&mut self, words: &Words) -> Vec<Spanned<Action>> {
        let span = words.span;
        let Some(actions) = self.build::<Action>(words) else {
            self.report_unknown::<Action>(words, UNKNOWN_ACTION);
            return Vec::new();
        };
        if actions.iter().any(|action| matches!(action, Action::MatchReference(_))) {
            self.require_references(span);
        }
        actions.into_iter().map(|value| Spanned { value, span }).collect()
    }

    /// Reports that the machine lacks named character references, which are used here.
    pub(super) fn require_references(&mut self, span: crate::syntax::Span) {
        if self.references.is_none() {
            let message = "the machine has no named character references";
            self.report(
                Diagnostic::new(BAD_PATTERN, span, message)
                    .help("declare them with `references \"FILE\";`"),
            );
        }
    }
}
