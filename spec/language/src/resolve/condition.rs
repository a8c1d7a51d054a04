//! Resolves conditions of states: those of the vocabulary, defined ones, and combinations. An invalid condition is
//! reported once, where it is written.

use super::Resolver;
use crate::diagnostic::UNKNOWN_CONDITION;
use crate::model::Condition;
use crate::syntax::{Argument, Conditions, Item, Spanned, Table, Words};

impl Resolver {
    /// Resolves the conditions that the table defines; they may refer to earlier ones.
    pub(super) fn define_conditions(&mut self, table: &Table) {
        for item in &table.items {
            if let Item::Condition { name, conditions } = item {
                self.unique(name, "condition");
                let condition = self.conditions(conditions).map(|condition| condition.value);
                self.conditions.push((name.value.clone(), condition));
            }
        }
    }

    /// Resolves a combination of conditions.
    pub(super) fn conditions(&mut self, words: &Conditions) -> Option<Spanned<Condition>> {
        let parts: Vec<Option<Condition>> =
            words.parts.iter().map(|part| self.condition(part)).collect();
        let mut parts: Vec<Condition> = parts.into_iter().collect::<Option<_>>()?;
        // A disjunction is the negation of the conjunction of all negations.
        let value = match (parts.len(), words.any) {
            (1, _) => parts.remove(0),
            (_, false) => Condition::All(parts),
            (_, true) => negated(Condition::All(parts.into_iter().map(negated).collect())),
        };
        Some(Spanned { value, span: words.span })
    }

    fn condition(&mut self, words: &Words) -> Option<Condition> {
        let value = match self.build::<Condition>(words) {
            Some(conditions) => conditions.into_iter().next()?,
            None => self.defined_condition(words)?,
        };
        if matches!(value, Condition::DataIsReference(_)) {
            self.require_references(words.span);
        }
        Some(if words.negated { negated(value) } else { value })
    }

    /// Returns the defined condition with this name.
    fn defined_condition(&mut self, words: &Words) -> Option<Condition> {
        if let [Spanned { value: Argument::Name(name), .. }] = &words.arguments[..]
            && let Some((_, defined)) = self.conditions.iter().find(|(other, _)| other == name)
        {
            return defined.clone();
        }
        self.report_unknown::<Condition>(words, UNKNOWN_CONDITION);
        None
    }
}

/// Returns the negation, without double negation.
fn negated(condition: Condition) -> Condition {
    if let Condition::Not(inner) = condition {
        return *inner;
    }
    Condition::Not(Box::new(condition))
}
