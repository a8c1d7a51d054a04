//! What an edit of a table changes: rows, and for each of them the shortest input that shows it, as far as a search comes
//! in the given time. It prints nothing. Invariant: an input that is reported was run on both tables, and gave different
//! results.

mod concerned;
pub mod corpus;
mod search;
mod shorten;

use crate::cases::Case;
use crate::changes::{AnyRow, Changes, RowChange};
use crate::trial::{How, Input, Made};
use concerned::{Concerned, concerned, numbers};
use search::{Search, part};
use shorten::shortened;
use std::collections::HashSet;
use std::time::Instant;
use tabulex_language::model::tree::ModeRowId;
use tabulex_language::model::{Machine, RowId};
use tabulex_oracle::interpreter::Interpreter;
use tabulex_oracle::search::TreeWitness;

/// An input with different results.
#[derive(Clone, Debug)]
pub struct Shown {
    /// The input.
    pub input: Input,
    /// What the old table makes of it, and what the new one does.
    pub made: [Made; 2],
    /// The changes of rows that were taken, by index.
    pub rows: Vec<usize>,
}

/// A case whose result has changed.
#[derive(Clone, Debug)]
pub struct CaseChange {
    /// The file and what the case says of itself.
    pub name: String,
    /// Whether the new table gives what must come of it.
    pub is_met: bool,
}

/// What an edit changes.
#[derive(Clone, Debug, Default)]
pub struct Impact {
    /// The inputs, a shorter one before a longer one; together they show each change for which one was found.
    pub shown: Vec<Shown>,
    /// The changes of rows for which no input was found, by index.
    pub without: Vec<usize>,
    /// How many inputs were run.
    pub inputs: usize,
    /// Whether the search came to its end before its time was over.
    pub is_whole: bool,
    /// How many cases take a row that has changed, and those whose results have changed.
    pub cases: (usize, Vec<CaseChange>),
}

/// The two tables, ready to be run.
pub(crate) struct Pair<'m> {
    pub(crate) interpreters: [Interpreter<'m>; 2],
    /// For each machine the rows that the other one does not have, with the index of the change.
    rows: [Vec<(AnyRow, usize)>; 2],
    /// Which runs are concerned.
    concerned: Concerned,
    /// Whether a declaration has changed, so that any input may be concerned.
    is_any: bool,
}

impl<'m> Pair<'m> {
    pub(crate) fn new(machines: [&'m Machine; 2], changes: &Changes) -> Self {
        let rows = changes.rows.iter().enumerate();
        let of = |side: fn(&RowChange) -> &Option<crate::changes::Seen>| {
            rows.clone().filter_map(move |(at, it)| Some((side(it).as_ref()?.row, at))).collect()
        };
        Self {
            interpreters: machines.map(Interpreter::new),
            rows: [of(|it| &it.old), of(|it| &it.new)],
            concerned: concerned(machines[0], changes),
            is_any: !changes.declarations.is_empty(),
        }
    }

    fn machines(&self) -> [&'m Machine; 2] {
        [self.interpreters[0].machine(), self.interpreters[1].machine()]
    }

    /// The changes whose rows a run of the one or the other machine took.
    fn taken(&self, side: usize, made: &Made) -> Vec<usize> {
        let rows: HashSet<RowId> = made.rows.iter().copied().collect();
        let modes: HashSet<ModeRowId> = made.mode_rows.iter().copied().collect();
        let is_taken = |row: &AnyRow| match row {
            AnyRow::State(row) => rows.contains(row),
            AnyRow::Mode(row) => modes.contains(row),
        };
        let concerned = self.rows[side].iter().filter(|(row, _)| is_taken(row));
        concerned.map(|(_, change)| *change).collect()
    }

    /// What both make of the input, if that is not the same; and whether a row was taken that has changed.
    pub(crate) fn compare(&self, input: &Input) -> (bool, Option<Shown>) {
        let Some(old) = input.run(&self.interpreters[0]) else { return (false, None) };
        if !self.concerned.is_of(&numbers(&old)) {
            return (false, None);
        }
        let Some(new) = input.run(&self.interpreters[1]) else { return (false, None) };
        let mut rows = self.taken(0, &old);
        rows.extend(self.taken(1, &new));
        rows.sort_unstable();
        rows.dedup();
        let is_concerned = self.is_any || !rows.is_empty();
        if old.is_same(&new) {
            return (is_concerned, None);
        }
        (is_concerned, Some(Shown { input: input.clone(), made: [old, new], rows }))
    }
}

/// Searches inputs that show what has changed, first among the cases, until the given time.
pub fn impact(
    machines: [&Machine; 2],
    changes: &Changes,
    cases: &[Case],
    until: Instant,
) -> Impact {
    let mut found = Impact { is_whole: true, ..Impact::default() };
    let best = searched(machines, changes, cases, until, &mut found);
    found.without = (0..changes.rows.len()).filter(|&at| best.shown[at].is_none()).collect();
    found.shown = best.distinct();
    found
}

/// The shortest input that was found until the given time for each difference, in their order: each is a row of the one
/// machine, of the other, or of both.
pub fn shortest(
    machines: [&Machine; 2],
    differences: &[[Option<AnyRow>; 2]],
    cases: &[Case],
    until: Instant,
) -> Vec<Option<Shown>> {
    let changes = Changes::of_rows(machines, differences);
    let mut best = searched(machines, &changes, cases, until, &mut Impact::default());
    best.shown.truncate(differences.len());
    best.shown
}

fn searched(
    machines: [&Machine; 2],
    changes: &Changes,
    cases: &[Case],
    until: Instant,
    found: &mut Impact,
) -> Best {
    let pair = Pair::new(machines, changes);
    let mut best = Best { shown: vec![None; changes.rows.len() + 1] };
    let mut search = Search::new(&pair, changes);
    search.states(part(until, 1, 2), &mut best, found);
    // They are few, and each is looked at: what they say of an edit is wanted as well.
    let mut near = Vec::new();
    for case in cases {
        let (is_concerned, shown) = pair.compare(&case.input);
        found.inputs += 2;
        found.cases.0 += usize::from(is_concerned);
        if let Some(shown) = shown {
            let is_met = case.is_met(&shown.made[1]);
            found.cases.1.push(CaseChange { name: case.name.clone(), is_met });
            best.take(&shown);
        } else if is_concerned && let How::Tree(options) = &case.input.how {
            near.push(TreeWitness { options: options.clone(), input: case.input.text.clone() });
        }
    }
    search.after(near, part(until, 1, 3), &mut best, found);
    // What is shown by then is made shorter in the rest of the time.
    search.modes(part(until, 3, 4), &mut best, found);
    for at in 0..best.shown.len() {
        if let Some(shown) = best.shown[at].take() {
            best.shown[at] = Some(shortened(&pair, shown, at, until));
        }
    }
    best
}

/// The shortest input for each change; the last one is for changes of declarations.
struct Best {
    shown: Vec<Option<Shown>>,
}

impl Best {
    fn take(&mut self, shown: &Shown) {
        let nowhere = [self.shown.len() - 1];
        let rows = if shown.rows.is_empty() { &nowhere[..] } else { &shown.rows[..] };
        for &at in rows {
            // What takes one row that has changed says more than what takes several.
            let rank = |it: &Shown| (it.rows.len().max(1), it.input.text.chars().count());
            if self.shown[at].as_ref().is_none_or(|old| rank(shown) < rank(old)) {
                self.shown[at] = Some(shown.clone());
            }
        }
    }

    /// Each input once, the shortest first.
    fn distinct(self) -> Vec<Shown> {
        let mut all: Vec<Shown> = Vec::new();
        for shown in self.shown.into_iter().flatten() {
            if !all
                .iter()
                .any(|it| it.input.text == shown.input.text && it.made[0].is_same(&shown.made[0]))
            {
                all.push(shown);
            }
        }
        all.sort_by_key(|it| it.input.text.chars().count());
        all
    }
}

/// The lines that differ, as people compare them: two lines that are the same before them and after them.
pub fn compared(old: &[String], new: &[String]) -> Vec<String> {
    const AROUND: usize = 2;
    let same = old.iter().zip(new).take_while(|(old, new)| old == new).count();
    let (rest_old, rest_new) = (&old[same..], &new[same..]);
    let ends = rest_old.iter().rev().zip(rest_new.iter().rev());
    let ends = ends.take_while(|(old, new)| old == new).count();
    let marked = |mark: char, lines: &[String]| -> Vec<String> {
        lines.iter().map(|line| format!("{mark} {line}")).collect()
    };
    let mut out = marked(' ', &old[same.saturating_sub(AROUND)..same]);
    out.extend(marked('-', &rest_old[..rest_old.len() - ends]));
    out.extend(marked('+', &rest_new[..rest_new.len() - ends]));
    let tail = &rest_old[rest_old.len() - ends..];
    out.extend(marked(' ', &tail[..tail.len().min(AROUND)]));
    out
}
