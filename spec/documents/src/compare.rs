//! Compares two tables row by row: the facts of a document with the table written from it, or two tables. Rows are
//! first normalized to their effects, so that only behavior is compared, not notation.

pub mod accepted;
mod cells;
mod declarations;
mod effect;
mod exact;
mod index;
mod lexemes;
pub mod lists;
mod modes;
mod names;
mod order;
mod pieces;

pub use exact::Exact;
pub use index::Index;
pub use names::{compare_names, hash as hash_of_name};
pub use order::row_beside;
pub use pieces::Beside;

use tabulex_language::syntax::{NoteKind, Span};

/// Index of a state and of a row within it; modes are numbered after the states.
pub type RowAt = (usize, usize);

/// A difference between the two sides.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Difference {
    /// Name of the state or mode; empty for declarations.
    pub state: String,
    /// Input in the table language.
    pub input: String,
    /// Condition under which they differ; empty if unconditional.
    pub condition: String,
    /// Effect on the left side; `None` if the left side has no such row.
    pub left: Option<String>,
    /// Effect on the right side; `None` if the right side has no such row.
    pub right: Option<String>,
    /// Row of the difference on the left side, if it lies in one.
    pub left_row: Option<RowAt>,
    /// Row of the difference on the right side, if it lies in one.
    pub right_row: Option<RowAt>,
    /// Span on the left side, for differences outside rows.
    pub left_place: Option<Span>,
    /// Span of the difference on the right side.
    pub span: Option<Span>,
    /// Notes on the right side that declare the difference: kind and reason.
    pub notes: Vec<(NoteKind, String)>,
}

/// Result of comparing two tables.
#[derive(Clone, Debug, Default)]
pub struct Comparison {
    /// Number of states that both sides have.
    pub states: usize,
    /// Number of modes that both sides have.
    pub modes: usize,
    /// Number of rows in the left side's states and modes.
    pub rows: usize,
    /// Number of the left side's rows that the right side matches.
    pub equal: usize,
    /// Number of steps in the left side's algorithms.
    pub steps: usize,
    /// Number of those steps that the right side matches.
    pub equal_steps: usize,
    /// All differences, declared or not.
    pub differences: Vec<Difference>,
    /// Differences in rows with an unread sentence: the document's meaning there is unknown.
    pub not_compared: Vec<Difference>,
    /// Row differences, unmerged, including rows that are equal except in details.
    pub exact: Vec<Exact>,
    /// Notes on the right side that declare no difference: state, span and reason.
    pub stale: Vec<(String, Span, String)>,
}

impl Comparison {
    /// Iterates over the differences without a note on the right side.
    pub fn undeclared(&self) -> impl Iterator<Item = &Difference> {
        self.differences.iter().filter(|difference| difference.notes.is_empty())
    }

    /// Moves differences in rows that were not read completely to `not_compared`.
    pub fn set_aside(&mut self, is_unread: &dyn Fn(&Difference) -> bool) {
        let all = std::mem::take(&mut self.differences);
        (self.not_compared, self.differences) = all.into_iter().partition(is_unread);
    }

    /// Returns the number of differences that the right side declares.
    pub fn declared(&self) -> usize {
        self.differences.iter().filter(|difference| !difference.notes.is_empty()).count()
    }
}

/// Compares `right` with `left`.
pub fn compare(left: &Index<'_>, right: &Index<'_>) -> Comparison {
    compare_some(left, right, &|_| true)
}

/// Compares all declarations, and those states and modes whose names satisfy `is_wanted`.
pub fn compare_some(
    left: &Index<'_>,
    right: &Index<'_>,
    is_wanted: &dyn Fn(&str) -> bool,
) -> Comparison {
    let mut comparison = Comparison::default();
    declarations::compare(left, right, &mut comparison);
    lexemes::compare(left, right, &mut comparison);
    let mut differing = Vec::new();
    for (at, state) in left.states.iter().enumerate() {
        comparison.rows += state.rows.len();
        match right.find(&state.name) {
            Some(_) if !is_wanted(&state.name) => {}
            Some(other) => {
                comparison.states += 1;
                cells::compare((left, at), (right, other), &mut comparison);
            }
            None => comparison.differences.push(one_sided_state(&state.name, true, None)),
        }
    }
    for state in right.states.iter().filter(|state| left.find(&state.name).is_none()) {
        let mut difference = one_sided_state(&state.name, false, Some(state.span));
        difference.notes = state.rows.iter().flat_map(|row| row.notes.clone()).collect();
        comparison.differences.push(difference);
    }
    inherit(left, &mut comparison);
    for difference in &comparison.differences {
        differing.extend(difference.left_row);
    }
    for (at, state) in left.states.iter().enumerate() {
        let is_missing = right.find(&state.name).is_none();
        let equal =
            (0..state.rows.len()).filter(|&row| !is_missing && !differing.contains(&(at, row)));
        comparison.equal += equal.count();
    }
    stale(right, is_wanted, &mut comparison);
    let sides = [left, right].map(|index| (&index.trees, index.states.len()));
    modes::compare(sides[0], sides[1], is_wanted, &mut comparison);
    modes::compare_algorithms(left.table, right.table, &mut comparison);
    modes::compare_declared((left.table, sides[0].0), (right.table, sides[1].0), &mut comparison);
    comparison
}

/// Marks a state that only the left side has as declared if every row leading to it is declared.
fn inherit(left: &Index<'_>, comparison: &mut Comparison) {
    for at in 0..comparison.differences.len() {
        let difference = &comparison.differences[at];
        if difference.left.is_none() || !difference.input.is_empty() || !difference.notes.is_empty()
        {
            continue;
        }
        let leading = left.leading_to(&difference.state);
        let declared = |row: &RowAt| {
            let mut of_row = comparison
                .differences
                .iter()
                .filter(|other| other.left_row == Some(*row))
                .peekable();
            of_row.peek()?;
            let notes: Vec<_> =
                of_row.map(|other| other.notes.first().cloned()).collect::<Option<_>>()?;
            notes.into_iter().next()
        };
        let notes: Option<Vec<_>> = leading.iter().map(declared).collect();
        if let Some(note) = notes.and_then(|notes| notes.into_iter().next()) {
            comparison.differences[at].notes.push(note);
        }
    }
}

/// Returns the difference for a state that only one side has.
fn one_sided_state(name: &str, is_left: bool, span: Option<Span>) -> Difference {
    let stated = Some("the state".to_owned());
    Difference {
        state: name.to_owned(),
        input: String::new(),
        condition: String::new(),
        left: stated.clone().filter(|_| is_left),
        right: stated.filter(|_| !is_left),
        left_row: None,
        right_row: None,
        left_place: None,
        span,
        notes: Vec::new(),
    }
}

/// Collects notes on rows without a difference.
fn stale(right: &Index<'_>, is_wanted: &dyn Fn(&str) -> bool, comparison: &mut Comparison) {
    for (at, state) in right.states.iter().enumerate().filter(|(_, state)| is_wanted(&state.name)) {
        let is_whole = comparison
            .differences
            .iter()
            .any(|one| one.state == state.name && one.input.is_empty());
        for (row, stated) in state.rows.iter().enumerate() {
            let differs = comparison.differences.iter().any(|one| one.right_row == Some((at, row)));
            if !stated.notes.is_empty() && !differs && !is_whole {
                let reason = stated
                    .notes
                    .iter()
                    .map(|(_, reason)| &reason[..])
                    .collect::<Vec<_>>()
                    .join(" ");
                comparison.stale.push((state.name.clone(), stated.span, reason));
            }
        }
    }
}
