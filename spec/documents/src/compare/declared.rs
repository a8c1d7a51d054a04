//! Compares the declarations that modes depend on: sets of element names, scopes, sets of DOCTYPEs, name adjustments,
//! and single declarations. A declaration that differs between the sides is one difference, regardless of the rows that
//! use it, and needs a note at the declaration.

use super::index::element;
use super::{Comparison, Difference, Index, text};
use std::collections::{BTreeMap, BTreeSet};
use tabulex_language::syntax::{
    Adjustment, ElementName, IntegrationPoint, Item, Members, Note, Span, TreeItem, Words,
};
use tabulex_language::vocabulary::tree::TREE_LIMITS;

/// A declaration: its members, span and notes.
struct Declared<'t> {
    holds: BTreeSet<String>,
    /// Members as written, apart from the sets that it names.
    written: BTreeSet<String>,
    sets: BTreeSet<String>,
    span: Span,
    notes: &'t [Note],
    /// Whether the left side must have it, too.
    is_needed: bool,
}

/// Declarations by kind and name.
type All<'t> = BTreeMap<String, Declared<'t>>;

/// Compares the declarations of both tables.
pub(super) fn compare(left: &Index<'_>, right: &Index<'_>, comparison: &mut Comparison) {
    let (mine, yours) = (declared(left), declared(right));
    for (name, yours) in &yours {
        let (lacks, adds) = match mine.get(name) {
            Some(mine) => {
                // Sets that both sides name are compared separately.
                let is_same = !mine.sets.is_empty() && mine.sets == yours.sets;
                let holds = |side: &Declared<'_>| {
                    if is_same { side.written.clone() } else { side.holds.clone() }
                };
                let (mine, yours) = (holds(mine), holds(yours));
                (
                    mine.difference(&yours).cloned().collect::<Vec<_>>(),
                    yours.difference(&mine).cloned().collect::<Vec<_>>(),
                )
            }
            None if yours.is_needed => (Vec::new(), yours.holds.iter().cloned().collect()),
            None => continue,
        };
        if !lacks.is_empty() || !adds.is_empty() {
            // A note at a shared declaration covers only the members that it names.
            let is_new = !mine.contains_key(name);
            let is_named =
                |member: &String| is_new || yours.notes.iter().any(|note| names(note, member));
            let (lacks, other_lacks): (Vec<_>, Vec<_>) = lacks.into_iter().partition(is_named);
            let (adds, other_adds): (Vec<_>, Vec<_>) = adds.into_iter().partition(is_named);
            if !lacks.is_empty() || !adds.is_empty() {
                comparison.differences.push(difference(name, &lacks, &adds, Some(yours)));
            }
            if !other_lacks.is_empty() || !other_adds.is_empty() {
                let unnamed = difference(name, &other_lacks, &other_adds, Some(yours));
                comparison.differences.push(Difference { notes: Vec::new(), ..unnamed });
            }
        } else if let [note, ..] = yours.notes {
            comparison.stale.push((name.clone(), note.span, note.reason.clone()));
        }
    }
    for (name, mine) in
        mine.iter().filter(|(name, mine)| mine.is_needed && !yours.contains_key(*name))
    {
        let holds: Vec<String> = mine.holds.iter().cloned().collect();
        comparison.differences.push(difference(name, &holds, &[], None));
    }
}

/// Whether a note's reason mentions every string of a member, or its name if it has none, as whole words.
fn names(note: &Note, member: &str) -> bool {
    let is_word = |text: &str| {
        note.reason.match_indices(text).any(|(at, _)| {
            let before = note.reason[..at].chars().next_back();
            let after = note.reason[at + text.len()..].chars().next();
            [before, after].iter().flatten().all(|next| !next.is_alphanumeric())
        })
    };
    if !member.contains('"') {
        return member.split_whitespace().next_back().is_none_or(is_word);
    }
    member.split('"').skip(1).step_by(2).all(is_word)
}

fn difference(
    name: &str,
    lacks: &[String],
    adds: &[String],
    right: Option<&Declared<'_>>,
) -> Difference {
    let stated = |what: &[String]| (!what.is_empty()).then(|| what.join(" | "));
    Difference {
        state: String::new(),
        input: name.to_owned(),
        condition: String::new(),
        left: stated(lacks),
        right: stated(adds),
        left_row: None,
        right_row: None,
        left_place: None,
        span: right.map(|declared| declared.span),
        notes: right
            .map(|declared| {
                declared.notes.iter().map(|note| (note.kind, note.reason.clone())).collect()
            })
            .unwrap_or_default(),
    }
}

fn declared<'t>(index: &Index<'t>) -> All<'t> {
    let mut all = All::new();
    let mut put =
        |name: String, holds: BTreeSet<String>, span: Span, notes: &'t [Note], is_needed: bool| {
            let (written, sets) = (BTreeSet::new(), BTreeSet::new());
            all.insert(name, Declared { holds, written, sets, span, notes, is_needed });
        };
    for item in &index.table.items {
        match item {
            Item::Names(set) | Item::Tree(TreeItem::Scope(set)) => {
                let word = if matches!(item, Item::Names(_)) { "names" } else { "scope" };
                let holds = index.names.get(&set.name.value[..]).cloned().unwrap_or_default();
                let name = format!("{word} {}", set.name.value);
                put(name, holds, set.name.span, &set.notes, false);
            }
            Item::Limit { name, number, notes }
                if TREE_LIMITS.iter().any(|(word, _)| *word == name.value) =>
            {
                let holds = BTreeSet::from([number.value.to_string()]);
                put(format!("limit {}", name.value), holds, name.span, notes, true);
            }
            Item::Tree(TreeItem::Doctypes { name, ignoring_case, tests, notes }) => {
                let mut holds: BTreeSet<String> = tests.iter().map(|test| parts(test)).collect();
                holds.extend(ignoring_case.then(|| "ignoring case".to_owned()));
                put(format!("doctypes {}", name.value), holds, name.span, notes, true);
            }
            Item::Tree(TreeItem::Adjustments { name, entries }) => {
                let holds = entries.iter().map(adjustment).collect();
                put(format!("adjust {}", name.value), holds, name.span, &[], true);
            }
            Item::Tree(TreeItem::IntegrationPoints(points)) => {
                let span = points.first().map_or(Span::default(), |point| point.name.span);
                let holds = points.iter().map(integration_point).collect();
                put("integration-points".to_owned(), holds, span, &[], true);
            }
            Item::Tree(TreeItem::Flag { name, values, by_host, by_rows }) => {
                let holds = BTreeSet::from([text::flag(values, (*by_host, *by_rows))]);
                put(format!("tree flag {}", name.value), holds, name.span, &[], false);
            }
            Item::Tree(TreeItem::Condition { name, conditions }) => {
                let holds = BTreeSet::from([text::conditions(conditions)]);
                put(format!("tree condition {}", name.value), holds, name.span, &[], false);
            }
            Item::Tree(TreeItem::Dispatch { mode, condition }) => {
                let holds = BTreeSet::from([format!(
                    "{} when {}",
                    mode.value,
                    text::conditions(condition)
                )]);
                put("tree dispatch".to_owned(), holds, mode.span, &[], true);
            }
            Item::Tree(TreeItem::SelectedContent(pairs, notes)) => {
                let span = pairs.first().map_or(Span::default(), |(word, _)| word.span);
                let holds =
                    pairs.iter().map(|(word, text)| format!("{} {:?}", word.value, text.value));
                put("selected-content".to_owned(), holds.collect(), span, notes, true);
            }
            Item::Tree(TreeItem::Template(name)) => {
                let holds = BTreeSet::from([name.value.clone()]);
                put("template".to_owned(), holds, name.span, &[], true);
            }
            Item::Tree(TreeItem::Fostering { names, beside }) => {
                let mut holds = index.elements(names);
                holds.insert(format!("beside {:?}", beside.value));
                put("foster".to_owned(), holds, beside.span, &[], true);
            }
            _ => {}
        }
    }
    for item in &index.table.items {
        if let Item::Names(set) | Item::Tree(TreeItem::Scope(set)) = item {
            let word = if matches!(item, Item::Names(_)) { "names" } else { "scope" };
            if let Some(declared) = all.get_mut(&format!("{word} {}", set.name.value)) {
                as_written(set, declared);
            }
        }
    }
    all
}

/// Adds the members of a set as written.
fn as_written(set: &Members, declared: &mut Declared<'_>) {
    for (names, begin) in [(&set.members, ""), (&set.except, "except ")] {
        for name in names {
            match &name.value {
                ElementName::Local(namespace, local) => {
                    declared.written.insert(format!("{begin}{}", element(namespace, local)));
                }
                ElementName::Set(other) => {
                    declared.sets.insert(format!("{begin}{other}"));
                }
            }
        }
    }
}

/// Returns a DOCTYPE test with its parts sorted.
fn parts(test: &[Words]) -> String {
    let mut parts: Vec<String> = test.iter().map(text::words).collect();
    parts.sort();
    parts.join(" and ")
}

fn adjustment(entry: &Adjustment) -> String {
    let namespace =
        entry.namespace.as_ref().map_or(String::new(), |namespace| format!("{namespace} "));
    format!("{:?} => {namespace}{:?}", entry.from.value, entry.to.value)
}

fn integration_point(point: &IntegrationPoint) -> String {
    let name = match &point.name.value {
        ElementName::Local(namespace, local) => element(namespace, local),
        ElementName::Set(set) => set.clone(),
    };
    point
        .attribute
        .as_ref()
        .map_or(name.clone(), |(what, value)| format!("{name} with {what:?} = {value:?}"))
}
