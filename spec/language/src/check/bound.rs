//! Reports algorithms of tokens whose steps differ from those of the built-in tables, and algorithms that nothing runs.

use crate::bound::{BoundAlgorithm, BoundKind, Comparison, all, unexecuted_names};
use crate::diagnostic::{Diagnostic, UNFOLLOWED_STEPS};
use crate::model::Machine;
use crate::nearest::nearest_or;
use crate::syntax::{AlgorithmStep, Argument, Item, Span, Table, TreeItem, Words};
use crate::vocabulary::algorithm::{
    BYTE_ROUTINES, FLOW, PLAIN_ROUTINES, ROUTINES, STEPS, WRITING_ROUTINES,
};
use crate::vocabulary::token_steps::TOKEN_ROUTINES;

pub(super) fn check(machine: &Machine, table: &Table) -> Vec<Diagnostic> {
    // Standard algorithms that the table includes are not in its text, and agree with the parser.
    let is_written = |bound: &&BoundAlgorithm| {
        table.items.iter().any(|item| {
        matches!(item, Item::Tree(TreeItem::Algorithm { name, .. }) if name.value == bound.name)
    })
    };
    all(machine, table)
        .iter()
        .filter(is_written)
        .filter_map(|bound| check_algorithm(bound, table))
        .collect()
}

fn check_algorithm(bound: &BoundAlgorithm, table: &Table) -> Option<Diagnostic> {
    let name = &bound.name;
    Some(match (bound.comparison(), bound.kind) {
        (Comparison::Bound, _) => return None,
        (Comparison::Unknown, _) => {
            let message = format!("nothing runs the algorithm `{name}`");
            let help =
                nearest_or(name, &names(), "remove it, or give it the name of one that rows run");
            Diagnostic::new(UNFOLLOWED_STEPS, bound.span, message).help(help)
        }
        (Comparison::Other(span), BoundKind::Unexecuted) => {
            let message = match step_at(table, span) {
                Some(words) => {
                    format!("`{words}` is not a step of `{name}`, and nothing would execute it")
                }
                None => format!(
                    "nothing executes the steps of `{name}`, so none of them can be removed or moved"
                ),
            };
            let help = unknown_word(table, span)
                .unwrap_or_else(|| "keep the steps of the built-in tables".to_owned());
            Diagnostic::new(UNFOLLOWED_STEPS, span, message).help(help)
        }
        (Comparison::Other(_), BoundKind::Token) => {
            let message =
                format!("parsers implement `{name}` by hand, and would not follow these steps");
            Diagnostic::new(UNFOLLOWED_STEPS, bound.span, message)
                .help("keep the steps of the built-in tables")
        }
    })
}

/// Returns the names of all known algorithms: those that something executes, and those in the list that nothing
/// executes.
fn names() -> Vec<&'static str> {
    let of_trees =
        [ROUTINES, PLAIN_ROUTINES, BYTE_ROUTINES, WRITING_ROUTINES].into_iter().flatten();
    let of_tokens = TOKEN_ROUTINES.iter().map(|(name, _)| *name);
    of_trees.map(|(name, _)| *name).chain(of_tokens).chain(unexecuted_names()).collect()
}

/// Returns the words of the step with this span.
fn step_at(table: &Table, span: Span) -> Option<String> {
    let mut found = None;
    for_each_step(table, &mut |words| {
        if words.span == span {
            found = Some(crate::resolve::format_words(words));
        }
    });
    found
}

/// Returns help for the first word of the step that no other step of the table contains.
fn unknown_word(table: &Table, span: Span) -> Option<String> {
    let (mut own, mut others) = (Vec::new(), Vec::new());
    for_each_step(table, &mut |words| {
        let names = words.arguments.iter().filter_map(|argument| match &argument.value {
            Argument::Name(name) => Some(name.clone()),
            Argument::Character(_) | Argument::Text(_) | Argument::Number(_) => None,
        });
        if words.span == span { own.extend(names) } else { others.extend(names) }
    });
    let phrases = [STEPS, FLOW].into_iter().flatten().flat_map(|phrase| phrase.syntax.split(' '));
    others.extend(phrases.filter(|word| !word.starts_with('<')).map(str::to_owned));
    let unknown = own.into_iter().find(|word| !others.contains(word))?;
    let others: Vec<&str> = others.iter().map(|word| &word[..]).collect();
    Some(nearest_or(&unknown, &others, &format!("no step has the word `{unknown}`")))
}

fn for_each_step(table: &Table, function: &mut dyn FnMut(&Words)) {
    fn for_each_inner_step(steps: &[AlgorithmStep], function: &mut dyn FnMut(&Words)) {
        for step in steps {
            match step {
                AlgorithmStep::Step { words, inner } => {
                    function(words);
                    for_each_inner_step(inner, function);
                }
                AlgorithmStep::Apart { inner, .. } => for_each_inner_step(inner, function),
            }
        }
    }
    for item in &table.items {
        if let Item::Tree(TreeItem::Algorithm { steps, .. }) = item {
            for_each_inner_step(steps, function);
        }
    }
}
