//! Actions of states: those that the table defines, and those of the vocabulary. It looks no state's rows up. Invariant: as
//! for the rest of `resolve`.

use super::Resolver;
use crate::diagnostic::{BAD_PATTERN, Diagnostic, UNKNOWN_ACTION};
use crate::model::{Action, Step};
use crate::syntax::{Argument, Item, Note, Placed, Table, Words};

impl Resolver {
    /// Actions that the table defines; they may name those that stand before them.
    pub(super) fn define_actions(&mut self, table: &Table) {
        for item in &table.items {
            if let Item::Action { name, steps, .. } = item {
                let same = |item: &&Item| matches!(item, Item::Action { name: other, .. } if other.value == name.value);
                let first = table.items.iter().find(same).map(|item| match item {
                    Item::Action { name, .. } => name.place,
                    _ => name.place,
                });
                self.unique(name, "action", |_| first.filter(|place| *place != name.place));
                let mut notes = Vec::new();
                let steps = self.steps(steps, &mut notes);
                self.actions.push((name.value.clone(), steps, notes));
            }
        }
    }

    /// The steps and notes of the action that the table defines by this name.
    pub(super) fn defined_action(&self, words: &Words) -> Option<(Vec<Step>, Vec<Note>)> {
        let [Placed { value: Argument::Name(name), .. }] = &words.arguments[..] else {
            return None;
        };
        let (_, steps, notes) = self.actions.iter().find(|(other, ..)| other == name)?;
        Some((steps.clone(), notes.clone()))
    }

    /// The actions that the words mean; more than one for a form that is short for several.
    pub(super) fn action(&mut self, words: &Words) -> Vec<Placed<Action>> {
        let place = words.place;
        let Some(made) = self.made::<Action>(words) else {
            self.report_unknown::<Action>(words, UNKNOWN_ACTION);
            return Vec::new();
        };
        if made.iter().any(|action| matches!(action, Action::MatchReference(_))) {
            self.need_references(place);
        }
        made.into_iter().map(|value| Placed { value, place }).collect()
    }

    /// Reports a machine that has no named character references where some are asked for.
    pub(super) fn need_references(&mut self, place: crate::syntax::Place) {
        if self.references.is_none() {
            let message = "the machine has no named character references";
            self.report(
                Diagnostic::new(BAD_PATTERN, place, message)
                    .help("declare them with `references \"FILE\";`"),
            );
        }
    }
}
