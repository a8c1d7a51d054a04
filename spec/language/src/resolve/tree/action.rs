//! Resolves actions of tree construction, and the effects on the tokenizer that modes name.

use super::super::Resolver;
use crate::diagnostic::UNKNOWN_ACTION;
use crate::model::tree::{FeedbackEffect, TreeAction};
use crate::syntax::{Spanned, Words};

impl Resolver {
    /// Resolves an action; a shorthand form gives several.
    pub(super) fn tree_action(&mut self, words: &Words) -> Vec<TreeAction> {
        self.build(words).unwrap_or_else(|| {
            self.report_unknown::<TreeAction>(words, UNKNOWN_ACTION);
            Vec::new()
        })
    }

    /// Resolves the effect of a tokenizer word.
    pub(super) fn feedback_effect(&mut self, action: &Words) -> Option<FeedbackEffect> {
        use crate::model::{Action, StateId};
        let actions = self.action(action);
        let effect = match actions.first().map(|action: &Spanned<Action>| &action.value) {
            Some(Action::Switch(state)) => {
                let state: StateId = *state;
                Some(FeedbackEffect::Switch(state))
            }
            Some(Action::SetFlag(flag, value)) => Some(FeedbackEffect::SetFlag(*flag, *value)),
            _ => None,
        };
        if effect.is_none() && !actions.is_empty() {
            let message = "a `tokenizer` word can only switch to a state or set a flag";
            self.report(
                crate::diagnostic::Diagnostic::new(
                    crate::diagnostic::BAD_PATTERN,
                    action.span,
                    message,
                )
                .help("write `switch STATE`, or `set FLAG VALUE`"),
            );
        }
        effect
    }
}
