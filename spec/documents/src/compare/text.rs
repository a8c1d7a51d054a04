//! Formats parts of tables as normalized text: steps, conditions, patterns, expressions. Two parts have equal texts
//! only if they are equivalent. Notes are left out.

use tabulex_language::model::CharacterSet;
use tabulex_language::syntax::{
    Argument, Conditions, Note, ParsedElementName, ParsedLexemeExpression, ParsedPattern,
    ParsedRow, ParsedStep, ParsedTokenPattern, RowChange, Spanned, Word, Words,
};

/// Formats a word or literal. A character is written as a string, to which it is equivalent.
pub(super) fn argument(argument: &Argument) -> String {
    match argument {
        Argument::Name(name) => name.clone(),
        Argument::Character(character) => format!("{:?}", character.to_string()),
        Argument::Text(text) => format!("{text:?}"),
        Argument::Number(number) => number.to_string(),
    }
}

/// Formats an action, or a condition without its negation.
pub(super) fn arguments(words: &Words) -> String {
    words.arguments.iter().map(|one| argument(&one.value)).collect::<Vec<_>>().join(" ")
}

/// Formats an action or a condition, with its negation.
pub(super) fn words(words: &Words) -> String {
    let not = if words.negated { "not " } else { "" };
    format!("{not}{}", arguments(words))
}

/// Formats the values of a flag, and whether the host (first in `by`) and rows (second in `by`) may set it.
pub(super) fn flag(values: &[Word], by: (bool, bool)) -> String {
    let values: Vec<&str> = values.iter().map(|value| &value.value[..]).collect();
    let by = match by {
        (true, true) => " by host and rows",
        (true, false) => " by host",
        (false, _) => "",
    };
    format!("{}{by}", values.join(" | "))
}

/// Formats a set of characters as patterns of the table language.
pub(super) fn characters(set: &CharacterSet) -> String {
    let range_text =
        |&(first, last): &(char, char)| pattern(&ParsedPattern::Characters(first, last));
    set.ranges().iter().map(range_text).collect::<Vec<_>>().join(" | ")
}

/// Formats conditions in alphabetical order.
pub(super) fn conditions(conditions: &Conditions) -> String {
    let Conditions { span: _, any, parts } = conditions;
    let mut parts: Vec<String> = parts.iter().map(words).collect();
    parts.sort();
    parts.join(if *any { " or " } else { " and " })
}

/// Formats steps, each with its semicolon or blocks.
pub(super) fn steps(block: &[ParsedStep]) -> Vec<String> {
    let step_text = |step: &ParsedStep| match step {
        ParsedStep::Action(action) => Some(format!("{};", words(action))),
        ParsedStep::Note(Note { kind: _, reason: _, span: _ }) => None,
        ParsedStep::When { condition, then, otherwise } => {
            let then = steps(then).join(" ");
            let otherwise = match &steps(otherwise)[..] {
                [] => String::new(),
                other => format!(" otherwise {{ {} }}", other.join(" ")),
            };
            Some(format!("when {} {{ {then} }}{otherwise}", conditions(condition)))
        }
    };
    block.iter().filter_map(step_text).collect()
}

/// Formats a row as one line; `patterns` formats its patterns.
pub(super) fn row<P>(row: &ParsedRow<P>, patterns: fn(&[Spanned<P>]) -> String) -> String {
    let ParsedRow { span: _, text: _, patterns: alternatives, bindings, guard, steps: does } = row;
    let names: Vec<&str> = bindings.iter().map(|word| &word.value[..]).collect();
    let bindings =
        if names.is_empty() { String::new() } else { format!(" ({})", names.join(", ")) };
    let guard = guard.as_ref();
    let guard = guard.map_or(String::new(), |guard| format!(" when {}", conditions(guard)));
    format!("{}{bindings}{guard} => {}", patterns(alternatives), steps(does).join(" "))
}

/// Formats changes of rows as lines; `patterns` formats the patterns of a row.
pub(super) fn row_changes<P>(
    changes: &[RowChange<P>],
    patterns: fn(&[Spanned<P>]) -> String,
) -> Vec<String> {
    let line = |change: &RowChange<P>| match change {
        RowChange::Replace(with) => format!("replace {}", row(with, patterns)),
        RowChange::Add(with) => format!("add {}", row(with, patterns)),
        RowChange::Remove(which) => format!("remove {}", patterns(which)),
    };
    changes.iter().map(line).collect()
}

/// Formats a pattern of a state's row.
pub(super) fn pattern(pattern: &ParsedPattern) -> String {
    match pattern {
        ParsedPattern::Characters(first, last) if first == last => format!("{first:?}"),
        ParsedPattern::Characters(first, last) => format!("{first:?}..={last:?}"),
        ParsedPattern::Text { text, ignoring_case: false } => format!("{text:?}"),
        ParsedPattern::Text { text, ignoring_case: true } => format!("{text:?} ignoring-case"),
        ParsedPattern::Numbers(first, last) if first == last => format!("0x{first:X}"),
        ParsedPattern::Numbers(first, last) => format!("0x{first:X}..=0x{last:X}"),
        ParsedPattern::Name(name) => name.clone(),
    }
}

/// Formats alternative patterns in their order.
pub(super) fn patterns(alternatives: &[Spanned<ParsedPattern>]) -> String {
    alternatives.iter().map(|one| pattern(&one.value)).collect::<Vec<_>>().join(" | ")
}

/// Formats alternative patterns in alphabetical order.
pub(super) fn sorted(alternatives: &[Spanned<ParsedPattern>]) -> String {
    let mut alternatives: Vec<String> =
        alternatives.iter().map(|one| pattern(&one.value)).collect();
    alternatives.sort();
    alternatives.join(" | ")
}

/// Formats the token patterns of a mode's row.
pub(super) fn tokens(alternatives: &[Spanned<ParsedTokenPattern>]) -> String {
    let token_text = |token: &Spanned<ParsedTokenPattern>| {
        let ParsedTokenPattern { kind, pattern: pattern_text } = &token.value;
        let pattern_text = pattern_text.as_ref().map(pattern);
        kind.iter().cloned().chain(pattern_text).collect::<Vec<_>>().join(" ")
    };
    alternatives.iter().map(token_text).collect::<Vec<_>>().join(" | ")
}

/// Formats the patterns of a row for elements.
pub(super) fn elements(names: &[Spanned<ParsedElementName>]) -> String {
    let names: Vec<String> = names.iter().map(element).collect();
    if names.is_empty() { "else".to_owned() } else { names.join(" | ") }
}

/// Formats the name of an element or of a set.
pub(super) fn element(name: &Spanned<ParsedElementName>) -> String {
    match &name.value {
        ParsedElementName::Local(Some(namespace), local) => format!("{namespace} {local:?}"),
        ParsedElementName::Local(None, local) => format!("{local:?}"),
        ParsedElementName::Set(set) => set.clone(),
    }
}

/// Formats a regular expression.
pub(super) fn expression(expression: &Spanned<ParsedLexemeExpression>) -> String {
    let joined = |parts: &[Spanned<ParsedLexemeExpression>], between: &str| {
        parts.iter().map(self::expression).collect::<Vec<_>>().join(between)
    };
    match &expression.value {
        ParsedLexemeExpression::Characters(first, last) if first == last => {
            format!("{:?}", first.to_string())
        }
        ParsedLexemeExpression::Characters(first, last) => format!("{first:?}..={last:?}"),
        ParsedLexemeExpression::Text(text) => format!("{text:?}"),
        ParsedLexemeExpression::Name(name) => name.clone(),
        ParsedLexemeExpression::Sequence(parts) => format!("({})", joined(parts, " ")),
        ParsedLexemeExpression::Alternatives(_) => {
            format!("({})", alternatives(expression).join(" | "))
        }
        ParsedLexemeExpression::Repeated { inner, at_least_once, many } => {
            let sign = match (at_least_once, many) {
                (true, true) => "+",
                (false, true) => "*",
                (false, false) => "?",
                (true, false) => "",
            };
            format!("{}{sign}", self::expression(inner))
        }
        ParsedLexemeExpression::Data(inner) => format!("data({})", self::expression(inner)),
    }
}

/// Returns the texts of an expression's alternatives, with the alternatives of an alternative in its place.
fn alternatives(expression: &Spanned<ParsedLexemeExpression>) -> Vec<String> {
    match &expression.value {
        ParsedLexemeExpression::Alternatives(parts) => {
            parts.iter().flat_map(alternatives).collect()
        }
        _ => vec![self::expression(expression)],
    }
}
