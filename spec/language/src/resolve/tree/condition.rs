//! Resolves conditions of tree construction: those of the vocabulary, defined ones, and combinations.

use super::super::Resolver;
use crate::diagnostic::UNKNOWN_CONDITION;
use crate::model::tree::TreeCondition;
use crate::syntax::{Argument, Conditions, Spanned, Words};

impl Resolver {
    /// Resolves a combination of conditions.
    pub(super) fn tree_conditions(&mut self, words: &Conditions) -> Option<Spanned<TreeCondition>> {
        let parts: Vec<_> = words.parts.iter().map(|part| self.tree_condition(part)).collect();
        let mut parts: Vec<TreeCondition> = parts.into_iter().collect::<Option<_>>()?;
        let negated = |condition| TreeCondition::Not(Box::new(condition));
        let value = match (parts.len(), words.any) {
            (1, _) => parts.remove(0),
            (_, false) => TreeCondition::All(parts),
            (_, true) => negated(TreeCondition::All(parts.into_iter().map(negated).collect())),
        };
        Some(Spanned { value, span: words.span })
    }

    fn tree_condition(&mut self, words: &Words) -> Option<TreeCondition> {
        let value = match self.build::<TreeCondition>(words) {
            Some(conditions) => conditions.into_iter().next()?,
            None => self.defined_tree_condition(words)?,
        };
        Some(if words.negated { TreeCondition::Not(Box::new(value)) } else { value })
    }

    /// Returns the defined condition with this name.
    fn defined_tree_condition(&mut self, words: &Words) -> Option<TreeCondition> {
        let mut defined = self.tree.conditions.iter();
        if let [Spanned { value: Argument::Name(name), .. }] = &words.arguments[..]
            && let Some((_, condition)) = defined.find(|(other, _)| other.value == *name)
        {
            return condition.clone();
        }
        self.report_unknown::<TreeCondition>(words, UNKNOWN_CONDITION);
        None
    }
}
