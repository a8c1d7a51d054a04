//! Finds the shortest input that runs each row of a table's states and modes.
//!
//! usage: cargo xtask witness DIALECT|FILE [--out FILE] [--configurations N] [--length N]
//!
//! Prints one line per row: the input, and the options of the run if these are not the default. Then prints the rows
//! without an input, and the limits of the search, which --configurations and --length (in characters) set. With --out,
//! writes the inputs and the interpreter's results to FILE in the format of the html5lib tests: for the tokenizer, or
//! for tree construction if the name ends with .dat. Exits with status 1 if a row has no input.
//!
//! example: cargo xtask witness html-2013 --out witnesses.test

use super::missing;
use crate::Outcome;
use crate::arguments::Arguments;
use crate::home::Home;
use crate::table::Table;
use std::ffi::OsString;
use std::io::{Write as _, stderr};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::time::{Duration, Instant};
use tabulex_language::counted;
use tabulex_language::model::tree::{Construction, ModeRowId};
use tabulex_language::model::{Machine, RowId};
use tabulex_oracle::search::{
    Bound, SearchExtent, Start, TreeWitnesses, tree_witnesses, witnesses,
};

/// Time between two lines of progress.
const PROGRESS_INTERVAL: Duration = Duration::from_secs(5);

/// Prints the inputs for all rows, and writes them as tests if requested. Returns whether each row has an input.
pub(super) fn run(home: &Home, arguments: Vec<OsString>) -> Outcome {
    let options = ["out FILE", "configurations N", "length N"];
    let arguments = Arguments::parse(arguments, &options, 1)?;
    let name = arguments.values.first();
    let name = name.ok_or_else(|| missing(home, "a dialect or a table", "witness sky"))?;
    let default_bound = Bound::default();
    let bound = Bound {
        configurations: arguments.number("configurations")?.unwrap_or(default_bound.configurations),
        length: arguments.number("length")?.unwrap_or(default_bound.length),
        ..default_bound
    };
    let table = home.table(name)?;
    table.messages().iter().for_each(|message| home.print(message));
    let Some(machine) = &table.machine else { return Ok(false) };
    let witnesses = with_progress("states", || witnesses(machine, bound));
    for (row, witness) in &witnesses.rows {
        let start = describe_start(machine, &witness.start);
        home.print(&format!(
            "{:<60} {:?}{start}\n",
            row_text(&table, machine, *row),
            witness.input
        ));
    }
    let unreached: Vec<String> =
        witnesses.unreached.iter().map(|row| row_text(&table, machine, *row)).collect();
    let summary =
        WitnessSummary { found: witnesses.rows.len(), unreached, extent: witnesses.extent };
    let mut is_complete = summary.print(home, &format!("{}, states", machine.name), bound);
    let trees = with_progress("modes", || tree_witnesses(machine, bound));
    if let (Some(trees), Some(construction)) = (&trees, &machine.construction) {
        is_complete &= report_trees(home, (&table, &machine.name), construction, trees, bound);
    }
    if let Some(path) = arguments.path("out") {
        let is_tree_format = path.extension().is_some_and(|extension| extension == "dat");
        let text = match (is_tree_format, &trees) {
            (false, _) => tabulex_oracle::formats::html5lib::tests(machine, &witnesses),
            (true, Some(trees)) => {
                tabulex_oracle::formats::dat::cases(machine, trees.rows.values())
            }
            (true, None) => {
                let path = path.display();
                let name = &machine.name;
                return Err(format!(
                    "cannot write `{path}`: `{name}` builds no trees; use the extension `.test` for tests of tokens"
                ));
            }
        };
        std::fs::write(&path, text)
            .map_err(|error| format!("cannot write `{}`: {error}", path.display()))?;
    }
    Ok(is_complete)
}

/// Runs a search of a part of the machine, and prints to standard error every few seconds how long it has taken.
fn with_progress<T>(part: &str, search: impl FnOnce() -> T) -> T {
    std::thread::scope(|scope| {
        let (is_done, waiting) = mpsc::channel::<()>();
        scope.spawn(move || {
            let start = Instant::now();
            while waiting.recv_timeout(PROGRESS_INTERVAL) == Err(RecvTimeoutError::Timeout) {
                let seconds = start.elapsed().as_secs();
                // An error of this write is ignored, because the progress is not part of the result.
                let _ = writeln!(stderr(), "searching inputs for the rows of {part}: {seconds} s");
            }
        });
        let result = search();
        drop(is_done);
        result
    })
}

/// Formats the initial state and flags of a run, or returns an empty string for the start state with default flags.
fn describe_start(machine: &Machine, start: &Start) -> String {
    if start.state == machine.state(machine.start).name && start.flags.is_empty() {
        return String::new();
    }
    let flags = start.flags.iter().map(|(flag, value)| format!(", {flag} {value}"));
    format!("   from {}{}", start.state, flags.collect::<String>())
}

/// Prints the inputs for the rows of modes. Returns whether each row has an input.
fn report_trees(
    home: &Home,
    (table, name): (&Table, &str),
    construction: &Construction,
    witnesses: &TreeWitnesses,
    bound: Bound,
) -> bool {
    let describe = |row: &ModeRowId| {
        let mode = construction.mode(row.mode);
        let span = mode.rows[usize::from(row.row)].span;
        format!("{}, row {} ({})", mode.name, row.row + 1, table.place(span))
    };
    for (row, witness) in &witnesses.rows {
        let mut options = String::new();
        if let Some(context) = &witness.options.context {
            options += &format!("   in {}", context.local);
        }
        for (flag, value) in &witness.options.flags {
            options += &format!("   {flag} {value}");
        }
        home.print(&format!("{:<60} {:?}{options}\n", describe(row), witness.input));
    }
    let unreached = witnesses.unreached.iter().map(describe).collect();
    let summary =
        WitnessSummary { found: witnesses.rows.len(), unreached, extent: witnesses.extent };
    summary.print(home, &format!("{name}, modes"), bound)
}

/// The result of a search for witnesses.
struct WitnessSummary {
    /// Number of rows with an input.
    found: usize,
    /// Rows without an input, as text.
    unreached: Vec<String>,
    extent: SearchExtent,
}

impl WitnessSummary {
    /// Prints the unreached rows and the counts of the search. Returns whether each row has an input.
    fn print(&self, home: &Home, subject: &str, bound: Bound) -> bool {
        let Self { found, unreached, extent } = self;
        for row in unreached {
            home.print(&format!("{row:<60} no input found\n"));
        }
        let conclusion = if unreached.is_empty() {
            "no row is missing".to_owned()
        } else if extent.is_exhaustive {
            "the search is exhausted".to_owned()
        } else {
            let configurations = counted(bound.configurations, "configuration");
            format!("bound: {configurations}, {}", counted(bound.length, "character"))
        };
        home.print(&format!(
            "{subject}: {}, {found} with a shortest input, {} without; {} run, {} expanded; {conclusion}\n",
            counted(found + unreached.len(), "row"),
            unreached.len(),
            counted(extent.inputs, "input"),
            counted(extent.configurations, "configuration"),
        ));
        unreached.is_empty()
    }
}

/// Formats a row of a state: the name of the state, the number of the row, and its location.
fn row_text(table: &Table, machine: &Machine, row: RowId) -> String {
    let state = machine.state(row.state);
    let span = state.rows[usize::from(row.row)].span;
    format!("{}, row {} ({})", state.name, row.row + 1, table.place(span))
}
