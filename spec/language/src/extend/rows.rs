//! Changes of single rows in states and modes. Patterns are compared as written. A row that loses all its patterns is
//! removed; added rows precede those of the base.

use crate::syntax::{ParsedPattern, ParsedRow, ParsedTokenPattern, RowChange, Span, Spanned};
use crate::vocabulary::{self, tree::TOKEN_PATTERNS};

/// A pattern that a change can name.
pub(super) trait RowPattern: PartialEq + Clone {
    /// Expands abbreviated patterns. `declared_tokens` lists the kinds of tokens that the table declares.
    fn expand(patterns: &mut [Spanned<Self>], declared_tokens: &[String]);
}

impl RowPattern for ParsedPattern {
    fn expand(_: &mut [Spanned<Self>], _: &[String]) {}
}

impl RowPattern for ParsedTokenPattern {
    /// Gives each pattern without a kind the kind of the previous one, unless the pattern is itself a word for tokens.
    fn expand(patterns: &mut [Spanned<Self>], declared_tokens: &[String]) {
        let mut kind = None;
        for Spanned { value, .. } in patterns {
            let is_token = |word: &String| {
                vocabulary::find(TOKEN_PATTERNS, word).is_some() || declared_tokens.contains(word)
            };
            let is_token_word =
                matches!(&value.pattern, Some(ParsedPattern::Name(word)) if is_token(word));
            if value.kind.is_none() && !is_token_word {
                value.kind.clone_from(&kind);
            }
            kind = value.kind.clone().or(kind);
        }
    }
}

/// Applies the changes, and returns the spans of patterns to remove or replace that no row has.
pub(super) fn change<P: RowPattern>(
    rows: &mut Vec<ParsedRow<P>>,
    changes: Vec<RowChange<P>>,
    declared_tokens: &[String],
) -> Vec<Span> {
    let (mut missing, mut added) = (Vec::new(), 0);
    rows.iter_mut().for_each(|row| P::expand(&mut row.patterns, declared_tokens));
    for change in changes {
        match change {
            RowChange::Add(mut row) => {
                P::expand(&mut row.patterns, declared_tokens);
                rows.insert(added, row);
                added += 1;
            }
            RowChange::Replace(mut row) => {
                P::expand(&mut row.patterns, declared_tokens);
                let index = remove_patterns(rows, &row.patterns, added, &mut missing);
                rows.insert(index, row);
            }
            RowChange::Remove(mut patterns) => {
                P::expand(&mut patterns, declared_tokens);
                remove_patterns(rows, &patterns, added, &mut missing);
            }
        }
    }
    missing
}

/// Removes patterns from the base's rows, which begin at `from`. Returns the index of the first changed row, or the
/// number of rows if none changed, and adds the spans of patterns that no row has to `missing`.
fn remove_patterns<P: RowPattern>(
    rows: &mut Vec<ParsedRow<P>>,
    patterns: &[Spanned<P>],
    from: usize,
    missing: &mut Vec<Span>,
) -> usize {
    let mut first_changed = None;
    for removed in patterns {
        let mut is_found = false;
        for (index, row) in rows.iter_mut().enumerate().skip(from) {
            let count_before = row.patterns.len();
            row.patterns.retain(|pattern| pattern.value != removed.value);
            if row.patterns.len() < count_before {
                is_found = true;
                first_changed = Some(
                    first_changed.map_or(index, |first_changed: usize| first_changed.min(index)),
                );
            }
        }
        if !is_found {
            missing.push(removed.span);
        }
    }
    rows.retain(|row| !row.patterns.is_empty());
    first_changed.unwrap_or(rows.len()).min(rows.len())
}
