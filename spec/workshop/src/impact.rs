//! Finds the effect of editing a table: for each changed row, the shortest input that reveals the change, if a search
//! finds one in the given time. Each reported input has been run on both tables, with different results.

pub mod corpus;
mod search;
mod shorten;

use crate::cases::Case;
use crate::changes::Changes;
use crate::trial::{AnyRow, Input, RunMode, RunResult};
use search::{Search, deadline_after};
use shorten::shorten;
use std::collections::HashSet;
use std::mem::discriminant;
use std::time::{Duration, Instant};
use tabulex_language::model::Machine;
use tabulex_oracle::interpreter::Interpreter;
use tabulex_oracle::search::{TreeWitness, name_errors};

/// Minimum time for shortening the inputs that were found.
const MIN_SHORTENING_TIME: Duration = Duration::from_millis(50);

/// An input on which the two tables have different results.
#[derive(Clone, Debug)]
pub struct RevealingInput {
    /// Input and options of the run.
    pub input: Input,
    /// Results of the old and the new table.
    pub results: [RunResult; 2],
    /// Indices of the changed rows that ran.
    pub rows: Vec<usize>,
}

/// A case with a changed result.
#[derive(Clone, Debug)]
pub struct CaseChange {
    /// Name of the case: its file, and its description or number.
    pub name: String,
    /// Whether the new table gives the expected result, or neither table does.
    pub is_met: bool,
}

/// The effect of an edit.
#[derive(Clone, Debug, Default)]
pub struct Impact {
    /// Distinct revealing inputs, shortest first: the best one found for each change.
    pub revealing_inputs: Vec<RevealingInput>,
    /// Indices of the changed rows without an input.
    pub unrevealed: Vec<usize>,
    /// Number of inputs run during the search.
    pub inputs: usize,
    /// Whether the searches have revealed all changed rows, or have tried all inputs.
    pub is_exhaustive: bool,
    /// Number of cases that may be affected, and the cases with changed results.
    pub cases: (usize, Vec<CaseChange>),
}

/// The machines of the old and the new table, with the rows that differ.
pub(crate) struct Pair<'m> {
    pub(crate) interpreters: [Interpreter<'m>; 2],
    /// The changed rows of each machine, each with the index of the change.
    rows: [Vec<(AnyRow, usize)>; 2],
    /// The rows of the old table of which inputs must run one to be affected by changed rows.
    affected: HashSet<AnyRow>,
    /// Whether a declaration has changed, which may affect any input.
    has_changed_declaration: bool,
    /// The rows of each machine that revealing inputs must not run.
    excluded: [HashSet<AnyRow>; 2],
}

impl<'m> Pair<'m> {
    pub(crate) fn new(machines: [&'m Machine; 2], changes: &Changes) -> Self {
        let rows_of = |side: usize| {
            let rows = changes.rows.iter().enumerate();
            rows.filter_map(|(at, it)| Some((it.rows[side].as_ref()?.row, at))).collect()
        };
        Self {
            interpreters: machines.map(Interpreter::new),
            rows: [0, 1].map(rows_of),
            affected: affected_rows(machines[0], changes),
            has_changed_declaration: !changes.declarations.is_empty(),
            excluded: Default::default(),
        }
    }

    fn machines(&self) -> [&'m Machine; 2] {
        [self.interpreters[0].machine(), self.interpreters[1].machine()]
    }

    /// Returns the indices of the changes whose row ran on a side: 0 is the old table, 1 the new one. `None` if an
    /// excluded row ran.
    fn changes_run(&self, side: usize, result: &RunResult) -> Option<Vec<usize>> {
        let rows: HashSet<AnyRow> = result.rows.iter().copied().collect();
        let matching = self.rows[side].iter().filter(|(row, _)| rows.contains(row));
        rows.is_disjoint(&self.excluded[side])
            .then(|| matching.map(|(_, change)| *change).collect())
    }

    /// Runs an input on both machines. Returns whether the changes may concern the input, and the results if they
    /// differ.
    pub(crate) fn compare(&self, input: &Input) -> (bool, Option<RevealingInput>) {
        let Some(mut old) = input.run(&self.interpreters[0]) else { return (false, None) };
        let is_affected = |row: &AnyRow| self.affected.contains(row);
        if !self.has_changed_declaration && !old.rows.iter().any(is_affected) {
            return (false, None);
        }
        let Some(new) = input.run(&self.interpreters[1]) else { return (false, None) };
        name_errors(&mut old.errors, &new.errors);
        let changes_run = [self.changes_run(0, &old), self.changes_run(1, &new)];
        let [Some(mut rows), Some(new_rows)] = changes_run else { return (false, None) };
        rows.extend(new_rows);
        rows.sort_unstable();
        rows.dedup();
        let is_concerned = self.has_changed_declaration || !rows.is_empty();
        if old.has_equal_output(&new) {
            return (is_concerned, None);
        }
        (is_concerned, Some(RevealingInput { input: input.clone(), results: [old, new], rows }))
    }
}

/// Returns the rows of the old table that changes of rows may affect: each changed or removed row and, if a row was added
/// or its patterns or guard changed, all rows of the state or mode, since the new row may take their inputs. A run that
/// takes none of these rows has equal results on both tables.
fn affected_rows(old: &Machine, changes: &Changes) -> HashSet<AnyRow> {
    let modes = old.construction.iter().flat_map(|it| it.row_ids().map(AnyRow::Mode));
    let all: Vec<AnyRow> = old.row_ids().map(AnyRow::State).chain(modes).collect();
    let mut rows = HashSet::new();
    for change in &changes.rows {
        let [old_row, new_row] = change.rows.each_ref().map(|row| Some(row.as_ref()?.row));
        rows.extend(old_row);
        if let Some(new_row) = new_row.filter(|_| !change.changes_only_steps()) {
            let is_of_block = |row: &&AnyRow| {
                discriminant(*row) == discriminant(&new_row)
                    && change.of.split(' ').next() == Some(row.block_name(old))
            };
            rows.extend(all.iter().filter(is_of_block));
        }
    }
    rows
}

/// Runs all cases and, until the deadline `until`, searches for inputs that reveal the changes.
pub fn impact(
    machines: [&Machine; 2],
    changes: &Changes,
    cases: &[Case],
    until: Instant,
) -> Impact {
    let mut impact = Impact { is_exhaustive: true, ..Impact::default() };
    let best = run_searches(&Pair::new(machines, changes), changes, cases, until, &mut impact);
    impact.unrevealed =
        (0..changes.rows.len()).filter(|&index| best.inputs[index].is_none()).collect();
    impact.revealing_inputs = best.distinct();
    impact
}

/// A difference between two machines: the row of each, either of which may be missing.
pub type RowPair = [Option<AnyRow>; 2];

/// Searches for the shortest input that reveals each difference, until the deadline `until`. The inputs run none of the
/// `excluded` rows. Returns the inputs in the order of the differences.
pub fn shortest(
    machines: [&Machine; 2],
    differences: &[RowPair],
    excluded: &[RowPair],
    cases: &[Case],
    until: Instant,
) -> Vec<Option<RevealingInput>> {
    let changes = Changes::from_rows(machines, differences);
    let mut pair = Pair::new(machines, &changes);
    pair.excluded = [0, 1].map(|side| excluded.iter().filter_map(|rows| rows[side]).collect());
    let mut best = run_searches(&pair, &changes, cases, until, &mut Impact::default());
    best.inputs.truncate(differences.len());
    best.inputs
}

fn run_searches(
    pair: &Pair<'_>,
    changes: &Changes,
    cases: &[Case],
    until: Instant,
    impact: &mut Impact,
) -> BestInputs {
    let mut best = BestInputs { inputs: vec![None; changes.rows.len() + 1] };
    let mut search = Search::new(pair, changes);
    search.search(0, deadline_after(until, 1, 2), &mut best, impact);
    // All cases are run even after the deadline, because there are few and their changed results are reported.
    let mut nearby_inputs = Vec::new();
    for case in cases {
        let (is_concerned, revealing_input) = pair.compare(&case.input);
        impact.inputs += 2;
        impact.cases.0 += usize::from(is_concerned);
        if let Some(revealing_input) = revealing_input {
            let [old, new] = &revealing_input.results;
            let is_met = case.is_satisfied_by(new) || !case.is_satisfied_by(old);
            impact.cases.1.push(CaseChange { name: case.name.clone(), is_met });
            best.offer(&revealing_input);
        } else if is_concerned && let RunMode::Tree(options) = &case.input.mode {
            nearby_inputs
                .push(TreeWitness { options: options.clone(), input: case.input.text.clone() });
        }
    }
    search.extend_inputs(nearby_inputs, deadline_after(until, 1, 3), &mut best, impact);
    search.search(1, deadline_after(until, 3, 4), &mut best, impact);
    let until = until.max(Instant::now() + MIN_SHORTENING_TIME);
    for offset in 0..best.inputs.len() {
        if let Some(revealing_input) = best.inputs[offset].take() {
            best.inputs[offset] = Some(shorten(pair, revealing_input, offset, until));
        }
    }
    best
}

/// The best input found for each change; the last entry is for changed declarations.
struct BestInputs {
    inputs: Vec<Option<RevealingInput>>,
}

impl BestInputs {
    fn offer(&mut self, revealing_input: &RevealingInput) {
        let declarations_index = [self.inputs.len() - 1];
        let rows = if revealing_input.rows.is_empty() {
            &declarations_index[..]
        } else {
            &revealing_input.rows[..]
        };
        for &at in rows {
            // An input that runs fewer changed rows says more about each.
            let rank = |it: &RevealingInput| (it.rows.len().max(1), it.input.text.chars().count());
            if self.inputs[at].as_ref().is_none_or(|old| rank(revealing_input) < rank(old)) {
                self.inputs[at] = Some(revealing_input.clone());
            }
        }
    }

    /// Returns the distinct inputs, shortest first.
    fn distinct(self) -> Vec<RevealingInput> {
        let mut distinct_inputs: Vec<RevealingInput> = Vec::new();
        for revealing_input in self.inputs.into_iter().flatten() {
            if !distinct_inputs.iter().any(|it| {
                it.input.text == revealing_input.input.text
                    && it.results[0].has_equal_output(&revealing_input.results[0])
            }) {
                distinct_inputs.push(revealing_input);
            }
        }
        distinct_inputs.sort_by_key(|it| it.input.text.chars().count());
        distinct_inputs
    }
}

/// Returns the lines between the common start and end of two texts, marked by `-` or `+`, with up to two common lines
/// on each side.
pub fn diff_lines(old: &[String], new: &[String]) -> Vec<String> {
    const CONTEXT: usize = 2;
    let prefix_len = old.iter().zip(new).take_while(|(old, new)| old == new).count();
    let (rest_old, rest_new) = (&old[prefix_len..], &new[prefix_len..]);
    let line_pairs = rest_old.iter().rev().zip(rest_new.iter().rev());
    let suffix_len = line_pairs.take_while(|(old, new)| old == new).count();
    let marked = |mark: char, lines: &[String]| -> Vec<String> {
        lines.iter().map(|line| format!("{mark} {line}")).collect()
    };
    let mut out = marked(' ', &old[prefix_len.saturating_sub(CONTEXT)..prefix_len]);
    out.extend(marked('-', &rest_old[..rest_old.len() - suffix_len]));
    out.extend(marked('+', &rest_new[..rest_new.len() - suffix_len]));
    let suffix = &rest_old[rest_old.len() - suffix_len..];
    out.extend(marked(' ', &suffix[..suffix.len().min(CONTEXT)]));
    out
}
