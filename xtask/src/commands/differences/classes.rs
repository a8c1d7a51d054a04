//! Groups cases with differences into classes by the kind of difference and a common row. A case with several kinds of
//! differences is in a class of each kind.

use super::cases::ParserCase;
use serde_json::{Value, json};
use std::collections::{BTreeMap, BTreeSet};

/// Cases with the same kind of difference and a row in common.
pub(super) struct Class {
    /// The common row of the cases.
    pub(super) row: String,
    /// Kind of the difference.
    pub(super) kind: String,
    /// Numbers of the cases, ascending.
    pub(super) cases: Vec<usize>,
    /// Number of other cases that run the row, without this kind of difference.
    pub(super) others: usize,
}

/// Returns the classes of a parser's differences, largest first.
pub(super) fn classes(cases: &[ParserCase], outcomes: &BTreeMap<usize, Value>) -> Vec<Class> {
    let mut kinds: BTreeMap<String, BTreeSet<usize>> = BTreeMap::new();
    for (&number, found) in outcomes {
        for kind in difference_kinds(&cases[number].expected, found) {
            kinds.entry(kind).or_default().insert(number);
        }
    }
    let mut classes = Vec::new();
    for (kind, mut remaining) in kinds {
        let mut cases_by_row: BTreeMap<&str, BTreeSet<usize>> = BTreeMap::new();
        for &number in outcomes.keys() {
            for row in &cases[number].rows {
                cases_by_row.entry(row).or_default().insert(number);
            }
        }
        let cases_of_kind = remaining.clone();
        while let Some(&shortest) = remaining.first() {
            // Among rows of equal weight, `max_by` returns the one that the shortest case takes last.
            let rows = cases[shortest].rows.iter().map(|row| &row[..]);
            let weight = |row: &str| {
                let explained = cases_by_row[row].intersection(&remaining).count() as f64;
                let others = cases_by_row[row].difference(&cases_of_kind).count() as f64;
                explained / ((explained + others) * remaining.len() as f64).sqrt()
            };
            let best = rows.max_by(|one, other| weight(one).total_cmp(&weight(other)));
            let Some(row) = best else { break };
            let members: BTreeSet<usize> =
                cases_by_row[row].intersection(&remaining).copied().collect();
            let others = cases_by_row[row].difference(&cases_of_kind).count();
            remaining.retain(|number| !members.contains(number));
            let (row, kind) = (row.to_owned(), kind.clone());
            classes.push(Class { row, kind, cases: members.into_iter().collect(), others });
        }
    }
    classes.sort_by_key(|class| std::cmp::Reverse(class.cases.len()));
    classes
}

/// Returns the kinds of differences between two results: of tokens, of the tree, and of each error code.
fn difference_kinds(expected: &Value, found: &Value) -> Vec<String> {
    let mut kinds = Vec::new();
    if expected["tokens"] != found["tokens"] {
        kinds.push(token_difference(&expected["tokens"], &found["tokens"]));
    }
    if expected["tree"] != found["tree"] {
        kinds.push(tree_difference(&expected["tree"], &found["tree"]));
    }
    if let Some(codes) = found["errors"].as_array() {
        let found: BTreeSet<&str> = codes.iter().filter_map(Value::as_str).collect();
        let expected: BTreeSet<&str> =
            expected["errors"].as_array().into_iter().flatten().filter_map(Value::as_str).collect();
        kinds.extend(expected.difference(&found).map(|code| format!("error {code} is missing")));
        kinds.extend(found.difference(&expected).map(|code| format!("error {code} is reported")));
    }
    kinds
}

/// Describes the difference between two token lists by the kinds of the first tokens that differ.
fn token_difference(expected: &Value, found: &Value) -> String {
    let [expected, found] =
        [expected, found].map(|list| list.as_array().cloned().unwrap_or_default());
    let index = expected.iter().zip(&found).take_while(|(one, other)| one == other).count();
    let kind = |list: &[Value]| list.get(index).map_or(json!("nothing"), |token| token[0].clone());
    let (one, other) = (kind(&expected), kind(&found));
    let word = |kind: &Value| kind.as_str().unwrap_or_default().to_owned();
    match one == other {
        true => format!("{} differs", word(&one)),
        false => format!("{} instead of {}", word(&other), word(&one)),
    }
}

/// Describes the difference between two trees by the kinds of the first lines that differ.
fn tree_difference(expected: &Value, found: &Value) -> String {
    let [expected, found] = [expected, found].map(|text| text.as_str().unwrap_or_default());
    let (mut one, mut other) = (expected.lines(), found.lines());
    loop {
        let (one, other) = (one.next(), other.next());
        if one != other || one.is_none() {
            let word = |line: Option<&str>| {
                let line = line.map(|line| line.trim_start_matches(['|', ' ']));
                match line {
                    None => "nothing".to_owned(),
                    Some(line) if line.starts_with('"') => "text".to_owned(),
                    Some(line) if line.starts_with("<!--") => "a comment".to_owned(),
                    Some(line) if line.starts_with("<!") => "a DOCTYPE".to_owned(),
                    Some(line) if line.starts_with("<?") => "an instruction".to_owned(),
                    Some(line) if line.starts_with('<') => "an element".to_owned(),
                    Some("content") => "content".to_owned(),
                    Some(_) => "an attribute".to_owned(),
                }
            };
            let (one, other) = (word(one), word(other));
            return format!("tree: {other} instead of {one}");
        }
    }
}
