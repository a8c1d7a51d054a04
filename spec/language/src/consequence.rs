//! Suppression of diagnostics that are only consequences of a reported syntax error.

use crate::diagnostic::{
    Check, Diagnostic, MISSING_DECLARATION, NOTHING_TO_CHANGE, Source, UNKNOWN_ACTION,
    UNKNOWN_CLASS, UNKNOWN_CONDITION, UNKNOWN_ERROR, UNKNOWN_FLAG, UNKNOWN_LEXEME, UNKNOWN_MODE,
    UNKNOWN_NAME, UNKNOWN_STATE, UNKNOWN_SUBJECT,
};

/// Checks about names whose declaration may be in a part that could not be parsed.
const NAME_CHECKS: &[&Check] = &[
    MISSING_DECLARATION,
    NOTHING_TO_CHANGE,
    UNKNOWN_ACTION,
    UNKNOWN_CLASS,
    UNKNOWN_CONDITION,
    UNKNOWN_ERROR,
    UNKNOWN_FLAG,
    UNKNOWN_LEXEME,
    UNKNOWN_MODE,
    UNKNOWN_NAME,
    UNKNOWN_STATE,
    UNKNOWN_SUBJECT,
];

/// Whether a diagnostic may result from skipped text; `skipped_words` are the words of that text.
pub(crate) fn is_consequence(
    diagnostic: &Diagnostic,
    source: &Source,
    skipped_words: &[String],
) -> bool {
    if skipped_words.is_empty() || !NAME_CHECKS.iter().any(|check| check.name == diagnostic.check) {
        return false;
    }
    let span = diagnostic.span;
    let text = source.file(span.file).map_or("", |file| &file.text);
    let text_at_span = text.get(span.start as usize..span.end as usize).unwrap_or_default();
    // A diagnostic about a missing declaration has no name at its span, so it may always result from skipped text.
    let has_no_name = diagnostic.check == MISSING_DECLARATION.name;
    // A field is referred to by the name of its token and its own name, joined by a hyphen, so it is unknown if the
    // declaration of the token was skipped.
    let is_field_of = |word: &str, skipped_word: &str| {
        let field =
            word.strip_prefix(skipped_word).filter(|_| diagnostic.check == UNKNOWN_NAME.name);
        field.is_some_and(|field| field.starts_with('-'))
    };
    let is_skipped = |word: &str| {
        skipped_words
            .iter()
            .any(|skipped_word| skipped_word == word || is_field_of(word, skipped_word))
    };
    has_no_name || text_at_span.split_whitespace().any(is_skipped)
}
