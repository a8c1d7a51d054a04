//! Compares the named character references of a document with those of a table. Each difference is undeclared, since no
//! note can declare it.

use super::Difference;
use crate::document::fingerprint;
use std::collections::BTreeSet;
use tabulex_language::syntax::{Item, Table};

/// Returns a hash of the name and the characters of a reference.
pub fn hash(name: &str, characters: &str) -> u32 {
    fingerprint(&format!("{name} {characters}"))
}

/// Compares a document's references, given as hashes, with the list that the table names.
pub fn compare_names(
    document: &[u32],
    table: &Table,
    read_file: &dyn Fn(&str) -> Option<String>,
) -> Vec<Difference> {
    let file = table.items.iter().find_map(|item| match item {
        Item::References(file, _) => Some(file),
        _ => None,
    });
    let Some(file) = file.filter(|_| !document.is_empty()) else { return Vec::new() };
    let difference = |left: Option<String>, right: Option<String>| Difference {
        input: format!("references {:?}", file.value),
        left,
        right,
        span: Some(file.span),
        ..Difference::default()
    };
    let text = read_file(&file.value);
    let parsed = text.as_ref().map(|text| tabulex_language::references::read(text));
    let entries = match parsed {
        Some(Ok(entries)) => entries,
        Some(Err(message)) => return vec![difference(None, Some(message))],
        None => return vec![difference(None, Some("the file cannot be read".to_owned()))],
    };
    let in_document: BTreeSet<u32> = document.iter().copied().collect();
    let in_table: BTreeSet<u32> =
        entries.iter().map(|(name, characters)| hash(name, characters)).collect();
    let mut differences: Vec<Difference> = Vec::new();
    for (name, characters) in &entries {
        if !in_document.contains(&hash(name, characters)) {
            let has_name = |line: &str| line.split_whitespace().next() == Some(name);
            let line = text.iter().flat_map(|text| text.lines()).position(has_name);
            let line = line.map_or(String::new(), |line| format!(", line {}", line + 1));
            let mut extra = difference(None, Some(format!("&{name} is {characters:?}")));
            extra.input += &line;
            differences.push(extra);
        }
    }
    let missing_count = in_document.difference(&in_table).count();
    if missing_count > 0 {
        let message =
            format!("references that the list lacks or maps to other texts: {missing_count}");
        differences.push(difference(Some(message), None));
    }
    differences
}
