//! Resolves declarations other than rows: entry states, errors in the input, and effects of emitting a token. An
//! invalid declaration is reported and dropped.

use super::Resolver;
use crate::diagnostic::{BAD_PATTERN, Diagnostic};
use crate::model::tree::TreeLimit;
use crate::model::{Action, EmissionError, EmissionFlag, InputError, Limit};
use crate::syntax::{self, Handling, ItemBody, Spanned, Table, Word};
use crate::vocabulary::tree::TREE_LIMITS;
use crate::vocabulary::{EXCESSES, LIMITS, TOKENS};

impl Resolver {
    /// Resolves entry states, errors in the input and effects of emitting tokens, in the table's order.
    pub(super) fn resolve_declarations(&mut self, table: &Table) {
        for item in &table.items {
            match &item.body {
                ItemBody::Entry(words) => {
                    for word in words {
                        let state = self.state_id(&word.value, word.span);
                        self.machine.entries.push(state);
                    }
                }
                ItemBody::InputError { patterns, handling, error } => {
                    let characters = self.resolve_characters(patterns);
                    if self.machine.newlines_normalized && characters.contains('\n') {
                        let message =
                            "a line end is never an error by itself where newlines are normalized";
                        let help = "remove U+000A from the class, or report the error in rows";
                        self.report(Diagnostic::new(BAD_PATTERN, error.span, message).help(help));
                    }
                    let error = self.error_id(&error.value, error.span);
                    let input_error = InputError { characters, error };
                    match handling {
                        Handling::Reported => self.machine.input_errors.push(input_error),
                        Handling::Removed => self.machine.removed.push(input_error),
                        Handling::Trimmed => self.machine.trimmed.push(input_error),
                    }
                }
                ItemBody::EmissionAction { token, action } => {
                    let flag = self.resolve_emission_flag(token, action);
                    self.machine.emission_flags.extend(flag);
                }
                ItemBody::EmissionError { token, with, error } => {
                    let kind = self.word_of(TOKENS, &token.value, token.span, "a token");
                    let what = "an aspect of a token";
                    let excess = self.word_of(EXCESSES, &with.value, with.span, what);
                    let error = self.error_id(&error.value, error.span);
                    if let (Some(token), Some(with)) = (kind, excess) {
                        self.machine.emission_errors.push(EmissionError { token, with, error });
                    }
                }
                _ => {}
            }
        }
    }

    /// Resolves the action of an `emitting` declaration, which can only set a flag. Returns `None`, after a report, for
    /// any other action or an unknown kind of token.
    fn resolve_emission_flag(
        &mut self,
        token: &Word,
        words: &syntax::Words,
    ) -> Option<EmissionFlag> {
        let kind = self.word_of(TOKENS, &token.value, token.span, "a token");
        let mut actions = self.action::<Action>(words).into_iter();
        let span = words.span;
        if let Action::SetFlag(flag, value) = actions.next()?.value {
            return Some(EmissionFlag { token: kind?, flag, value, span });
        }
        let message = "only flags can be set whenever a token is emitted";
        let help = "write `set FLAG VALUE`, or add this step to the rows that emit the token";
        self.report(Diagnostic::new(BAD_PATTERN, span, message).help(help));
        None
    }

    /// Resolves the limits that the table declares.
    pub(super) fn resolve_limits(&mut self, table: &Table) {
        let text_limits = LIMITS.iter().map(|&(word, limit)| (word, Ok(limit)));
        let tree_limits = TREE_LIMITS.iter().map(|&(word, limit)| (word, Err(limit)));
        let limits: Vec<(&str, Result<Limit, TreeLimit>)> =
            text_limits.chain(tree_limits).collect();
        for item in &table.items {
            let ItemBody::Limit(Spanned { value, .. }) = &item.body else { continue };
            let limit = self.word_of(&limits, &item.name.value, item.name.span, "a limit");
            let (texts, trees) =
                (&mut self.machine.replacement_limits, &mut self.tree.construction.limits);
            match limit {
                Some(Ok(Limit::ReplacementNesting)) => texts.nesting = *value,
                Some(Ok(Limit::ReplacementBytes)) => texts.bytes = *value,
                Some(Ok(Limit::ReplacementBytesPerInputByte)) => {
                    texts.bytes_per_input_byte = *value;
                }
                Some(Err(limit)) => {
                    trees.insert(limit, *value);
                }
                None => {}
            }
        }
    }
}
