//! Checks many changes of one table against the same document and accepted file. The changed declarations, states and
//! modes are compared first, and everything only if they have no difference to report.

use super::{
    FileReader, ORDER_PREFIX, add_row_entries, changed_from, difference_lines, entries, read,
};
use crate::compare::{Comparison, Index, compare, compare_some};
use std::collections::{BTreeMap, BTreeSet};
use tabulex_language::syntax::Table;

/// A document, a table, and the accepted differences between them.
#[derive(Debug)]
pub struct ChangeWatch<'t> {
    left: Index<'t>,
    right: Index<'t>,
    accepted: BTreeMap<String, Vec<String>>,
    /// Whether the table is checked against its accepted form only, since it has no document.
    lacks_document: bool,
}

impl<'t> ChangeWatch<'t> {
    /// Creates a watch that compares the table with a document's facts.
    pub fn new(facts: &'t Table, table: &'t Table, accepted: &str) -> Self {
        let (left, right) = (Index::new(facts), Index::new(table));
        Self { left, right, accepted: read(accepted), lacks_document: false }
    }

    /// Creates a watch of a table that has no document; `nothing` is an empty table.
    pub fn without_document(nothing: &'t Table, table: &'t Table, accepted: &str) -> Self {
        Self { lacks_document: true, ..Self::new(nothing, table, accepted) }
    }

    /// Whether a changed table has an undeclared, stale or unaccepted difference.
    pub fn reports(&self, changed: &Table, read_file: FileReader<'_>) -> bool {
        let right = Index::new(changed);
        if !self.lacks_document && self.reports_changed_parts(&right) {
            return true;
        }
        let comparison = match self.lacks_document {
            true => Comparison::default(),
            false => compare(&self.left, &right),
        };
        let entries = entries(&self.left, &right, &comparison, read_file);
        comparison.undeclared().next().is_some()
            || !comparison.stale.is_empty()
            || !changed_from(&self.accepted, &entries).is_empty()
    }

    /// Whether the changed declarations, states and modes by themselves have an undeclared, stale or unaccepted
    /// difference.
    fn reports_changed_parts(&self, right: &Index<'_>) -> bool {
        let [before, now] = [&self.right.pieces.all, &right.pieces.all];
        let mut names = BTreeSet::new();
        for key in before.keys().chain(now.keys()) {
            let [before, after] = [before.get(key), now.get(key)];
            let lines_differ = before.map(|piece| &piece.lines) != after.map(|piece| &piece.lines);
            let rows_differ =
                before.map(|piece| &piece.compared) != after.map(|piece| &piece.compared);
            if lines_differ || rows_differ && (before.is_none() || after.is_none()) {
                let accepted = self.accepted.get(key).map_or(&[][..], Vec::as_slice);
                if difference_lines(self.left.pieces.all.get(key), after) != accepted {
                    return true;
                }
            }
            if rows_differ {
                names.insert(key.split_once(' ').map_or(&key[..], |(_, name)| name));
            }
        }
        if names.is_empty() {
            return false;
        }
        let is_wanted = |name: &str| names.contains(name);
        let comparison = compare_some(&self.left, right, &is_wanted);
        // Differences of other states are skipped: whether a state that only the document has is declared depends on
        // rows that are not compared here.
        let mut undeclared =
            comparison.undeclared().filter(|one| one.state.is_empty() || is_wanted(&one.state));
        let mut now: BTreeMap<String, Vec<String>> = BTreeMap::new();
        add_row_entries(&self.left, right, &comparison, &is_wanted, &mut |key, lines, _| {
            now.entry(key).or_default().extend(lines);
        });
        let is_of_rows = |key: &str| {
            let prefixes = ["details of ", "fills ", "deviates "];
            let row = prefixes.iter().find_map(|prefix| key.strip_prefix(prefix));
            row.and_then(|row| row.split_once(": ")).is_some_and(|(name, _)| is_wanted(name))
                || key.strip_prefix(ORDER_PREFIX).is_some_and(is_wanted)
        };
        let accepted = self.accepted.iter().filter(|(key, _)| is_of_rows(key));
        undeclared.next().is_some() || !comparison.stale.is_empty() || !accepted.eq(&now)
    }
}
