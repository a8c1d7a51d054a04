//! Finds the shortest input that takes each row of a table, of states and of modes.
//!
//! usage: cargo xtask witness DIALECT|FILE [--out FILE] [--configurations N] [--length N]
//!
//! Prints one line per row: its input and, if it is not the default, the start of the run. Rows without an input are
//! listed with the limits of the search, which --configurations and --length (in characters) set. With --out, the
//! inputs and the interpreter's results are written to FILE in the format of the html5lib tests: for the tokenizer, or
//! for tree construction if the name ends with .dat. Exits with status 1 if a row has no input.
//!
//! example: cargo xtask witness html-2013 --out witnesses.test

use super::{failure, missing, number};
use crate::home::Home;
use crate::table::Table;
use crate::{Failure, Outcome};
use lexopt::{Arg, ValueExt as _};
use std::path::PathBuf;
use tabulex_language::model::tree::{Construction, ModeRowId};
use tabulex_language::model::{Machine, RowId};
use tabulex_oracle::search::{
    Bound, SearchExtent, Start, TreeWitnesses, tree_witnesses, witnesses,
};

struct WitnessOptions {
    table: String,
    out: Option<PathBuf>,
    bound: Bound,
}

/// Runs the command.
pub(super) fn run(home: &Home, parser: lexopt::Parser) -> Outcome {
    let options = options(home, parser)?;
    let table = home.table(&options.table)?;
    table.messages().iter().for_each(|message| home.print(message));
    let Some(machine) = &table.machine else { return Ok(false) };
    let witnesses = witnesses(machine, options.bound);
    for (row, witness) in &witnesses.rows {
        let begun = describe_start(machine, &witness.start);
        home.print(&format!(
            "{:<60} {:?}{begun}\n",
            row_text(&table, machine, *row),
            witness.input
        ));
    }
    let missing: Vec<String> =
        witnesses.unreached.iter().map(|row| row_text(&table, machine, *row)).collect();
    let sum =
        WitnessSummary { with: witnesses.rows.len(), unreached: missing, extent: witnesses.extent };
    let mut is_whole = sum.say(home, &format!("{}, states", machine.name), options.bound);
    let trees = tree_witnesses(machine, options.bound);
    if let (Some(trees), Some(construction)) = (&trees, &machine.construction) {
        is_whole &= report_trees(home, (&table, &machine.name), construction, trees, options.bound);
    }
    if let Some(path) = options.out {
        let is_of_trees = path.extension().is_some_and(|extension| extension == "dat");
        let text = match (is_of_trees, &trees) {
            (false, _) => tabulex_oracle::formats::html5lib::tests(machine, &witnesses),
            (true, Some(trees)) => {
                tabulex_oracle::formats::dat::cases(machine, trees.rows.values())
            }
            (true, None) => {
                let path = path.display();
                let name = &machine.name;
                return Err(format!(
                    "cannot write {path}: `{name}` builds no trees; use the extension `.test` for tests of tokens"
                ));
            }
        };
        std::fs::write(&path, text)
            .map_err(|error| format!("cannot write {}: {error}", path.display()))?;
    }
    Ok(is_whole)
}

/// Returns the start of a run, unless it is the start state with default flags.
fn describe_start(machine: &Machine, start: &Start) -> String {
    if start.state == machine.state(machine.start).name && start.flags.is_empty() {
        return String::new();
    }
    let flags = start.flags.iter().map(|(flag, value)| format!(", {flag} {value}"));
    format!("   from {}{}", start.state, flags.collect::<String>())
}

/// Prints the results for the rows of modes. Returns whether each has an input.
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
        let mut begun = String::new();
        if let Some(context) = &witness.options.context {
            begun += &format!("   in {}", context.local);
        }
        for (flag, value) in &witness.options.flags {
            begun += &format!("   {flag} {value}");
        }
        home.print(&format!("{:<60} {:?}{begun}\n", describe(row), witness.input));
    }
    let missing = witnesses.unreached.iter().map(describe).collect();
    let sum =
        WitnessSummary { with: witnesses.rows.len(), unreached: missing, extent: witnesses.extent };
    sum.say(home, &format!("{name}, modes"), bound)
}

/// The result of a search for witnesses.
struct WitnessSummary {
    with: usize,
    unreached: Vec<String>,
    extent: SearchExtent,
}

impl WitnessSummary {
    /// Prints the result. Returns whether each row has an input.
    fn say(&self, home: &Home, what: &str, bound: Bound) -> bool {
        let Self { with, unreached, extent } = self;
        for row in unreached {
            home.print(&format!("{row:<60} no input found\n"));
        }
        let how = if unreached.is_empty() {
            "none is missing".to_owned()
        } else if extent.is_exhaustive {
            "nothing was left to go on from".to_owned()
        } else {
            format!("bound: {} configurations, {} characters", bound.configurations, bound.length)
        };
        home.print(&format!(
            "{what}: {} rows, {with} with a shortest input, {} without; {} inputs were run, {} configurations gone on from; {how}\n",
            with + unreached.len(),
            unreached.len(),
            extent.inputs,
            extent.configurations,
        ));
        unreached.is_empty()
    }
}

fn options(home: &Home, mut parser: lexopt::Parser) -> Result<WitnessOptions, Failure> {
    let (mut table, mut out, mut bound) = (None, None, Bound::default());
    while let Some(arg) = parser.next().map_err(failure)? {
        match arg {
            Arg::Long("out") => out = Some(PathBuf::from(parser.value().map_err(failure)?)),
            Arg::Long("configurations") => {
                bound.configurations = number(&mut parser, "configurations")?;
            }
            Arg::Long("length") => bound.length = number(&mut parser, "length")?,
            Arg::Value(value) if table.is_none() => {
                table = Some(value.string().map_err(failure)?);
            }
            other => return Err(other.unexpected().to_string()),
        }
    }
    let table = table.ok_or_else(|| missing(home, "a dialect or a table", "witness sky"))?;
    Ok(WitnessOptions { table, out, bound })
}

/// Returns a row of a state as text.
fn row_text(table: &Table, machine: &Machine, row: RowId) -> String {
    let state = machine.state(row.state);
    let span = state.rows[usize::from(row.row)].span;
    format!("{}, row {} ({})", state.name, row.row + 1, table.place(span))
}
