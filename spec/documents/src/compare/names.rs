//! Compares the named character references of a document with those of a table. Each difference is undeclared, since no
//! note can declare it.

use super::Difference;
use crate::document::fingerprint;
use std::collections::{BTreeMap, BTreeSet};
use tabulex_language::syntax::Table;

/// Returns a hash of the name and the characters of a reference.
pub fn hash(name: &str, characters: &str) -> u32 {
    fingerprint(&format!("{name} {characters}"))
}

/// Describes a reference in a line of a list.
pub fn describe_name(name: &str, characters: &str, line: usize) -> String {
    format!("&{name} is {characters:?}, line {line}")
}

/// Compares a document's references, given as descriptions by hash, with the list that the table names. The descriptions
/// are empty if the document's list is absent.
pub fn compare_names(
    document: &BTreeMap<u32, String>,
    table: &Table,
    read_file: &dyn Fn(&str) -> Option<String>,
) -> Vec<Difference> {
    let file = table.items.iter().find_map(|item| item.setting("references"));
    let Some(file) = file.filter(|_| !document.is_empty()) else { return Vec::new() };
    let difference = |left: Option<String>, right: Option<String>| Difference {
        input: format!("references {:?}", file.value),
        left,
        right,
        span: Some(file.span),
        ..Difference::default()
    };
    let text = read_file(&file.value).unwrap_or_default();
    let entries = match tabulex_language::references::read(&text) {
        Ok(entries) if !entries.is_empty() => entries,
        Ok(_) => return vec![difference(None, Some("no references can be read".to_owned()))],
        Err(message) => return vec![difference(None, Some(message))],
    };
    let in_table: BTreeSet<u32> =
        entries.iter().map(|(name, characters)| hash(name, characters)).collect();
    let mut missing: Vec<&str> = document
        .iter()
        .filter(|(hash, _)| !in_table.contains(hash))
        .map(|(_, description)| &description[..])
        .collect();
    let mut differences: Vec<Difference> = Vec::new();
    for (name, characters) in &entries {
        if !document.contains_key(&hash(name, characters)) {
            let has_name = |line: &str| line.split_whitespace().next() == Some(name);
            let line = text.lines().position(has_name).map_or(0, |line| line + 1);
            let prefix = format!("&{name} is ");
            let counterpart = missing.iter().position(|one| one.starts_with(&prefix));
            let counterpart = counterpart.map(|at| missing.remove(at).to_owned());
            differences.push(difference(counterpart, Some(describe_name(name, characters, line))));
        }
    }
    let (unknown, known): (Vec<&str>, Vec<&str>) = missing.iter().partition(|one| one.is_empty());
    differences.extend(known.into_iter().map(|one| difference(Some(one.to_owned()), None)));
    if !unknown.is_empty() {
        let message =
            format!("references that the list lacks or maps to other texts: {}", unknown.len());
        differences.push(difference(Some(message), None));
    }
    differences
}
