//! Reports unused declarations. Any mention counts as a use, even an unreachable one, so that one error does not cause
//! warnings about others.

use super::CheckContext;
use crate::diagnostic::{Diagnostic, UNUSED_CLASS, UNUSED_ERROR, UNUSED_FLAG, UNUSED_LEXEME};
use crate::model::{
    Action, Class, Condition, ErrorCode, ErrorId, Flag, FlagId, Lexeme, Machine, Step,
};
use crate::syntax::{self, Argument, Item, LexemeExpression, Pattern, Spanned, Table, Words};
use std::collections::HashSet;

pub(super) fn check(subject: &CheckContext<'_>) -> Vec<Diagnostic> {
    let machine = subject.machine;
    let named = class_names(subject.table);
    let classes = machine.classes.iter().filter(|class| !named.contains(&class.name[..]));
    let lexemes = machine.lexemes.iter().filter(|lexeme| !named.contains(&lexeme.name[..]));
    let used = UsedNames::new(machine);
    let errors = machine.errors.iter().zip(0..);
    let errors = errors.filter(|(error, _)| !error.by_host);
    let errors = errors.filter(|&(_, index)| !used.errors.contains(&ErrorId(index)));
    let flags = machine.flags.iter().zip(0..);
    let flags = flags.filter(|&(_, index)| !used.flags.contains(&FlagId(index)));
    classes
        .map(unused_class)
        .chain(lexemes.map(unused_lexeme))
        .chain(errors.map(|(error, _)| unused_error(error)))
        .chain(flags.map(|(flag, _)| unused_flag(flag)))
        .collect()
}

/// Returns the words in positions where a class can be named. The model only has the resulting sets.
fn class_names(table: &Table) -> HashSet<&str> {
    let mut names = HashSet::new();
    for item in &table.items {
        if let Item::Lexeme { expression, ahead, .. } = item {
            [Some(expression), ahead.as_ref()].into_iter().flatten().for_each(|written| {
                expression_names(&written.value, &mut names);
            });
        }
        if let Item::State(state) = item {
            names.extend(state.otherwise.iter().map(|word| &word.value[..]));
        }
    }
    for item in &table.items {
        let mut of = |patterns| names.extend(class_words(patterns));
        match item {
            Item::InputError { patterns, .. } | Item::Class { patterns, .. } => of(patterns),
            Item::State(state) => state.rows.iter().for_each(|row| of(&row.patterns)),
            Item::Mode(mode) => super::modes::class_words(mode).for_each(|name| {
                names.insert(name);
            }),
            Item::Procedure { states, .. } => {
                states.iter().flat_map(|state| &state.rows).for_each(|row| of(&row.patterns));
            }
            // Declarations without patterns over characters.
            Item::Name(_)
            | Item::Document(..)
            | Item::Start(_)
            | Item::Entry(_)
            | Item::Newlines(..)
            | Item::Nulls(..)
            | Item::ByteOrderMark(..)
            | Item::Limit { .. }
            | Item::EmissionAction { .. }
            | Item::EmissionError { .. }
            | Item::Errors(_)
            | Item::HostErrors(_)
            | Item::Flag { .. }
            | Item::Counter { .. }
            | Item::PushedStates { .. }
            | Item::Token { .. }
            | Item::Condition { .. }
            | Item::Action { .. }
            | Item::Encodings { .. }
            | Item::References(..)
            | Item::Lexeme { .. }
            | Item::TreeStart(_)
            | Item::Elements(..)
            | Item::Names(_)
            | Item::Tree(_)
            | Item::Steps { .. }
            | Item::Extends { .. } => {}
        }
    }
    names.extend(step_words(table));
    names
}

/// Returns the words in conditions and actions of the tokenizer.
pub(super) fn step_words(table: &Table) -> impl Iterator<Item = &str> {
    let mut words = Vec::new();
    for item in &table.items {
        match item {
            Item::Condition { conditions, .. } => words.extend(&conditions.parts),
            Item::Action { steps, .. } => add_step_words(steps, &mut words),
            Item::State(state) => add_row_words(&state.rows, &mut words),
            Item::Procedure { states, .. } => {
                states.iter().for_each(|state| add_row_words(&state.rows, &mut words));
            }
            // Declarations without conditions or actions of the tokenizer.
            Item::Name(_)
            | Item::Document(..)
            | Item::Start(_)
            | Item::Entry(_)
            | Item::Newlines(..)
            | Item::Nulls(..)
            | Item::ByteOrderMark(..)
            | Item::Limit { .. }
            | Item::InputError { .. }
            | Item::EmissionAction { .. }
            | Item::EmissionError { .. }
            | Item::Class { .. }
            | Item::Errors(_)
            | Item::HostErrors(_)
            | Item::Flag { .. }
            | Item::Counter { .. }
            | Item::PushedStates { .. }
            | Item::Token { .. }
            | Item::Encodings { .. }
            | Item::References(..)
            | Item::Lexeme { .. }
            | Item::TreeStart(_)
            | Item::Elements(..)
            | Item::Names(_)
            | Item::Tree(_)
            | Item::Steps { .. }
            | Item::Mode(_)
            | Item::Extends { .. } => {}
        }
    }
    words.into_iter().flat_map(|words| &words.arguments).filter_map(|argument| {
        if let Argument::Name(name) = &argument.value { Some(&name[..]) } else { None }
    })
}

/// Collects the conditions and actions of the rows.
fn add_row_words<'t>(rows: &'t [syntax::Row], words: &mut Vec<&'t Words>) {
    for row in rows {
        words.extend(row.guard.iter().flat_map(|guard| &guard.parts));
        add_step_words(&row.steps, words);
    }
}

fn add_step_words<'t>(steps: &'t [syntax::Step], words: &mut Vec<&'t Words>) {
    syntax::Step::for_each(steps, &mut |step| match step {
        syntax::Step::When { condition, .. } => words.extend(&condition.parts),
        syntax::Step::Action(action) => words.push(action),
        syntax::Step::Note(_) => {}
    });
}

/// Collects the names in a regular expression.
fn expression_names<'t>(written: &'t LexemeExpression, names: &mut HashSet<&'t str>) {
    match written {
        LexemeExpression::Name(name) => {
            names.insert(name);
        }
        LexemeExpression::Sequence(parts) | LexemeExpression::Alternatives(parts) => {
            parts.iter().for_each(|part| expression_names(&part.value, names));
        }
        LexemeExpression::Repeated { inner, .. } | LexemeExpression::Data(inner) => {
            expression_names(&inner.value, names);
        }
        LexemeExpression::Characters(..) | LexemeExpression::Text(_) => {}
    }
}

fn class_words(patterns: &[Spanned<Pattern>]) -> impl Iterator<Item = &str> {
    patterns.iter().filter_map(|pattern| {
        if let Pattern::Name(name) = &pattern.value { Some(&name[..]) } else { None }
    })
}

/// Names that rows and declarations use.
#[derive(Default)]
struct UsedNames {
    errors: HashSet<ErrorId>,
    flags: HashSet<FlagId>,
}

impl UsedNames {
    fn new(machine: &Machine) -> Self {
        let mut used = Self::default();
        let removed = machine.removed.iter().chain(&machine.trimmed);
        used.errors.extend(machine.input_errors.iter().chain(removed).map(|input| input.error));
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
        for state in &machine.states {
            let hooks = state.enter.iter().chain(&state.leave);
            hooks.for_each(|action| used.action(&action.value));
            for row in &state.rows {
                row.guard.iter().for_each(|guard| used.condition(&guard.value));
                Step::actions(&row.steps).into_iter().for_each(|action| used.action(action));
                Step::conditions(&row.steps).into_iter().for_each(|asked| used.condition(asked));
            }
        }
        used
    }

    fn action(&mut self, action: &Action) {
        self.errors.extend(action.effects().error);
    }

    fn condition(&mut self, condition: &Condition) {
        for part in condition.parts() {
            if let Condition::FlagIs(flag, _) = part {
                self.flags.insert(*flag);
            }
        }
    }
}

fn unused_class(class: &Class) -> Diagnostic {
    let message = format!("no row names the class `{}`", class.name);
    Diagnostic::new(UNUSED_CLASS, class.span, message).help("remove it")
}

fn unused_lexeme(lexeme: &Lexeme) -> Diagnostic {
    let message = format!("no row and no other lexeme names the lexeme `{}`", lexeme.name);
    Diagnostic::new(UNUSED_LEXEME, lexeme.span, message).help("remove it")
}

fn unused_error(error: &ErrorCode) -> Diagnostic {
    let message = format!("nothing reports the error `{}`", error.name);
    Diagnostic::new(UNUSED_ERROR, error.span, message).help("remove it, or report it with `error`")
}

fn unused_flag(flag: &Flag) -> Diagnostic {
    let message = format!("no condition tests the flag `{}`", flag.name);
    Diagnostic::new(UNUSED_FLAG, flag.span, message)
        .help(format!("remove it, or test it with `when {} is …`", flag.name))
}
