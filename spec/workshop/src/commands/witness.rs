//! Finds the shortest input that runs each row of a table's states and modes.
//!
//! usage: cargo xtask witness DIALECT|FILE [--out FILE] [--configurations N] [--length N]
//!
//! Prints one line per row: the input, and the options of the run if these are not the default. For a row that the search
//! does not reach, this is the shortest input of a test case of the dialect. Then prints the rows without an input, and the
//! limits of the search, which --configurations and --length (in characters) set. With --out, writes the inputs of the
//! search and the interpreter's results to FILE in the format of the html5lib tests: for the tokenizer, or for tree
//! construction if the name ends with .dat. Exits with status 1 if a row has no input.
//!
//! example: cargo xtask witness html-2013 --out witnesses.test

use super::missing;
use crate::Outcome;
use crate::arguments::Arguments;
use crate::cases;
use crate::home::Home;
use crate::table::Table;
use crate::trial::{AnyRow, Input, RunMode};
use std::collections::BTreeMap;
use std::ffi::OsString;
use std::io::{Write as _, stderr};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::time::{Duration, Instant};
use tabulex_language::counted;
use tabulex_language::model::{Machine, Span};
use tabulex_oracle::interpreter::Interpreter;
use tabulex_oracle::search::{Bound, SearchExtent, tree_witnesses, witnesses};

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
    let found = witnesses.rows.iter().map(|(row, witness)| {
        let mode = RunMode::Tokens(witness.start.clone());
        (AnyRow::State(*row), Input { text: witness.input.clone(), mode })
    });
    let case_inputs = inputs_of_cases(home, machine);
    let states = Part {
        name: "states",
        found: found.collect(),
        unreached: witnesses.unreached.iter().copied().map(AnyRow::State).collect(),
        extent: witnesses.extent,
        case_inputs: &case_inputs,
    };
    let mut is_complete = states.print(home, &table, machine, bound);
    let trees = with_progress("modes", || tree_witnesses(machine, bound));
    if let Some(trees) = &trees {
        let found = trees.rows.iter().map(|(row, witness)| {
            let mode = RunMode::Tree(witness.options.clone());
            (AnyRow::Mode(*row), Input { text: witness.input.clone(), mode })
        });
        let modes = Part {
            name: "modes",
            found: found.collect(),
            unreached: trees.unreached.iter().copied().map(AnyRow::Mode).collect(),
            extent: trees.extent,
            case_inputs: &case_inputs,
        };
        is_complete &= modes.print(home, &table, machine, bound);
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

/// Returns the shortest input of a test case of the machine that runs each row.
fn inputs_of_cases(home: &Home, machine: &Machine) -> BTreeMap<AnyRow, Input> {
    let cases = home.cases.iter().flat_map(|folder| cases::read_folder(folder, machine));
    let interpreter = Interpreter::new(machine);
    let mut inputs: BTreeMap<AnyRow, Input> = BTreeMap::new();
    for case in cases {
        let Some(result) = case.input.run(&interpreter) else { continue };
        for row in result.rows {
            let known = inputs.entry(row).or_insert_with(|| case.input.clone());
            if case.input.text.len() < known.text.len() {
                known.clone_from(&case.input);
            }
        }
    }
    inputs
}

/// The result of the search for a part of a machine.
struct Part<'c> {
    name: &'static str,
    /// The rows with an input.
    found: Vec<(AnyRow, Input)>,
    /// The rows that the search does not reach.
    unreached: Vec<AnyRow>,
    extent: SearchExtent,
    /// An input of a test case for each row that one runs.
    case_inputs: &'c BTreeMap<AnyRow, Input>,
}

impl Part<'_> {
    /// Prints the inputs, the rows without one, and the counts of the search. Returns whether each row has an input.
    fn print(&self, home: &Home, table: &Table, machine: &Machine, bound: Bound) -> bool {
        let Self { name, found, unreached, extent, case_inputs } = self;
        let describe = |row: AnyRow| {
            let (index, span) = match row {
                AnyRow::State(id) => (id.row, machine.row(id).span),
                AnyRow::Mode(id) => {
                    let construction = machine.construction.as_ref();
                    let rows = construction.map(|it| &it.mode(id.mode).rows);
                    let span = rows.map_or(Span::default(), |rows| rows[usize::from(id.row)].span);
                    (id.row, span)
                }
            };
            format!("{}, row {} ({})", row.block_name(machine), index + 1, table.place(span))
        };
        let of_case = |row: &AnyRow| Some((*row, case_inputs.get(row)?.clone()));
        let of_cases: Vec<(AnyRow, Input)> = unreached.iter().filter_map(of_case).collect();
        for (row, input) in found.iter().chain(&of_cases) {
            let start = input.describe_start(machine);
            home.print(&format!("{:<60} {:?}{start}\n", describe(*row), input.text));
        }
        let unreached: Vec<&AnyRow> =
            unreached.iter().filter(|row| !case_inputs.contains_key(row)).collect();
        for row in &unreached {
            home.print(&format!("{:<60} no input found\n", describe(**row)));
        }
        let conclusion = if unreached.is_empty() {
            "no row is missing".to_owned()
        } else if extent.is_exhaustive {
            "the search is exhausted".to_owned()
        } else {
            let configurations = counted(bound.configurations, "configuration");
            format!("bound: {configurations}, {}", counted(bound.length, "character"))
        };
        let with_case = match of_cases.len() {
            0 => String::new(),
            count => format!(", {count} with that of a test case"),
        };
        home.print(&format!(
            "{}, {name}: {}, {} with a shortest input{with_case}, {} without; {} run, {} expanded; {conclusion}\n",
            machine.name,
            counted(found.len() + of_cases.len() + unreached.len(), "row"),
            found.len(),
            unreached.len(),
            counted(extent.inputs, "input"),
            counted(extent.configurations, "configuration"),
        ));
        unreached.is_empty()
    }
}
