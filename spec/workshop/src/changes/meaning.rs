//! Formats parts of a model as text that is independent of spans and numbering, so that parts of two tables can be
//! compared: ids are replaced by names, or by the definitions that they refer to.

use std::fmt::Debug;
use tabulex_language::model::Machine;
use tabulex_language::parse::lexer::{closing, tokens};

/// Maximum nesting depth of expanded definitions.
const MAX_DEPTH: usize = 8;

pub(super) fn meaning(machine: &Machine, part: &dyn Debug) -> String {
    resolve_ids(machine, &format!("{part:?}"), MAX_DEPTH)
}

/// Returns the tokens of the debug output `words` without spans, and with each id replaced by its name or definition.
/// Definitions are expanded up to the nesting depth `depth`.
fn resolve_ids(machine: &Machine, words: &str, depth: usize) -> String {
    let (tokens, mut at, mut out) = (tokens(words), 0, String::with_capacity(words.len()));
    while let Some(token) = tokens.get(at) {
        let next = |by: usize| tokens.get(at + by).map_or("", |next| next.text);
        if token.is("Span") && next(1) == "{" {
            at = closing(&tokens, at + 1).map_or(tokens.len(), |close| close + 1);
        } else if token.text.ends_with("Id")
            && next(1) == "("
            && let Ok(id) = next(2).parse()
        {
            out += &definition(machine, token.text, id, depth);
            at += 4;
        } else {
            out += token.text;
            out.push(' ');
            at += 1;
        }
    }
    out
}

/// Returns the name or the definition that an id refers to, or its number if definitions are nested too deeply.
fn definition(machine: &Machine, kind: &str, number: usize, depth: usize) -> String {
    let named = |name: Option<&String>| format!("{kind} {name:?} ");
    let expanded = |part: &dyn Debug| match depth {
        0 => format!("{kind} {number} "),
        _ => format!("{kind} <{}> ", resolve_ids(machine, &format!("{part:?}"), depth - 1)),
    };
    match (kind, &machine.construction) {
        ("StateId", _) => named(machine.states.get(number).map(|it| &it.name)),
        ("ErrorId", _) => named(machine.errors.get(number).map(|it| &it.name)),
        ("FlagId", _) => named(machine.flags.get(number).map(|it| &it.name)),
        ("ProcedureId", _) => named(machine.procedures.get(number).map(|it| &it.name)),
        ("LexemeId", _) => {
            expanded(&machine.lexemes.get(number).map(|it| (&it.expression, &it.ahead)))
        }
        ("ModeId", Some(tree)) => named(tree.modes.get(number).map(|it| &it.name)),
        ("TreeFlagId", Some(tree)) => named(tree.flags.get(number).map(|it| &it.name)),
        ("PointerId", Some(tree)) => named(tree.pointers.get(number).map(|it| &it.name)),
        ("AlgorithmId", Some(tree)) => named(tree.algorithms.get(number).map(|it| &it.name)),
        ("StepsId", Some(tree)) => expanded(&tree.steps.get(number).map(|it| &it.steps)),
        ("ScopeId", Some(tree)) => expanded(&tree.scopes.get(number).map(|it| &it.members)),
        ("AdjustmentsId", Some(tree)) => {
            expanded(&tree.adjustments.get(number).map(|it| &it.entries))
        }
        ("DoctypesId", Some(tree)) => {
            expanded(&tree.doctypes.get(number).map(|it| (it.ignoring_case, &it.tests)))
        }
        ("FeedbackId", Some(tree)) => expanded(&tree.feedback.get(number).map(|it| &it.effect)),
        _ => format!("{kind} {number} "),
    }
}
