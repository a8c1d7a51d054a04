//! Reports unused declarations. Any mention counts as a use, even an unreachable one, so that one error does not cause
//! warnings about others.

use super::CheckContext;
use crate::diagnostic::{Diagnostic, UNUSED_CLASS, UNUSED_ERROR, UNUSED_FLAG, UNUSED_LEXEME};
use crate::model::{Class, Condition, ErrorCode, ErrorId, Flag, FlagId, Lexeme, Machine, State};
use crate::syntax::{DeclarationPart, ParsedPattern, Table};
use std::collections::HashSet;

pub(super) fn check(context: &CheckContext<'_>) -> Vec<Diagnostic> {
    let machine = context.machine;
    let used_words = class_and_lexeme_names(context.table);
    let classes = machine.classes.iter().filter(|class| !used_words.contains(&class.name[..]));
    let lexemes = machine.lexemes.iter().filter(|lexeme| !used_words.contains(&lexeme.name[..]));
    let used_ids = UsedIds::new(machine);
    let errors = machine.errors.iter().zip(0..);
    let errors = errors.filter(|(error, _)| !error.by_host);
    let errors = errors.filter(|&(_, index)| !used_ids.errors.contains(&ErrorId(index)));
    let flags = machine.flags.iter().zip(0..);
    let flags = flags.filter(|&(_, index)| !used_ids.flags.contains(&FlagId(index)));
    classes
        .map(unused_class)
        .chain(lexemes.map(unused_lexeme))
        .chain(errors.map(|(error, _)| unused_error(error)))
        .chain(flags.map(|(flag, _)| unused_flag(flag)))
        .collect()
}

/// Returns the words in positions where a class or lexeme can be named. The model does not record the names.
fn class_and_lexeme_names(table: &Table) -> HashSet<&str> {
    let mut names = HashSet::new();
    table.for_each_part(&mut |part| match part {
        DeclarationPart::Words(_, words) => names.extend(words.names()),
        DeclarationPart::Pattern(pattern) => names.extend(pattern.value.name()),
        DeclarationPart::Token(token) => {
            names.extend(token.value.pattern.as_ref().and_then(ParsedPattern::name))
        }
        DeclarationPart::Lexeme(name, _) => names.extend([name]),
        DeclarationPart::Note(_) | DeclarationPart::Name(..) | DeclarationPart::Element(_) => {}
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
            super::modes::for_each_error(construction, &mut |error| {
                used.errors.insert(error);
            });
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

fn unused_class(class: &Class) -> Diagnostic {
    let message = format!("nothing uses the class `{}`", class.name);
    Diagnostic::new(UNUSED_CLASS, class.span, message).help("remove the class")
}

fn unused_lexeme(lexeme: &Lexeme) -> Diagnostic {
    let message = format!("nothing uses the lexeme `{}`", lexeme.name);
    Diagnostic::new(UNUSED_LEXEME, lexeme.span, message).help("remove the lexeme")
}

fn unused_error(error: &ErrorCode) -> Diagnostic {
    let message = format!("nothing reports the error `{}`", error.name);
    Diagnostic::new(UNUSED_ERROR, error.span, message)
        .help("remove the error code, or report it with `error`")
}

fn unused_flag(flag: &Flag) -> Diagnostic {
    let message = format!("no condition tests the flag `{}`", flag.name);
    Diagnostic::new(UNUSED_FLAG, flag.span, message)
        .help(format!("remove the flag, or test it with `when {} is …`", flag.name))
}
