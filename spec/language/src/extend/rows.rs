//! Changes of single rows in states and modes. Patterns are compared as written. A row that loses all its patterns is
//! removed; added rows precede those of the base.

use crate::syntax::{ParsedPattern, ParsedRow, ParsedTokenPattern, RowChange, Span, Spanned};
use crate::vocabulary::{self, tree::TOKEN_PATTERNS};

/// Gives each pattern without a kind the kind of the previous one, unless the pattern is itself a word for tokens.
/// `declared_tokens` lists the kinds of tokens that the table declares.
pub(super) fn add_kinds(patterns: &mut [Spanned<ParsedTokenPattern>], declared_tokens: &[String]) {
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

/// Applies the changes, and returns the spans of patterns to remove or replace that no row has. `expand` expands
/// abbreviated patterns.
pub(super) fn change<P: PartialEq>(
    rows: &mut Vec<ParsedRow<P>>,
    changes: Vec<RowChange<P>>,
    expand: &dyn Fn(&mut [Spanned<P>]),
) -> Vec<Span> {
    let (mut missing, mut added) = (Vec::new(), 0);
    rows.iter_mut().for_each(|row| expand(&mut row.patterns));
    for change in changes {
        match change {
            RowChange::Add(mut row) => {
                expand(&mut row.patterns);
                rows.insert(added, row);
                added += 1;
            }
            RowChange::Replace(mut row) => {
                expand(&mut row.patterns);
                let index = remove_patterns(rows, &row.patterns, added, &mut missing);
                rows.insert(index, row);
            }
            RowChange::Remove(mut patterns) => {
                expand(&mut patterns);
                remove_patterns(rows, &patterns, added, &mut missing);
            }
        }
    }
    missing
}

/// Removes patterns from the base's rows, which begin at `from`. Returns the index of the first changed row, or the
/// number of rows if none changed, and adds the spans of patterns that no row has to `missing`.
fn remove_patterns<P: PartialEq>(
    rows: &mut Vec<ParsedRow<P>>,
    patterns: &[Spanned<P>],
    from: usize,
    missing: &mut Vec<Span>,
) -> usize {
    let mut first_changed = usize::MAX;
    for removed in patterns {
        let mut is_found = false;
        for (index, row) in rows.iter_mut().enumerate().skip(from) {
            let count_before = row.patterns.len();
            row.patterns.retain(|pattern| pattern.value != removed.value);
            if row.patterns.len() < count_before {
                is_found = true;
                first_changed = first_changed.min(index);
            }
        }
        if !is_found {
            missing.push(removed.span);
        }
    }
    rows.retain(|row| !row.patterns.is_empty());
    first_changed.min(rows.len())
}
