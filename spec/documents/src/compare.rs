//! Two tables side by side, row by row: a document's facts and the table that is laid beside it, or two tables. What a
//! row does is brought to one form first, so that only what a machine does is compared, not how it is written. It runs no
//! machine (`interpreter` does). Invariant: whatever two rows do differently under some condition is a difference.

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

/// A row, by the index of its state and its own among the state's rows; modes are counted after the states.
pub type RowAt = (usize, usize);

/// What the two sides do differently in one place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Difference {
    /// The state; empty for declarations.
    pub state: String,
    /// The input, in the words of the table language.
    pub input: String,
    /// The condition under which they differ; empty if always.
    pub condition: String,
    /// What the left side does; none if it says nothing.
    pub left: Option<String>,
    /// What the right side does; none if it says nothing.
    pub right: Option<String>,
    /// The row of the left side.
    pub left_row: Option<RowAt>,
    /// The row of the right side.
    pub right_row: Option<RowAt>,
    /// The place of the left side in its text, where it is no row.
    pub left_place: Option<Span>,
    /// The place of the right side in its text.
    pub span: Option<Span>,
    /// What the right side declares about it: kind and reason.
    pub notes: Vec<(NoteKind, String)>,
}

/// How two tables compare.
#[derive(Clone, Debug, Default)]
pub struct Comparison {
    /// States that both have.
    pub states: usize,
    /// Modes that both have.
    pub modes: usize,
    /// Rows of states and modes of the left side.
    pub rows: usize,
    /// Rows of the left side that the right side has, too.
    pub equal: usize,
    /// Steps of the left side's algorithms.
    pub steps: usize,
    /// Steps of the left side's algorithms that the right side has, too.
    pub equal_steps: usize,
    /// What differs.
    pub differences: Vec<Difference>,
    /// Differences of rows of which a sentence is unread: what the document says there is not known.
    pub not_compared: Vec<Difference>,
    /// The differences between rows again, none of them merged, and what rows that are equal have different in detail.
    pub exact: Vec<Exact>,
    /// Notes of the right side that declare no difference: the state, the place, and the reason.
    pub stale: Vec<(String, Span, String)>,
}

impl Comparison {
    /// Differences that the right side does not declare.
    pub fn undeclared(&self) -> impl Iterator<Item = &Difference> {
        self.differences.iter().filter(|difference| difference.notes.is_empty())
    }

    /// Sets the differences aside that lie in rows which are not wholly read.
    pub fn set_aside(&mut self, is_unread: &dyn Fn(&Difference) -> bool) {
        let all = std::mem::take(&mut self.differences);
        (self.not_compared, self.differences) = all.into_iter().partition(is_unread);
    }

    /// The number of differences that the right side declares.
    pub fn declared(&self) -> usize {
        self.differences.iter().filter(|difference| !difference.notes.is_empty()).count()
    }
}

/// Compares the right side with the left one.
pub fn compare(left: &Index<'_>, right: &Index<'_>) -> Comparison {
    compare_some(left, right, &|_| true)
}

/// Compares the declarations of both sides, and of the states and modes those whose names are wanted.
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
            None => comparison.differences.push(whole(&state.name, true, None)),
        }
    }
    for state in right.states.iter().filter(|state| left.find(&state.name).is_none()) {
        let mut difference = whole(&state.name, false, Some(state.span));
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

/// A state that only the left side has is declared where every row is that leads there.
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

/// A state that only one side has.
fn whole(name: &str, is_left: bool, span: Option<Span>) -> Difference {
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

/// Notes on rows that differ nowhere.
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
