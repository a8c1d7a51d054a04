//! Changes of single rows, of states and of modes. Patterns are compared as they are written. Invariant: a row without patterns
//! is no more, and rows that are added stand before those of the base.

use crate::syntax::{ModeRow, Pattern, Row, RowChange, Span, Spanned, TokenPattern};
use crate::vocabulary::{self, tree::TOKEN_PATTERNS};

/// A row whose patterns can be taken out of it.
pub(super) trait Changed {
    /// One of its alternatives.
    type Pattern: PartialEq + Clone;

    /// The alternatives, each saying all that it means.
    fn patterns(&mut self, own: &[String]) -> &mut Vec<Spanned<Self::Pattern>>;
    /// Lets each of the alternatives say all that it means; `own` are the kinds of tokens that the table declares.
    fn spell_out(patterns: &mut [Spanned<Self::Pattern>], own: &[String]);
}

impl Changed for Row {
    type Pattern = Pattern;

    fn patterns(&mut self, _: &[String]) -> &mut Vec<Spanned<Pattern>> {
        &mut self.patterns
    }

    fn spell_out(_: &mut [Spanned<Pattern>], _: &[String]) {}
}

impl Changed for ModeRow {
    type Pattern = TokenPattern;

    fn patterns(&mut self, own: &[String]) -> &mut Vec<Spanned<TokenPattern>> {
        Self::spell_out(&mut self.patterns, own);
        &mut self.patterns
    }

    /// A kind that is left out is that of the alternative before.
    fn spell_out(patterns: &mut [Spanned<TokenPattern>], own: &[String]) {
        let mut kind = None;
        for Spanned { value, .. } in patterns {
            let is_token = |word: &String| {
                vocabulary::find(TOKEN_PATTERNS, word).is_some() || own.contains(word)
            };
            let is_word = matches!(&value.what, Some(Pattern::Name(word)) if is_token(word));
            if value.kind.is_none() && !is_word {
                value.kind.clone_from(&kind);
            }
            kind = value.kind.clone().or(kind);
        }
    }
}

/// Makes the changes, and gives the places of patterns that no row has.
pub(super) fn change<R: Changed>(
    rows: &mut Vec<R>,
    changes: Vec<RowChange<R, R::Pattern>>,
    own: &[String],
) -> Vec<Span> {
    let (mut missing, mut added) = (Vec::new(), 0);
    for change in changes {
        match change {
            RowChange::Add(row) => {
                rows.insert(added, row);
                added += 1;
            }
            RowChange::Replace(mut row) => {
                let patterns = row.patterns(own).clone();
                let at = take_patterns(rows, &patterns, own, added, &mut missing);
                rows.insert(at, row);
            }
            RowChange::Remove(mut patterns) => {
                R::spell_out(&mut patterns, own);
                take_patterns(rows, &patterns, own, added, &mut missing);
            }
        }
    }
    missing
}

/// Takes the patterns out of the rows of the base, which begin at `from`. Gives the place of the first such row, or the end,
/// and collects the patterns that no row has.
fn take_patterns<R: Changed>(
    rows: &mut Vec<R>,
    patterns: &[Spanned<R::Pattern>],
    own: &[String],
    from: usize,
    missing: &mut Vec<Span>,
) -> usize {
    let mut first = None;
    for wanted in patterns {
        let mut is_found = false;
        for (index, row) in rows.iter_mut().enumerate().skip(from) {
            let of_row = row.patterns(own);
            let before = of_row.len();
            of_row.retain(|pattern| pattern.value != wanted.value);
            if of_row.len() < before {
                is_found = true;
                first = Some(first.map_or(index, |first: usize| first.min(index)));
            }
        }
        if !is_found {
            missing.push(wanted.span);
        }
    }
    rows.retain_mut(|row| !row.patterns(own).is_empty());
    first.unwrap_or(rows.len()).min(rows.len())
}
