//! What inputs are made of: a character of each kind that the rows of a machine tell apart, and the strings, references
//! and numbers that they look for. It runs nothing. Invariant: whatever two characters of one kind follow, rows take
//! them alike.

use super::probe::Probe;
use crate::model::{CharacterSet, Expression, Machine, Pattern};
use std::collections::{BTreeSet, HashSet};

/// The pieces of inputs for these machines, the shortest first.
pub(super) fn pieces(probes: &[&Probe<'_>]) -> Vec<String> {
    let mut sets: Vec<&CharacterSet> = Vec::new();
    let mut texts: BTreeSet<String> = BTreeSet::new();
    for probe in probes {
        let machine = probe.machine;
        texts.extend(probe.asked.iter().cloned());
        sets.extend(machine.input_errors.iter().map(|error| &error.characters));
        for lexeme in &machine.lexemes {
            let expressions = std::iter::once(&lexeme.expression).chain(&lexeme.ahead);
            expressions.for_each(|expression| sets_of(expression, &mut sets));
            for text in examples(&lexeme.expression) {
                let behind = lexeme.ahead.as_ref().map(examples).unwrap_or_default();
                texts.extend(behind.iter().map(|behind| text.clone() + behind));
                texts.insert(text);
            }
        }
        let rows = machine.states.iter().flat_map(|state| &state.rows);
        for pattern in rows.flat_map(|row| &row.patterns) {
            match &pattern.value {
                Pattern::Characters(set) => sets.push(set),
                Pattern::Text { text, .. } => {
                    texts.insert(text.clone());
                }
                Pattern::Numbers(first, last) => {
                    texts.insert(format!("{first}"));
                    texts.insert(format!("{last:x}"));
                }
                Pattern::Reference => texts.extend(references(machine)),
                _ => {}
            }
        }
    }
    let texts = texts.into_iter().filter(|text| text.chars().nth(1).is_some());
    let characters = kinds(&sets).into_iter().map(String::from);
    let mut pieces: Vec<String> = characters.chain(texts).collect();
    pieces.sort_by_key(|piece| piece.chars().count());
    pieces
}

/// Names with and without a semicolon, of few characters.
fn references(machine: &Machine) -> Vec<String> {
    let Some(references) = &machine.references else { return Vec::new() };
    let shortest = |wanted: &dyn Fn(&str) -> bool| {
        let names = references.entries.iter().map(|(name, _)| name).filter(|name| wanted(name));
        names.min_by_key(|name| name.len()).cloned()
    };
    let with = shortest(&|name| name.ends_with(';'));
    let without = shortest(&|name| !name.ends_with(';'));
    with.into_iter().chain(without).collect()
}

fn sets_of<'a>(expression: &'a Expression, sets: &mut Vec<&'a CharacterSet>) {
    let mut waiting = vec![expression];
    while let Some(expression) = waiting.pop() {
        match expression {
            Expression::Characters(set) => sets.push(set),
            Expression::Sequence(parts) | Expression::Alternatives(parts) => waiting.extend(parts),
            Expression::Repeated { inner, .. } | Expression::Data(_, inner) => waiting.push(inner),
        }
    }
}

/// How many examples of an expression are taken.
const MOST: usize = 12;

/// Short texts that the expression matches, the first one among the shortest.
fn examples(expression: &Expression) -> Vec<String> {
    let mut examples = match expression {
        Expression::Characters(set) => {
            preferred(set.ranges()).into_iter().map(String::from).collect()
        }
        Expression::Sequence(parts) => examples_of_sequence(parts),
        Expression::Alternatives(parts) => parts.iter().flat_map(examples).collect(),
        Expression::Repeated { inner, at_least_once, .. } => {
            let without = (!at_least_once).then(String::new);
            without.into_iter().chain(examples(inner)).collect()
        }
        Expression::Data(_, inner) => examples(inner),
    };
    examples.sort_by_key(String::len);
    examples.dedup();
    examples.truncate(MOST);
    examples
}

/// The shortest examples of the parts joined, and the same with another example of one part.
fn examples_of_sequence(parts: &[Expression]) -> Vec<String> {
    let parts: Vec<Vec<String>> = parts.iter().map(examples).collect();
    let first = |part: &Vec<String>| part.first().cloned().unwrap_or_default();
    let mut all = vec![parts.iter().map(first).collect::<String>()];
    for (at, part) in parts.iter().enumerate() {
        for other in part.iter().skip(1) {
            let before: String = parts[..at].iter().map(first).collect();
            let behind: String = parts[at + 1..].iter().map(first).collect();
            all.push(before + other + &behind);
        }
    }
    all
}

/// A character of the ranges, one that can be read on a screen if there is one.
fn preferred(ranges: &[(char, char)]) -> Option<char> {
    let readable = ranges.iter().find_map(|&(first, last)| {
        let first = first.max('!');
        (first <= last && first <= '~').then_some(first)
    });
    readable.or_else(|| ranges.first().map(|range| range.0))
}

/// A character of each kind: two are of one kind if they are in the same sets.
fn kinds(sets: &[&CharacterSet]) -> Vec<char> {
    let mut cuts: BTreeSet<u32> = BTreeSet::from([0, 0x21, 0x7F]);
    for &(first, last) in sets.iter().flat_map(|set| set.ranges()) {
        cuts.insert(u32::from(first));
        cuts.insert(u32::from(last) + 1);
    }
    // Letters and digits first, then what is visible, then the others.
    let rank = |character: char| {
        (!character.is_ascii_alphanumeric(), !character.is_ascii_graphic(), character)
    };
    let mut characters: Vec<char> = cuts.into_iter().filter_map(char::from_u32).collect();
    characters.sort_by_key(|&character| rank(character));
    let mut kinds = HashSet::new();
    characters.retain(|&character| {
        kinds.insert(sets.iter().map(|set| set.contains(character)).collect::<Vec<bool>>())
    });
    characters
}
