//! Resolves declarations other than rows: entry states, errors in the input, and effects of emitting a token. An
//! invalid declaration is reported and dropped.

use super::Resolver;
use crate::diagnostic::{BAD_PATTERN, Diagnostic};
use crate::model::tree::{TreeLimit, TreeLimits};
use crate::model::{
    Action, EmissionError, EmissionFlag, InputError, Limit, ReplacementLimits, StateId,
};
use crate::syntax::{self, Handling, Item, Table, Word};
use crate::vocabulary::tree::TREE_LIMITS;
use crate::vocabulary::{EXCESSES, LIMITS, TOKENS};

/// The resolved declarations.
#[derive(Default)]
pub(super) struct ResolvedDeclarations {
    pub(super) entries: Vec<StateId>,
    pub(super) input_errors: Vec<InputError>,
    pub(super) removed: Vec<InputError>,
    pub(super) trimmed: Vec<InputError>,
    pub(super) emission_errors: Vec<EmissionError>,
    pub(super) emission_flags: Vec<EmissionFlag>,
}

impl Resolver {
    /// Resolves the declarations in the table's order.
    pub(super) fn resolve_declarations(&mut self, table: &Table) -> ResolvedDeclarations {
        let mut declared = ResolvedDeclarations::default();
        for item in &table.items {
            match item {
                Item::Entry(words) => {
                    let states = words.iter().map(|word| self.state_id(&word.value, word.span));
                    declared.entries.extend(states);
                }
                Item::InputError { patterns, handling, error, .. } => {
                    let characters = self.resolve_characters(patterns, self.classes.len());
                    if self.newlines_normalized && characters.contains('\n') {
                        let message =
                            "a line end is never an error by itself where newlines are normalized";
                        let help = "remove U+000A from the class, or report the error in rows";
                        self.report(Diagnostic::new(BAD_PATTERN, error.span, message).help(help));
                    }
                    let (error, span) = (self.error_id(&error.value, error.span), error.span);
                    let input_error = InputError { characters, error, span };
                    match handling {
                        Handling::Reported => declared.input_errors.push(input_error),
                        Handling::Removed => declared.removed.push(input_error),
                        Handling::Trimmed => declared.trimmed.push(input_error),
                    }
                }
                Item::EmissionAction { token, action, .. } => {
                    declared.emission_flags.extend(self.resolve_emission_flag(token, action));
                }
                Item::EmissionError { token, with, error, .. } => {
                    let kind = self.word_of(TOKENS, &token.value, token.span, "a token");
                    let what = "an aspect of a token";
                    let excess = self.word_of(EXCESSES, &with.value, with.span, what);
                    let (error, span) = (self.error_id(&error.value, error.span), error.span);
                    if let (Some(token), Some(with)) = (kind, excess) {
                        let emission_error = EmissionError { token, with, error, span };
                        declared.emission_errors.push(emission_error);
                    }
                }
                _ => {}
            }
        }
        declared
    }

    /// Resolves an effect of emitting a token: setting a flag.
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

    /// Resolves the limits of inserted text, and of trees.
    pub(super) fn resolve_limits(&mut self, table: &Table) -> (ReplacementLimits, TreeLimits) {
        let mut limits = (ReplacementLimits::default(), TreeLimits::default());
        for item in &table.items {
            if let Item::Limit { name, number, .. } = item {
                self.apply_limit(&mut limits, name, number.value);
            }
        }
        limits
    }

    fn apply_limit(
        &mut self,
        (texts, trees): &mut (ReplacementLimits, TreeLimits),
        name: &Word,
        number: u32,
    ) {
        let of_texts = LIMITS.iter().map(|&(word, limit)| (word, Ok(limit)));
        let of_trees = TREE_LIMITS.iter().map(|&(word, limit)| (word, Err(limit)));
        let all: Vec<(&str, Result<Limit, TreeLimit>)> = of_texts.chain(of_trees).collect();
        match self.word_of(&all, &name.value, name.span, "a limit") {
            Some(Ok(Limit::ReplacementNesting)) => texts.nesting = number,
            Some(Ok(Limit::ReplacementBytes)) => texts.bytes = number,
            Some(Ok(Limit::ReplacementBytesPerInputByte)) => texts.bytes_per_input_byte = number,
            Some(Err(TreeLimit::AdoptionRounds)) => trees.adoption_rounds = Some(number),
            Some(Err(TreeLimit::AdoptionElements)) => trees.adoption_elements = Some(number),
            Some(Err(TreeLimit::AlikeFormatting)) => trees.alike_formatting = Some(number),
            None => {}
        }
    }
}
