//! What a table says twice: in a declaration, which compiled machines go by, and in algorithms, which the oracle executes.
//! It compares names alone, not what is done with them. Invariant: of a table that passes, neither has a name that the
//! other lacks.

use crate::diagnostic::{Diagnostic, SAID_OTHERWISE};
use crate::model::tree::algorithm::Routine;
use crate::syntax::{AlgorithmStep, Argument, Item, NoteKind, Span, Table, TreeItem, Word, Words};
use crate::vocabulary::algorithm::ROUTINES;
use crate::vocabulary::word;

pub(super) fn check(table: &Table) -> Vec<Diagnostic> {
    let mut found = Vec::new();
    for item in &table.items {
        let Item::Tree(item) = item else { continue };
        if let TreeItem::SelectedContent(clauses, _) = item {
            found.extend(of_options(table, clauses));
        }
        if let TreeItem::Unacknowledged { part, error, .. } = item
            && part.value == "self-closing"
        {
            found.extend(of_flag(table, error));
        }
    }
    found
}

/// The names of `selected-content` beside those that the algorithms of options ask for.
fn of_options(table: &Table, clauses: &[(Word, Word)]) -> Vec<Diagnostic> {
    let start = word(ROUTINES, &Routine::CloneOption);
    let mut asked = Vec::new();
    for_each_step(table, start, &mut vec![start], &mut |words| {
        for word in &words.arguments {
            if let Argument::Text(name) = &word.value
                && asked.iter().all(|(other, _)| other != name)
            {
                asked.push((&name[..], word.span));
            }
        }
    });
    // That there is none is a mistake of its own.
    let Some(&(_, first)) = asked.first() else { return Vec::new() };
    let is_asked = |name: &str| asked.iter().any(|(other, _)| *other == name);
    let is_said = |name: &str| clauses.iter().any(|(_, other)| other.value == name);
    let unasked = clauses.iter().filter(|(_, name)| !is_asked(&name.value)).map(|(_, name)| {
        let message = format!("no algorithm of options asks for \"{}\"", name.value);
        otherwise(name.span, message, (first, "the first name that they ask for".to_owned()))
    });
    let unsaid = asked.iter().filter(|(name, _)| !is_said(name)).map(|&(name, span)| {
        let message = format!("`selected-content` does not say \"{name}\"");
        let (clause, _) = &clauses[0];
        otherwise(span, message, (clause.span, "its first clause".to_owned()))
    });
    unasked.chain(unsaid).collect()
}

/// The error of `unacknowledged self-closing` beside that of the algorithm `emit`, if that names one.
fn of_flag(table: &Table, error: &Word) -> Option<Diagnostic> {
    let start = word(ROUTINES, &Routine::Emit);
    let mut named = None;
    for_each_step(table, start, &mut vec![start], &mut |words| {
        // A step that is `error` alone reports the declared one.
        if let [first, code] = &words.arguments[..]
            && let (Argument::Name(word), Argument::Name(name)) = (&first.value, &code.value)
            && word == "error"
            && named.is_none()
        {
            named = Some((name, code.span));
        }
    });
    let (name, span) = named.filter(|(name, _)| **name != error.value)?;
    let message = format!("the algorithm `{start}` reports `{name}`, not this error");
    Some(otherwise(error.span, message, (span, "that error".to_owned())))
}

fn otherwise(span: Span, message: String, (other, what): (Span, String)) -> Diagnostic {
    Diagnostic::new(SAID_OTHERWISE, span, message)
        .and(other, format!("{what} stands"))
        .help("compiled machines go by the declaration, and the oracle by the algorithm: say the same in both")
}

/// Calls the function with the words of each step of an algorithm, and of those that it names, each of them once.
fn for_each_step<'t>(
    table: &'t Table,
    name: &'t str,
    seen: &mut Vec<&'t str>,
    found: &mut dyn FnMut(&'t Words),
) {
    let mut named = Vec::new();
    for item in &table.items {
        if let Item::Tree(TreeItem::Algorithm { name: other, steps, .. }) = item
            && other.value == name
        {
            in_steps(steps, &mut |words| {
                for word in &words.arguments {
                    if let Argument::Name(name) = &word.value {
                        named.push(&name[..]);
                    }
                }
                found(words);
            });
        }
    }
    for name in named {
        if !seen.contains(&name) {
            seen.push(name);
            for_each_step(table, name, seen, found);
        }
    }
}

/// What documents have and the table leaves out is no step.
fn in_steps<'t>(steps: &'t [AlgorithmStep], found: &mut dyn FnMut(&'t Words)) {
    for step in steps {
        match step {
            AlgorithmStep::Step { words, inner } => {
                found(words);
                in_steps(inner, found);
            }
            AlgorithmStep::Apart { note, inner } if note.kind == NoteKind::Fills => {
                in_steps(inner, found);
            }
            AlgorithmStep::Apart { .. } => {}
        }
    }
}
