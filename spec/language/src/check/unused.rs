//! Reports unused declarations. Any mention counts as a use, even an unreachable one, so that one error does not cause
//! warnings about others.

use super::CheckContext;
use crate::diagnostic::{Diagnostic, UNUSED_CLASS, UNUSED_ERROR, UNUSED_FLAG, UNUSED_LEXEME};
use crate::model::{Condition, ErrorId, FlagId, Machine, State};
use crate::syntax::{DeclarationPart, ParsedElementName, ParsedPattern, Table};
use std::collections::HashSet;

pub(super) fn check(context: &CheckContext<'_>) -> Vec<Diagnostic> {
    let machine = context.machine;
    let used_words = used_words(context.table, false);
    let is_unused = |name: &str| !used_words.contains(name);
    let used_ids = UsedIds::new(machine);
    let mut diagnostics = Vec::new();
    let mut report = |check, span, message: String, help: String| {
        diagnostics.push(Diagnostic::new(check, span, message).help(help));
    };
    for class in machine.classes.iter().filter(|class| is_unused(&class.name)) {
        let message = format!("nothing uses the class `{}`", class.name);
        report(UNUSED_CLASS, class.span, message, "remove the class".to_owned());
    }
    for lexeme in machine.lexemes.iter().filter(|lexeme| is_unused(&lexeme.name)) {
        let message = format!("nothing uses the lexeme `{}`", lexeme.name);
        report(UNUSED_LEXEME, lexeme.span, message, "remove the lexeme".to_owned());
    }
    for (error, index) in machine.errors.iter().zip(0..) {
        if !error.by_host && !used_ids.errors.contains(&ErrorId(index)) {
            let message = format!("nothing reports the error `{}`", error.name);
            let help = "remove the error code, or report it with `error`".to_owned();
            report(UNUSED_ERROR, error.span, message, help);
        }
    }
    for (flag, index) in machine.flags.iter().zip(0..) {
        if !used_ids.flags.contains(&FlagId(index)) {
            let message = format!("no condition tests the flag `{}`", flag.name);
            let help = format!("remove the flag, or test it with `when {} is …`", flag.name);
            report(UNUSED_FLAG, flag.span, message, help);
        }
    }
    diagnostics
}

/// Returns the words in positions where a class or lexeme can be named or, with `in_trees`, a declaration of tree
/// construction. The model does not record the names.
pub(super) fn used_words(table: &Table, in_trees: bool) -> HashSet<&str> {
    let mut names = HashSet::new();
    table.parts().for_each(|part| match part {
        DeclarationPart::Words(_, words) => names.extend(words.names()),
        DeclarationPart::Token(token) => {
            names.extend(token.value.pattern.as_ref().and_then(ParsedPattern::name))
        }
        DeclarationPart::Element(name) => {
            if let (ParsedElementName::Set(set), true) = (&name.value, in_trees) {
                names.insert(&set[..]);
            }
        }
        DeclarationPart::Pattern(pattern) if !in_trees => names.extend(pattern.value.name()),
        DeclarationPart::Lexeme(name, _) if !in_trees => names.extend([name]),
        DeclarationPart::Note(_)
        | DeclarationPart::Name(..)
        | DeclarationPart::Pattern(_)
        | DeclarationPart::Lexeme(..) => {}
    });
    names
}

/// Errors and flags that rows and declarations use.
#[derive(Default)]
struct UsedIds {
    errors: HashSet<ErrorId>,
    flags: HashSet<FlagId>,
}

impl UsedIds {
    fn new(machine: &Machine) -> Self {
        let mut used = Self::default();
        let removed_characters = machine.removed.iter().chain(&machine.trimmed);
        used.errors
            .extend(machine.input_errors.iter().chain(removed_characters).map(|input| input.error));
        used.errors.extend(machine.emission_errors.iter().map(|emission| emission.error));
        used.errors.extend(machine.flags.iter().filter_map(|flag| flag.counter));
        used.errors.extend(machine.pushed_states.map(|stack| stack.error));
        if let Some(construction) = &machine.construction {
            used.errors.extend(construction.actions().filter_map(|action| action.effects().error));
            used.errors.extend(construction.unacknowledged.iter().chain(&construction.left_out));
        }
        let answers = machine.construction.iter().flat_map(|construction| &construction.answers);
        used.flags.extend(answers.map(|answer| answer.flag));
        let actions = machine.states.iter().flat_map(State::actions);
        used.errors.extend(actions.filter_map(|action| action.effects().error));
        used.flags.extend(machine.conditions().flat_map(Condition::parts).filter_map(|part| {
            if let Condition::FlagIs(flag, _) = part { Some(*flag) } else { None }
        }));
        used
    }
}
