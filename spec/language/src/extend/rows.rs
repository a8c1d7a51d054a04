//! Changes of single rows in states and modes. Patterns are compared as written. A row that loses all its patterns is
//! removed; added rows precede those of the base.

use crate::syntax::{ModeRow, Pattern, Row, RowChange, Span, Spanned, TokenPattern};
use crate::vocabulary::{self, tree::TOKEN_PATTERNS};

/// A row from which patterns can be removed.
pub(super) trait PatternRow {
    /// Type of a pattern.
    type Pattern: PartialEq + Clone;

    /// Returns the patterns in their full form.
    fn patterns(&mut self, declared_tokens: &[String]) -> &mut Vec<Spanned<Self::Pattern>>;
    /// Expands abbreviated patterns. `declared_tokens` lists the kinds of tokens that the table declares.
    fn expand_patterns(patterns: &mut [Spanned<Self::Pattern>], declared_tokens: &[String]);
}

impl PatternRow for Row {
    type Pattern = Pattern;

    fn patterns(&mut self, _: &[String]) -> &mut Vec<Spanned<Pattern>> {
        &mut self.patterns
    }

    fn expand_patterns(_: &mut [Spanned<Pattern>], _: &[String]) {}
}

impl PatternRow for ModeRow {
    type Pattern = TokenPattern;

    fn patterns(&mut self, declared_tokens: &[String]) -> &mut Vec<Spanned<TokenPattern>> {
        Self::expand_patterns(&mut self.patterns, declared_tokens);
        &mut self.patterns
    }

    /// Gives each pattern without a kind the kind of the previous one.
    fn expand_patterns(patterns: &mut [Spanned<TokenPattern>], declared_tokens: &[String]) {
        let mut kind = None;
        for Spanned { value, .. } in patterns {
            let is_token = |word: &String| {
                vocabulary::find(TOKEN_PATTERNS, word).is_some() || declared_tokens.contains(word)
            };
            let is_word = matches!(&value.pattern, Some(Pattern::Name(word)) if is_token(word));
            if value.kind.is_none() && !is_word {
                value.kind.clone_from(&kind);
            }
            kind = value.kind.clone().or(kind);
        }
    }
}

/// Applies the changes, and returns the spans of patterns that no row has.
pub(super) fn change<R: PatternRow>(
    rows: &mut Vec<R>,
    changes: Vec<RowChange<R, R::Pattern>>,
    declared_tokens: &[String],
) -> Vec<Span> {
    let (mut missing, mut added) = (Vec::new(), 0);
    for change in changes {
        match change {
            RowChange::Add(row) => {
                rows.insert(added, row);
                added += 1;
            }
            RowChange::Replace(mut row) => {
                let patterns = row.patterns(declared_tokens).clone();
                let index = remove_patterns(rows, &patterns, declared_tokens, added, &mut missing);
                rows.insert(index, row);
            }
            RowChange::Remove(mut patterns) => {
                R::expand_patterns(&mut patterns, declared_tokens);
                remove_patterns(rows, &patterns, declared_tokens, added, &mut missing);
            }
        }
    }
    missing
}

/// Removes patterns from the base's rows, which begin at `from`. Returns the index of the first changed row, or the
/// end, and adds the spans of patterns that no row has to `missing`.
fn remove_patterns<R: PatternRow>(
    rows: &mut Vec<R>,
    patterns: &[Spanned<R::Pattern>],
    declared_tokens: &[String],
    from: usize,
    missing: &mut Vec<Span>,
) -> usize {
    let mut first = None;
    for removed in patterns {
        let mut is_found = false;
        for (index, row) in rows.iter_mut().enumerate().skip(from) {
            let of_row = row.patterns(declared_tokens);
            let before = of_row.len();
            of_row.retain(|pattern| pattern.value != removed.value);
            if of_row.len() < before {
                is_found = true;
                first = Some(first.map_or(index, |first: usize| first.min(index)));
            }
        }
        if !is_found {
            missing.push(removed.span);
        }
    }
    rows.retain_mut(|row| !row.patterns(declared_tokens).is_empty());
    first.unwrap_or(rows.len()).min(rows.len())
}
