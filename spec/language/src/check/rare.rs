//! Warns of element names in modes that are probably misspelled, as documents name most elements several times. Short
//! names are exempt, since many differ in one letter, and so are names in sets.

use crate::diagnostic::{Diagnostic, RARE_NAME};
use crate::nearest::distance;
use crate::syntax::{
    Argument, Conditions, ElementName, ElementSet, Item, Mode, ModeRow, Pattern, Span, Spanned,
    Step, Table, TreeItem, Words,
};
use std::collections::{BTreeMap, HashSet};

/// Minimum length of a doubtful name, in characters.
const MIN_LENGTH: usize = 4;

/// Minimum number of occurrences of the name that was probably meant.
const MIN_COUNT: usize = 3;

pub(super) fn check(table: &Table) -> Vec<Diagnostic> {
    let mut names: BTreeMap<&str, Vec<Span>> = BTreeMap::new();
    for_each_name(table, &mut |name, span| names.entry(name).or_default().push(span));
    let in_sets = names_of_sets(table);
    let doubted = names.iter().filter(|(name, places)| {
        places.len() == 1 && name.chars().count() >= MIN_LENGTH && !in_sets.contains(*name)
    });
    let rival = |(name, places): (&&str, &Vec<Span>)| {
        let is_near = |(other, places): &(&&str, &Vec<Span>)| {
            places.len() >= MIN_COUNT && distance(name, other) == 1
        };
        let (other, others) = names.iter().find(is_near)?;
        Some(rare_name(name, places[0], other, others[0]))
    };
    doubted.filter_map(rival).collect()
}

fn rare_name(name: &str, place: Span, other: &str, first: Span) -> Diagnostic {
    let message = format!("the element name \"{name}\" occurs only here");
    Diagnostic::new(RARE_NAME, place, message)
        .and(first, format!("the first occurrence of the frequent \"{other}\""))
        .help(format!("did you mean \"{other}\"? if not, name it in a set with `names`, too"))
}

/// Returns the names in sets, which authors write as lists and are unlikely to misspell.
fn names_of_sets(table: &Table) -> HashSet<&str> {
    let mut names = HashSet::new();
    for item in &table.items {
        if let Item::Names(set) | Item::Tree(TreeItem::Scope(set)) = item {
            visit_members(set, &mut |name, _| {
                names.insert(name);
            });
        }
    }
    names
}

/// Calls `found` for each element name of modes, steps and sets.
fn for_each_name<'t>(table: &'t Table, visit: &mut dyn FnMut(&'t str, Span)) {
    for item in &table.items {
        match item {
            Item::Names(set) | Item::Tree(TreeItem::Scope(set)) => visit_members(set, visit),
            Item::Mode(Mode { rows, .. }) => rows.iter().for_each(|row| visit_row(row, visit)),
            Item::Steps { steps, .. } => visit_steps(steps, visit),
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
            | Item::Condition { .. }
            | Item::Action { .. }
            | Item::Encodings { .. }
            | Item::References(..)
            | Item::Lexeme { .. }
            | Item::Procedure { .. }
            | Item::State(_)
            | Item::TreeStart(_)
            | Item::Elements(..)
            | Item::Tree(_)
            | Item::Extends { .. } => {}
        }
    }
}

fn visit_members<'t>(set: &'t ElementSet, visit: &mut dyn FnMut(&'t str, Span)) {
    for Spanned { value, span } in set.members.iter().chain(&set.except) {
        if let ElementName::Local(_, name) = value {
            visit(name, *span);
        }
    }
}

fn visit_row<'t>(row: &'t ModeRow, visit: &mut dyn FnMut(&'t str, Span)) {
    for Spanned { value, span } in &row.patterns {
        if let Some(Pattern::Text { text, .. }) = &value.pattern {
            visit(text, *span);
        }
    }
    if let Some(guard) = &row.guard {
        visit_conditions(guard, visit);
    }
    visit_steps(&row.steps, visit);
}

fn visit_steps<'t>(steps: &'t [Step], visit: &mut dyn FnMut(&'t str, Span)) {
    Step::for_each(steps, &mut |step| match step {
        Step::Action(words) => visit_words(words, visit),
        Step::Note(_) => {}
        Step::When { condition, .. } => visit_conditions(condition, visit),
    });
}

fn visit_conditions<'t>(conditions: &'t Conditions, visit: &mut dyn FnMut(&'t str, Span)) {
    conditions.parts.iter().for_each(|words| visit_words(words, visit));
}

fn visit_words<'t>(words: &'t Words, visit: &mut dyn FnMut(&'t str, Span)) {
    for Spanned { value, span } in &words.arguments {
        if let Argument::Text(text) = value {
            visit(text, *span);
        }
    }
}
