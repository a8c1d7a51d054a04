//! Checks of a resolved machine, in order. All of them run, so that all mistakes are reported at once.

#![deny(clippy::wildcard_enum_match_arm)]

use crate::diagnostic::{Diagnostic, Severity};
use crate::model::{Action, Machine, Row, Spanned, StateId};
use crate::syntax::Table;
use flow::{Edge, Flow};
use path::{Path, Paths};

mod algorithms;
mod conditions;
mod current;
mod cycle;
mod declared;
mod ends;
mod flow;
mod follower;
mod inputs;
mod insertions;
mod lexemes;
mod modes;
mod nested_runs;
mod notes;
mod path;
mod procedures;
mod pushed;
mod rare;
mod reachable;
mod registers;
mod rows;
mod total;
mod unexecuted;
mod unused;
mod words;

/// The machine under check, with its table and analyses that several checks use.
struct CheckContext<'m> {
    machine: &'m Machine,
    table: &'m Table,
    paths: &'m Paths<'m>,
    flow: &'m Flow,
}

impl<'m> CheckContext<'m> {
    /// Returns the row that an edge from the situation takes, and the path through the row; `None` for a call.
    fn row_and_path(&self, situation: usize, edge: Edge) -> Option<(&'m Row, &'m Path<'m>)> {
        let state = self.flow.situations[situation].state;
        let (row, path) = edge.via?;
        Some((&self.machine.state(state).rows[row], &self.paths.of_row(state, row)[path]))
    }

    /// Returns the actions of an edge from the situation, including those on leaving its state and on entering
    /// `entered`, if any. A call has no actions.
    fn actions(
        &self,
        situation: usize,
        edge: Edge,
        entered: Option<StateId>,
    ) -> Vec<&'m Spanned<Action>> {
        let Some((_, path)) = self.row_and_path(situation, edge) else { return Vec::new() };
        path.all_actions(self.machine, self.flow.situations[situation].state, entered)
    }
}

/// All checks except `unexecuted`, in the order in which they run; diagnostics are sorted by position later.
const ALL: &[fn(&CheckContext<'_>) -> Vec<Diagnostic>] = &[
    rows::check,
    total::check,
    lexemes::check,
    reachable::check,
    cycle::check,
    nested_runs::check,
    current::check,
    registers::check,
    procedures::check,
    insertions::check,
    ends::check,
    conditions::check,
    unused::check,
    |context| notes::check(context.table),
    modes::check,
    |context| rare::check(context.table),
];

/// Checks the machine and the table that it was resolved from.
pub fn check(machine: &Machine, table: &Table) -> Vec<Diagnostic> {
    if machine.states.is_empty() {
        let diagnostics =
            [modes::check_modes(machine, table), notes::check(table), rare::check(table)];
        return add_unexecuted(diagnostics.concat(), machine, table);
    }
    let paths = Paths::new(machine);
    let flow = Flow::new(machine, &paths);
    let context = CheckContext { machine, table, paths: &paths, flow: &flow };
    add_unexecuted(ALL.iter().flat_map(|check| check(&context)).collect(), machine, table)
}

/// Adds diagnostics for algorithms that nothing runs, unless there are errors, which are to be fixed first.
fn add_unexecuted(
    mut diagnostics: Vec<Diagnostic>,
    machine: &Machine,
    table: &Table,
) -> Vec<Diagnostic> {
    if diagnostics.iter().all(|one| one.severity != Severity::Error) {
        diagnostics.extend(unexecuted::check(machine, table));
    }
    diagnostics
}
