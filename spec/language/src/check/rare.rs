//! Warns of element names in modes that are probably misspelled, as documents name most elements several times. Short
//! names are exempt, since many differ in one letter, and so are names in sets.

use crate::diagnostic::{Diagnostic, RARE_NAME};
use crate::syntax::{
    Argument, DeclarationPart, Item, ParsedElementName, ParsedPattern, Span, Spanned, Table,
};
use std::collections::{BTreeMap, HashSet};
use strsim::osa_distance;

/// Minimum length of a doubtful name, in characters.
const MIN_LENGTH: usize = 4;

/// Minimum number of occurrences of the name that was probably meant.
const MIN_COUNT: usize = 3;

pub(super) fn check(table: &Table) -> Vec<Diagnostic> {
    let mut names: BTreeMap<&str, Vec<Span>> = BTreeMap::new();
    let mut names_in_sets: HashSet<&str> = HashSet::new();
    for (name, span, is_in_set) in element_names(table) {
        names.entry(name).or_default().push(span);
        names_in_sets.extend(is_in_set.then_some(name));
    }
    let rare_names = names.iter().filter(|(name, spans)| {
        spans.len() == 1 && name.chars().count() >= MIN_LENGTH && !names_in_sets.contains(*name)
    });
    let warning = |(name, spans): (&&str, &Vec<Span>)| {
        let is_near = |(other, spans): &(&&str, &Vec<Span>)| {
            spans.len() >= MIN_COUNT && osa_distance(name, other) == 1
        };
        let (other, others) = names.iter().find(is_near)?;
        Some(rare_name(name, spans[0], other, others[0]))
    };
    rare_names.filter_map(warning).collect()
}

fn rare_name(name: &str, span: Span, other: &str, first: Span) -> Diagnostic {
    let message = format!("the element name `{name}` occurs only here");
    Diagnostic::new(RARE_NAME, span, message)
        .and(first, format!("the first occurrence of the more frequent `{other}`"))
        .help(format!(
            "write `{other}` or, if `{name}` is correct, also list it in a set of `names`"
        ))
}

/// Returns each element name of modes, steps and sets, its span, and whether it is in a set. Authors write sets as
/// lists, in which a misspelled name is unlikely.
fn element_names(table: &Table) -> Vec<(&str, Span, bool)> {
    let is_searched = |item: &&Item| ["names", "scope", "mode", "steps"].contains(&&item.kind[..]);
    let mut names: Vec<(&str, Span, bool)> = Vec::new();
    for part in table.items.iter().filter(is_searched).flat_map(Item::parts) {
        if let DeclarationPart::Element(Spanned { value, span }) = part
            && let ParsedElementName::Local(_, name) = value
        {
            names.push((name, *span, true));
        } else if let DeclarationPart::Token(Spanned { value, span }) = part
            && let Some(ParsedPattern::Text { text, .. }) = &value.pattern
        {
            names.push((text, *span, false));
        } else if let DeclarationPart::Words(_, words) = part {
            for Spanned { value, span } in &words.arguments {
                if let Argument::Text(text) = value {
                    names.push((text, *span, false));
                }
            }
        }
    }
    names
}
