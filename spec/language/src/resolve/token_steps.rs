//! Resolves algorithms on tokens to typed steps. Algorithms that a table lacks are taken from `tokens.states`.

use super::Resolver;
use super::tree::lines;
use crate::diagnostic::{Diagnostic, MANUAL, UNKNOWN_STEP};
use crate::model::token_steps::{TokenAlgorithm, TokenStep};
use crate::parse;
use crate::syntax::{AlgorithmStep, ItemBody, Table};
use crate::vocabulary::find;
use crate::vocabulary::token_steps::{TOKEN_CONDITIONS, TOKEN_ROUTINES, TOKEN_STEPS};

/// Algorithms on tokens for tables that lack their own, in the table language.
const STANDARD: &str = include_str!("tokens.states");

impl Resolver {
    pub(super) fn resolve_token_algorithms(&mut self, table: &Table) -> Vec<TokenAlgorithm> {
        let standard = parse::lenient(STANDARD);
        let mut algorithms: Vec<TokenAlgorithm> = Vec::new();
        for item in table.items.iter().chain(&standard.items) {
            let (name, ItemBody::Algorithm(steps)) = (&item.name, &item.body) else { continue };
            let Some(routine) = find(TOKEN_ROUTINES, &name.value) else { continue };
            if algorithms.iter().all(|other| other.routine != routine) {
                let (span, steps) = (name.span, self.resolve_token_steps(steps));
                algorithms.push(TokenAlgorithm { routine, span, steps });
            }
        }
        algorithms
    }

    fn resolve_token_steps(&mut self, steps: &[AlgorithmStep]) -> Vec<TokenStep> {
        let mut resolved = Vec::new();
        for (words, inner) in lines(steps) {
            let text = words.to_string();
            let condition =
                text.strip_prefix("when ").and_then(|words| find(TOKEN_CONDITIONS, words));
            let step = match condition {
                Some(condition) => {
                    Some(TokenStep::When(condition, self.resolve_token_steps(inner)))
                }
                None => find(TOKEN_STEPS, &text).filter(|_| inner.is_empty()),
            };
            if step.is_none() {
                let message = format!("unknown step `{text}`");
                let help = format!("the reference lists the steps: {MANUAL}");
                self.report(Diagnostic::new(UNKNOWN_STEP, words.span, message).help(help));
            }
            resolved.extend(step);
        }
        resolved
    }
}
