//! Messages that only repeat another mistake. It finds no mistakes. Invariant: what is left out follows from a mistake that is
//! reported.

use crate::diagnostic::{
    Check, Diagnostic, MISSING_DECLARATION, NOTHING_TO_CHANGE, Source, UNKNOWN_ACTION,
    UNKNOWN_CLASS, UNKNOWN_CONDITION, UNKNOWN_ERROR, UNKNOWN_FLAG, UNKNOWN_LEXEME, UNKNOWN_MODE,
    UNKNOWN_NAME, UNKNOWN_STATE, UNKNOWN_SUBJECT,
};

/// What names something that may have been declared where nothing could be read.
const OF_NAMES: &[&Check] = &[
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

/// Whether the message follows from what was left out, whose words these are.
pub(crate) fn follows(diagnostic: &Diagnostic, source: &Source, lost: &[String]) -> bool {
    if lost.is_empty() || !OF_NAMES.iter().any(|check| check.name == diagnostic.check) {
        return false;
    }
    let span = diagnostic.span;
    let text = source.file(span.file).map_or("", |file| &file.text);
    let named = text.get(span.start as usize..span.end as usize).unwrap_or_default();
    // What is missing altogether stands nowhere.
    let is_nowhere = diagnostic.check == MISSING_DECLARATION.name;
    // A field is called by its kind of token and its own name.
    let is_field_of = |word: &str, lost: &str| {
        let field = word.strip_prefix(lost).filter(|_| diagnostic.check == UNKNOWN_NAME.name);
        field.is_some_and(|field| field.starts_with('-'))
    };
    let is_lost = |word: &str| lost.iter().any(|lost| lost == word || is_field_of(word, lost));
    is_nowhere || named.split_whitespace().any(is_lost)
}
