//! Checks many changes of one table against the same document and accepted file. Only the changed states and modes are
//! compared at first; everything is compared if they show nothing.

use super::{ORDER, difference, entries, key, read, stated};
use crate::compare::order::{Misplaced, misplaced};
use crate::compare::pieces::{Beside, Pieces, pieces, pieces_of_facts};
use crate::compare::{Comparison, Index, compare, compare_some};
use std::collections::{BTreeMap, BTreeSet};
use tabulex_language::syntax::Table;

/// A document, a table, and the differences accepted between them.
#[derive(Debug)]
pub struct Watch<'t> {
    left: Index<'t>,
    left_pieces: Pieces,
    right_pieces: Pieces,
    accepted: BTreeMap<String, Vec<String>>,
    /// Whether there is no document: the table is checked against its accepted form only.
    is_alone: bool,
}

impl<'t> Watch<'t> {
    /// Watches a table and a document's facts.
    pub fn new(facts: &'t Table, table: &Table, accepted: &str, beside: Beside<'_>) -> Self {
        Self {
            left: Index::new(facts),
            left_pieces: pieces_of_facts(facts),
            right_pieces: pieces(table, beside),
            accepted: read(accepted),
            is_alone: false,
        }
    }

    /// Watches a table without a document; `nothing` is an empty table.
    pub fn alone(nothing: &'t Table, table: &Table, accepted: &str, beside: Beside<'_>) -> Self {
        Self { is_alone: true, ..Self::new(nothing, table, accepted, beside) }
    }

    /// Whether the comparison reports the changed table.
    pub fn notices(&self, changed: &Table, beside: Beside<'_>) -> bool {
        if self.is_alone {
            let now = entries(&self.left, &Index::new(changed), &Comparison::default(), beside);
            return !super::changed_from(&self.accepted, &now).is_empty();
        }
        let now = pieces(changed, beside);
        let keys: BTreeSet<&String> = now.all.keys().chain(self.right_pieces.all.keys()).collect();
        let mut places = BTreeSet::new();
        for key in keys {
            let [before, after] = [self.right_pieces.all.get(key), now.all.get(key)];
            let lines = before.map(|piece| &piece.lines) != after.map(|piece| &piece.lines);
            let rows = before.map(|piece| &piece.compared) != after.map(|piece| &piece.compared);
            if lines || rows && (before.is_none() || after.is_none()) {
                let held = self.accepted.get(key).cloned().unwrap_or_default();
                if difference(key, &self.left_pieces, &now) != held {
                    return true;
                }
            }
            if rows {
                places.insert(key.split_once(' ').map_or(&key[..], |(_, name)| name));
            }
        }
        let right = Index::new(changed);
        let some = compare_some(&self.left, &right, &|name| places.contains(name));
        if !places.is_empty() && self.reports(&right, &some, &|name| places.contains(name)) {
            return true;
        }
        let all = compare(&self.left, &right);
        let changed =
            super::changed_from(&self.accepted, &entries(&self.left, &right, &all, beside));
        all.undeclared().next().is_some() || !all.stale.is_empty() || !changed.is_empty()
    }

    /// Whether the comparison of the wanted states and modes has an undeclared, stale or unaccepted difference.
    fn reports(
        &self,
        right: &Index<'_>,
        comparison: &Comparison,
        is_wanted: &dyn Fn(&str) -> bool,
    ) -> bool {
        // Whether a document-only state is declared depends on rows that are not compared here.
        let mut undeclared =
            comparison.undeclared().filter(|one| one.state.is_empty() || is_wanted(&one.state));
        if undeclared.next().is_some() || !comparison.stale.is_empty() {
            return true;
        }
        let mut now: BTreeMap<String, Vec<String>> = BTreeMap::new();
        for exact in comparison.exact.iter().filter(|exact| is_wanted(&exact.state)) {
            if let Some(key) = key(exact) {
                now.entry(key).or_default().extend(stated(exact));
            }
        }
        for Misplaced { name, lines, span: _ } in misplaced(&self.left, right, is_wanted) {
            now.insert(format!("{ORDER}{name}"), lines);
        }
        let is_of_rows = |key: &str| {
            let rest = ["details of ", "fills ", "deviates "];
            let rest = rest.iter().find_map(|word| key.strip_prefix(word));
            rest.and_then(|rest| rest.split_once(": ")).is_some_and(|(name, _)| is_wanted(name))
                || key.strip_prefix(ORDER).is_some_and(is_wanted)
        };
        let before: BTreeMap<String, Vec<String>> = self
            .accepted
            .iter()
            .filter(|(key, _)| is_of_rows(key))
            .map(|(key, lines)| (key.clone(), lines.clone()))
            .collect();
        before != now
    }
}
