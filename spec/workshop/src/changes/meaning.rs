//! Formats parts of a model as text that is independent of spans and numbering, so that parts of two tables can be
//! compared: ids are replaced by names, or by the definitions that they refer to.

use std::fmt::Debug;
use tabulex_language::model::Machine;

/// Maximum nesting depth of expanded definitions.
const MAX_DEPTH: usize = 8;

pub(super) fn meaning(machine: &Machine, part: &dyn Debug) -> String {
    resolve_ids(machine, &format!("{part:?}"), MAX_DEPTH)
}

/// Returns the debug output `words` without spans, and with each id replaced by its name or definition. Definitions are
/// expanded up to the nesting depth `depth`.
fn resolve_ids(machine: &Machine, words: &str, depth: usize) -> String {
    let mut out = String::with_capacity(words.len());
    let mut rest = words;
    while let Some(first) = rest.chars().next() {
        if first == '"' || first == '\'' {
            let end = literal_length(rest, first);
            out += &rest[..end];
            rest = &rest[end..];
        } else if first.is_ascii_alphabetic() {
            let end = rest.find(|c: char| !c.is_ascii_alphanumeric()).unwrap_or(rest.len());
            let (word, after) = rest.split_at(end);
            if word == "Span" && after.starts_with(" {") {
                let close = after.find('}').map_or(after.len(), |close| close + 1);
                rest = &after[close..];
            } else if let Some((number, end)) = parse_id(word, after) {
                out += &definition(machine, word, number, depth);
                rest = &after[end..];
            } else {
                out += word;
                rest = after;
            }
        } else {
            out.push(first);
            rest = &rest[first.len_utf8()..];
        }
    }
    out
}

/// Parses an id from its type name `word` and the text after it. Returns the number and the length of the parsed part
/// of `after`, or `None` if there is no id.
fn parse_id(word: &str, after: &str) -> Option<(usize, usize)> {
    let inner = after.strip_prefix('(').filter(|_| word.ends_with("Id"))?;
    let end = inner.find(')')?;
    Some((inner[..end].parse().ok()?, end + 2))
}

/// Returns the name or the definition that an id refers to, or its number if there is none.
fn definition(machine: &Machine, kind: &str, number: usize, depth: usize) -> String {
    let named = |name: Option<&String>| name.map(|name| format!("{kind} {name:?}"));
    let expanded = |words: Option<String>| {
        let words = words.filter(|_| depth > 0)?;
        Some(format!("{kind} <{}>", resolve_ids(machine, &words, depth - 1)))
    };
    let text = match (kind, &machine.construction) {
        ("StateId", _) => named(machine.states.get(number).map(|it| &it.name)),
        ("ErrorId", _) => named(machine.errors.get(number).map(|it| &it.name)),
        ("FlagId", _) => named(machine.flags.get(number).map(|it| &it.name)),
        ("ProcedureId", _) => named(machine.procedures.get(number).map(|it| &it.name)),
        ("LexemeId", _) => {
            let lexeme = machine.lexemes.get(number);
            expanded(lexeme.map(|it| format!("{:?}", (&it.expression, &it.ahead))))
        }
        ("ModeId", Some(tree)) => named(tree.modes.get(number).map(|it| &it.name)),
        ("TreeFlagId", Some(tree)) => named(tree.flags.get(number).map(|it| &it.name)),
        ("PointerId", Some(tree)) => named(tree.pointers.get(number).map(|it| &it.name)),
        ("AlgorithmId", Some(tree)) => named(tree.algorithms.get(number).map(|it| &it.name)),
        ("StepsId", Some(tree)) => {
            expanded(tree.steps.get(number).map(|it| format!("{:?}", it.steps)))
        }
        ("ScopeId", Some(tree)) => {
            expanded(tree.scopes.get(number).map(|it| format!("{:?}", it.members)))
        }
        ("AdjustmentsId", Some(tree)) => {
            expanded(tree.adjustments.get(number).map(|it| format!("{:?}", it.entries)))
        }
        ("DoctypesId", Some(tree)) => {
            let doctypes = tree.doctypes.get(number);
            expanded(doctypes.map(|it| format!("{:?}", (it.ignoring_case, &it.tests))))
        }
        ("FeedbackId", Some(tree)) => {
            expanded(tree.feedback.get(number).map(|it| format!("{:?}", it.effect)))
        }
        _ => None,
    };
    text.unwrap_or_else(|| format!("{kind} {number}"))
}

/// Returns the length of the literal at the start of the text, including quotes; an unterminated one extends to the
/// end.
fn literal_length(text: &str, quote: char) -> usize {
    let mut is_escaped = false;
    for (at, character) in text.char_indices().skip(1) {
        match character {
            _ if is_escaped => is_escaped = false,
            '\\' => is_escaped = true,
            _ if character == quote => return at + 1,
            _ => {}
        }
    }
    text.len()
}
