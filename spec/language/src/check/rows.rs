//! Reports rows of a state that match the same input. A guarded row before others is not an error, as this order is
//! intended. `total` checks that every input is covered.

use super::{CheckContext, words};
use crate::diagnostic::{Diagnostic, OVERLAPPING_ROWS, UNREACHABLE_ROW};
use crate::model::{CharacterSet, Condition, Pattern, Row, Spanned, State};

/// A pattern, with the row that it belongs to.
struct Alternative<'m> {
    pattern: &'m Spanned<Pattern>,
    row: &'m Row,
}

impl Alternative<'_> {
    fn guard(&self) -> Option<&Condition> {
        self.row.guard.as_ref().map(|guard| &guard.value)
    }
}

pub(super) fn check(context: &CheckContext<'_>) -> Vec<Diagnostic> {
    let machine = context.machine;
    let null_diagnostics =
        machine.states.iter().filter(|_| machine.nulls_replaced).flat_map(check_nulls);
    machine.states.iter().flat_map(check_state).chain(null_diagnostics).collect()
}

/// Reports patterns that match only input with U+0000, in a machine that replaces U+0000 before the states read it.
fn check_nulls(state: &State) -> Vec<Diagnostic> {
    let patterns = state.rows.iter().flat_map(|row| &row.patterns);
    let matches_only_null = |pattern: &&Spanned<Pattern>| {
        if let Pattern::Characters(set) = &pattern.value {
            *set == CharacterSet::range('\0', '\0')
        } else {
            matches!(&pattern.value, Pattern::Text { text, .. } if text.contains('\0'))
        }
    };
    let message = "U+0000 cannot occur here: `nulls replaced` has replaced it";
    let help = "remove the pattern, or declare `nulls kept`";
    let diagnostic = |pattern: &Spanned<Pattern>| {
        Diagnostic::new(UNREACHABLE_ROW, pattern.span, message).help(help)
    };
    patterns.filter(matches_only_null).map(diagnostic).collect()
}

fn check_state(state: &State) -> Vec<Diagnostic> {
    let alternatives = in_matching_order(state);
    let mut diagnostics = Vec::new();
    for (index, later) in alternatives.iter().enumerate() {
        let earlier = &alternatives[..index];
        let mistake = empty_range(later);
        let mistake = mistake.or_else(|| earlier.iter().find_map(|one| conflict(one, later)));
        diagnostics.extend(mistake.or_else(|| shadowed_by_several(earlier, later)));
    }
    diagnostics
}

/// Returns the patterns in matching order: strings first, `else` last, others as in the table.
fn in_matching_order(state: &State) -> Vec<Alternative<'_>> {
    let alternative_of_row = |row| move |pattern| Alternative { pattern, row };
    let in_table_order =
        state.rows.iter().flat_map(|row| row.patterns.iter().map(alternative_of_row(row)));
    let mut alternatives: Vec<Alternative<'_>> = in_table_order.collect();
    alternatives.sort_by_key(|alternative| {
        let pattern = &alternative.pattern.value;
        (!matches!(pattern, Pattern::Text { .. }), *pattern == Pattern::Else)
    });
    alternatives
}

/// Returns the error if the earlier pattern always takes some input that the later one also matches.
fn conflict(earlier: &Alternative<'_>, later: &Alternative<'_>) -> Option<Diagnostic> {
    let shared = describe_overlap(&earlier.pattern.value, &later.pattern.value)?;
    let (check, message, label, help) = match (earlier.guard(), later.guard()) {
        _ if std::ptr::eq(earlier.row, later.row) => (
            OVERLAPPING_ROWS,
            format!("this row names {shared} twice"),
            "the first occurrence",
            "remove one of the two occurrences",
        ),
        (None, None) => (
            OVERLAPPING_ROWS,
            format!("two rows of this state match {shared}"),
            "the other row",
            "remove the pattern from one of the rows, or give the first row a guard (`when …`)",
        ),
        (None, Some(_)) => (
            UNREACHABLE_ROW,
            format!("this row never matches {shared}: a row before it has no guard"),
            "the row that matches it",
            "put the row with the guard first",
        ),
        (Some(one), Some(other)) if one == other => (
            UNREACHABLE_ROW,
            format!("this row never matches {shared}: a row before it has the same guard"),
            "the row that matches it",
            "remove the pattern from one of the rows, or change a guard",
        ),
        _ => return None,
    };
    let diagnostic = Diagnostic::new(check, later.pattern.span, message);
    Some(diagnostic.and(earlier.pattern.span, label).help(help))
}

/// Describes the input that both patterns match, unless their order is intended.
fn describe_overlap(earlier: &Pattern, later: &Pattern) -> Option<String> {
    match (earlier, later) {
        (Pattern::Characters(one), Pattern::Characters(other)) => {
            let shared = one.intersection(other);
            (!shared.is_empty()).then(|| words::characters(&shared))
        }
        (
            Pattern::Text { text: one, ignoring_case },
            Pattern::Text { text: other, ignoring_case: other_ignoring_case },
        ) => {
            let is_equal = one == other && ignoring_case == other_ignoring_case;
            let is_covered = *ignoring_case && one.eq_ignore_ascii_case(other);
            (is_equal || is_covered).then(|| words::pattern(later))
        }
        (Pattern::Text { text, ignoring_case }, Pattern::Characters(set)) => {
            let shared = single_character_set(text, *ignoring_case)?.intersection(set);
            (!shared.is_empty()).then(|| words::characters(&shared))
        }
        // Rows for numbers are tried in order, so a wide range may follow a narrow one on purpose. Only a later range
        // within an earlier one is an overlap.
        (Pattern::Numbers(a, b), Pattern::Numbers(c, d)) => {
            (a <= c && d <= b).then(|| words::pattern(later))
        }
        (one, other) => (one == other).then(|| words::pattern(later)),
    }
}

/// Returns the characters that a string of one character matches; `None` for other strings.
fn single_character_set(text: &str, ignoring_case: bool) -> Option<CharacterSet> {
    let mut characters = text.chars();
    let character = characters.next().filter(|_| characters.next().is_none())?;
    Some(CharacterSet::character(character, ignoring_case))
}

/// Returns the error if several rows together shadow the later pattern: rows with complementary guards, or rows that
/// each cover a part of it.
fn shadowed_by_several(earlier: &[Alternative<'_>], later: &Alternative<'_>) -> Option<Diagnostic> {
    let pattern = &later.pattern.value;
    let has_numbers = earlier.iter().any(|one| matches!(one.pattern.value, Pattern::Numbers(..)));
    let matched_set = if let Pattern::Numbers(first, last) = pattern {
        return shadowed_numbers(earlier, later, (*first, *last));
    } else if *pattern == Pattern::Else && has_numbers {
        return shadowed_numbers(earlier, later, (0, u32::MAX));
    } else if *pattern == Pattern::Else {
        CharacterSet::range('\0', char::MAX)
    } else if let Pattern::Characters(set) = pattern {
        set.clone()
    } else {
        return None;
    };
    let set_of = |alternative: &Alternative<'_>| {
        let Pattern::Characters(set) = &alternative.pattern.value else {
            return CharacterSet::default();
        };
        set.clone()
    };
    let mut remaining = matched_set.clone();
    for (index, one) in earlier.iter().enumerate() {
        if one.guard().is_none() {
            remaining = remaining.difference(&set_of(one));
        }
        for other in earlier[..index].iter().filter(|other| have_complementary_guards(one, other)) {
            remaining = remaining.difference(&set_of(one).intersection(&set_of(other)));
        }
    }
    let is_shadowed = !matched_set.is_empty() && remaining.is_empty();
    is_shadowed.then(|| impossible_pattern(later.pattern))
}

fn have_complementary_guards(one: &Alternative<'_>, other: &Alternative<'_>) -> bool {
    match (one.guard(), other.guard()) {
        (Some(Condition::Not(inner)), Some(condition)) => **inner == *condition,
        (Some(condition), Some(Condition::Not(inner))) => **inner == *condition,
        _ => false,
    }
}

fn shadowed_numbers(
    earlier: &[Alternative<'_>],
    later: &Alternative<'_>,
    (first, last): (u32, u32),
) -> Option<Diagnostic> {
    let unguarded_alternatives = earlier.iter().filter(|alternative| alternative.guard().is_none());
    let is_covered =
        covers_numbers(unguarded_alternatives.map(|one| &one.pattern.value), first, last);
    is_covered.then(|| impossible_pattern(later.pattern))
}

/// Whether the ranges of numbers among the patterns together cover the range from `first` to `last`.
pub(super) fn covers_numbers<'p>(
    patterns: impl Iterator<Item = &'p Pattern>,
    first: u32,
    last: u32,
) -> bool {
    let mut ranges: Vec<(u32, u32)> = patterns
        .filter_map(|pattern| {
            if let Pattern::Numbers(first, last) = pattern { Some((*first, *last)) } else { None }
        })
        .collect();
    ranges.sort_unstable();
    let mut uncovered_from = u64::from(first);
    for (first, last) in ranges {
        if u64::from(first) <= uncovered_from {
            uncovered_from = uncovered_from.max(u64::from(last) + 1);
        }
    }
    uncovered_from > u64::from(last)
}

fn empty_range(alternative: &Alternative<'_>) -> Option<Diagnostic> {
    let Pattern::Numbers(first, last) = alternative.pattern.value else { return None };
    (first > last).then(|| {
        let span = alternative.pattern.span;
        Diagnostic::new(UNREACHABLE_ROW, span, "no number lies in this range")
            .help("write the lower end first")
    })
}

fn impossible_pattern(pattern: &Spanned<Pattern>) -> Diagnostic {
    let message = format!("the other rows already match {}", words::pattern(&pattern.value));
    Diagnostic::new(UNREACHABLE_ROW, pattern.span, message).help("remove the pattern")
}
