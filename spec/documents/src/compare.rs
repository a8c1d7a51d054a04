//! Compares two tables row by row: the facts of a document with its table, or two tables. Rows are first normalized to
//! their effects, so that only behavior is compared, not notation.

pub mod accepted;
mod algorithms;
mod answers;
mod declared;
mod effect;
mod exact;
mod index;
mod input;
pub mod lists;
mod names;
mod order;
mod pair;
mod pieces;
mod run;
mod text;

pub(crate) use effect::{creates_field, is_never_missing, is_text_of_row};
pub use index::Index;
pub use names::{compare_names, describe_name, hash as hash_of_name};
pub use pieces::FileReader;

use index::{ComparedRow, NamedRows};
use run::SharedDeclarations;
use std::collections::BTreeSet;
use tabulex_language::syntax::{NoteKind, Span};

/// Position of a row: the index of its state or mode in a list of the states and then the modes, and the index of the
/// row in that state or mode.
pub type RowAt = (usize, usize);

/// A difference between the two tables that are compared, called the left and the right side.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Difference {
    /// Name of the state or mode; empty for declarations and algorithms.
    pub state: String,
    /// Input in the table language, or the declaration or algorithm; empty for a whole state or mode.
    pub input: String,
    /// First condition found under which the sides differ; empty if they differ unconditionally.
    pub condition: String,
    /// Effect on the left side, or `None` if the left side has no such row.
    pub left: Option<String>,
    /// Effect on the right side, or `None` if the right side has no such row.
    pub right: Option<String>,
    /// Number of the left side's steps of an algorithm that the right side lacks; 0 for other differences.
    pub left_steps: usize,
    /// Row on the left side, if the difference is in a row.
    pub left_row: Option<RowAt>,
    /// Row on the right side, if the difference is in a row.
    pub right_row: Option<RowAt>,
    /// Span of the difference on the left side, if that side has such a part.
    pub left_place: Option<Span>,
    /// Span of the difference on the right side, if that side has such a part.
    pub span: Option<Span>,
    /// Notes on the right side that declare the difference: kind and reason.
    pub notes: Vec<(NoteKind, String)>,
}

impl Difference {
    /// Creates a difference that concerns a whole state or mode, such as one that only one side has.
    fn whole_block(left: Option<&NamedRows<'_>>, right: Option<&NamedRows<'_>>) -> Self {
        let description = |block: Option<&NamedRows<'_>>| {
            block.map(|block| if block.is_mode { "the mode" } else { "the state" }.to_owned())
        };
        Self {
            state: left.or(right).map_or(String::new(), |block| block.name.to_owned()),
            left: description(left),
            right: description(right),
            left_place: left.map(|block| block.span),
            span: right.map(|block| block.span),
            ..Self::default()
        }
    }

    /// Whether the difference concerns this whole state or mode, rather than a row.
    fn is_whole(&self, block: &NamedRows<'_>) -> bool {
        self.state == block.name && self.input.is_empty()
    }
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
    /// Number of the left side's steps that the right side matches.
    pub equal_steps: usize,
    /// All differences, declared or not.
    pub differences: Vec<Difference>,
    /// Differences in rows for which the document has an unread sentence, so that the meaning of the row is not known.
    pub not_compared: Vec<Difference>,
    /// Entries of declared differences of single rows, before these are merged, and of rows that differ only in details.
    pub row_entries: Vec<accepted::Entry>,
    /// Notes on the right side whose declared difference does not exist: the state, declaration or algorithm, the span,
    /// and the reason.
    pub stale: Vec<(String, Span, String)>,
}

impl Comparison {
    /// Iterates over the differences without a note on the right side.
    pub fn undeclared(&self) -> impl Iterator<Item = &Difference> {
        self.differences.iter().filter(|difference| difference.notes.is_empty())
    }

    /// Moves to `not_compared` the differences for which `is_unread` returns true.
    pub fn exclude_unread(&mut self, is_unread: &dyn Fn(&Difference) -> bool) {
        let differences = std::mem::take(&mut self.differences);
        (self.not_compared, self.differences) = differences.into_iter().partition(is_unread);
    }

    /// Returns the number of differences that the right side declares.
    pub fn declared(&self) -> usize {
        self.differences.iter().filter(|difference| !difference.notes.is_empty()).count()
    }
}

/// Compares two tables; the left one is usually a document's facts. Modes are compared only if both sides have modes.
pub fn compare(left: &Index<'_>, right: &Index<'_>) -> Comparison {
    let mut comparison = Comparison::default();
    declared::compare(left, right, &mut comparison);
    let compares_modes = left.has_modes() && right.has_modes();
    let block_indices = |index: &Index<'_>| -> Vec<usize> {
        (0..index.blocks.len()).filter(|&at| compares_modes || !index.blocks[at].is_mode).collect()
    };
    let shared = SharedDeclarations::new(left, right);
    let undescribed = undescribed_states(left, right);
    let left_with_readers;
    let left = match undescribed.is_empty() {
        true => left,
        false => {
            let has_rows = |name: &str| {
                left.find(name, false).is_some_and(|at| !left.blocks[at].rows.is_empty())
            };
            let is_reader = |name: &str| !has_rows(name) && right.reads_buffer(name);
            left_with_readers = left.clone().with_readers(&is_reader);
            &left_with_readers
        }
    };
    let (mut differences, mut common_blocks) = (Vec::new(), Vec::new());
    for at in block_indices(left) {
        let block = &left.blocks[at];
        comparison.rows += block.rows.len();
        match right.find(block.name, block.is_mode) {
            Some(other) => {
                common_blocks.push(at);
                if !undescribed.contains(block.name) {
                    *if block.is_mode { &mut comparison.modes } else { &mut comparison.states } +=
                        1;
                    let outputs = (&mut differences, &mut comparison.row_entries);
                    pair::compare([(left, at), (right, other)], &shared, outputs);
                }
            }
            None => differences.push(Difference::whole_block(Some(block), None)),
        }
    }
    for at in block_indices(right) {
        let block = &right.blocks[at];
        let is_common = left.find(block.name, block.is_mode).is_some();
        if undescribed.contains(block.name) {
            continue;
        }
        if !is_common {
            let notes = block.rows.iter().flat_map(|row| row.notes.clone()).collect();
            differences.push(Difference { notes, ..Difference::whole_block(None, Some(block)) });
        } else {
            let noted_rows = block.rows.iter().enumerate().filter(|(_, row)| !row.notes.is_empty());
            for (row, noted) in noted_rows {
                if differences
                    .iter()
                    .all(|one| one.right_row != Some((at, row)) && !one.is_whole(block))
                {
                    let reasons: Vec<&str> =
                        noted.notes.iter().map(|(_, reason)| &reason[..]).collect();
                    let stale = (block.name.to_owned(), noted.span, reasons.join(" "));
                    comparison.stale.push(stale);
                }
            }
        }
    }
    declare_reachable([left, right], &mut differences);
    let differs = |row: RowAt| differences.iter().any(|one| one.left_row == Some(row));
    for at in common_blocks {
        comparison.equal +=
            (0..left.blocks[at].rows.len()).filter(|&row| !differs((at, row))).count();
    }
    comparison.differences.extend(differences);
    algorithms::compare(left.table, right.table, &mut comparison);
    comparison
}

/// Returns the states that the left side declares without rows, and the right side's states that are reached only
/// through these. The document uses such states, but only the table describes them.
fn undescribed_states<'t>(left: &Index<'_>, right: &Index<'t>) -> BTreeSet<&'t str> {
    let mut undescribed = BTreeSet::new();
    let without_rows = left.blocks.iter().filter(|it| it.rows.is_empty());
    let mut open: Vec<String> = without_rows.map(|it| it.name.to_owned()).collect();
    while let Some(name) = open.pop() {
        let Some(block) = right.find(&name, false).map(|at| &right.blocks[at]) else { continue };
        if !undescribed.insert(block.name) {
            continue;
        }
        let targets = block.rows.iter().flat_map(|row| right.targets(row.steps));
        open.extend(targets.filter(|target| left.find(target, false).is_none()));
    }
    undescribed
}

/// Marks as declared each state and mode that only one side has, if every row that leads to it belongs to a declared
/// difference.
fn declare_reachable(sides: [&Index<'_>; 2], differences: &mut [Difference]) {
    let leads_to = |index: &Index<'_>, row: &ComparedRow<'_>, name: &str| {
        index.targets(row.steps).iter().any(|target| target == name)
    };
    // Once a state is declared, a state to which only its rows lead can be declared, too. Such a chain can be as long
    // as the list of differences, so there are as many rounds as differences.
    let count = differences.len();
    for only in (0..count).flat_map(|_| 0..count) {
        let Difference { state, input, left, right, notes, .. } = &differences[only];
        if !input.is_empty() || left.is_some() == right.is_some() || !notes.is_empty() {
            continue;
        }
        let side = usize::from(right.is_some());
        let mut notes = Vec::new();
        for (at, block) in sides[side].blocks.iter().enumerate() {
            let whole_difference = differences.iter().find(|one| one.is_whole(block));
            for (row, stated) in block.rows.iter().enumerate() {
                if block.name == state || !leads_to(sides[side], stated, state) {
                    continue;
                }
                let is_of_row =
                    |one: &&Difference| [one.left_row, one.right_row][side] == Some((at, row));
                match whole_difference {
                    // The whole state is a difference, so its first note counts for each of its rows.
                    Some(whole_difference) => {
                        notes.extend(whole_difference.notes.first().map(|one| Some(one.clone())))
                    }
                    None => notes.extend(
                        differences.iter().filter(is_of_row).map(|one| one.notes.first().cloned()),
                    ),
                }
            }
        }
        let declared: Option<Vec<_>> = notes.into_iter().collect();
        differences[only].notes.extend(declared.unwrap_or_default().into_iter().next());
    }
}
