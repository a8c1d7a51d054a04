//! Suppression of diagnostics that are only consequences of a reported syntax error.

use crate::diagnostic::{
    Diagnostic, MISSING_DECLARATION, NOTHING_TO_CHANGE, Source, UNKNOWN_BASE, UNKNOWN_LABEL,
    UNKNOWN_NAME, UNKNOWN_STEP,
};

/// Whether the check is about names whose declaration may be in a part that could not be parsed.
fn is_about_names(check: &str) -> bool {
    [MISSING_DECLARATION, NOTHING_TO_CHANGE].iter().any(|it| it.name == check)
        || check.starts_with("unknown-")
            && [UNKNOWN_BASE, UNKNOWN_LABEL, UNKNOWN_STEP].iter().all(|it| it.name != check)
}

/// Whether a diagnostic may result from skipped text; `skipped_words` are the words of that text.
pub(crate) fn is_consequence(
    diagnostic: &Diagnostic,
    source: &Source,
    skipped_words: &[String],
) -> bool {
    if skipped_words.is_empty() || !is_about_names(diagnostic.check) {
        return false;
    }
    let span = diagnostic.span;
    let text = source.file(span.file).map_or("", |file| &file.text);
    let text_at_span = text.get(span.range()).unwrap_or_default();
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
