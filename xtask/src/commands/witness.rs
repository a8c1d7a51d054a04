//! The shortest input for each row of a dialect's tokenizer, found by search over the interpreter.
//!
//! usage: cargo xtask witness DIALECT [--out FILE] [--configurations N] [--length N]
//!
//! Prints a line a row: the input that takes it, and the state that the run begins in, where that is not the first one.
//! Rows without an input are listed with the bound of the search. With --out the inputs are written to FILE in the
//! format of the html5lib tokenizer tests, with the tokens and errors that the interpreter gives. --configurations and
//! --length (characters) move the bound. The status is 1 if a row has no input.
//!
//! example: cargo xtask witness html-2013 --out witnesses.test
//!
//! Invariant: what is printed was run.

use crate::{Failure, Outcome, root, step};
use lexopt::{Arg, ValueExt as _};
use std::path::PathBuf;
use tabulex_spec::model::{Machine, RowId};
use tabulex_spec::search::{Bound, Witnesses, witnesses};

struct Options {
    dialect: String,
    out: Option<PathBuf>,
    bound: Bound,
}

/// Runs the command.
pub(crate) fn run(parser: lexopt::Parser) -> Outcome {
    let options = options(parser)?;
    let machine = root::machine(&options.dialect)?;
    let found = witnesses(&machine, options.bound);
    for (row, witness) in &found.rows {
        let start = &witness.start;
        let from = if start.state == machine.state(machine.start).name && start.flags.is_empty() {
            String::new()
        } else {
            let flags = start.flags.iter().map(|(flag, value)| format!(", {flag} {value}"));
            format!("   from {}{}", start.state, flags.collect::<String>())
        };
        step::say(&format!("{:<60} {:?}{from}\n", told(&machine, *row), witness.input));
    }
    tell_missing(&machine, &found, options.bound);
    if let Some(path) = options.out {
        let text = crate::html5lib::tests(&machine, &found);
        std::fs::write(&path, text)
            .map_err(|error| format!("cannot write {}: {error}", path.display()))?;
    }
    Ok(found.without.is_empty())
}

fn options(mut parser: lexopt::Parser) -> Result<Options, Failure> {
    let (mut dialect, mut out, mut bound) = (None, None, Bound::default());
    let failure = |error: lexopt::Error| error.to_string();
    while let Some(arg) = parser.next().map_err(failure)? {
        match arg {
            Arg::Long("out") => out = Some(PathBuf::from(parser.value().map_err(failure)?)),
            Arg::Long("configurations") => {
                bound.configurations = parser.value().map_err(failure)?.parse().map_err(failure)?;
            }
            Arg::Long("length") => {
                bound.length = parser.value().map_err(failure)?.parse().map_err(failure)?;
            }
            Arg::Value(value) if dialect.is_none() => {
                dialect = Some(value.string().map_err(failure)?);
            }
            other => return Err(other.unexpected().to_string()),
        }
    }
    let dialect = dialect.ok_or("a dialect is missing; for example: cargo xtask witness sky")?;
    Ok(Options { dialect, out, bound })
}

/// `state: pattern | pattern`.
pub(crate) fn told(machine: &Machine, row: RowId) -> String {
    let state = machine.state(row.state);
    let place = state.rows[usize::from(row.row)].place;
    format!("{}, row {} (byte {})", state.name, row.row + 1, place.start)
}

fn tell_missing(machine: &Machine, found: &Witnesses, bound: Bound) {
    for row in &found.without {
        step::say(&format!("{:<60} no input found\n", told(machine, *row)));
    }
    let how = if found.without.is_empty() {
        "none is missing".to_owned()
    } else if found.reached.is_whole {
        "nothing was left to go on from".to_owned()
    } else {
        format!("bound: {} configurations, {} characters", bound.configurations, bound.length)
    };
    step::say(&format!(
        "{}: {} rows, {} with a shortest input, {} without; {} inputs were run, {} configurations gone on from; {how}\n",
        machine.name,
        found.rows.len() + found.without.len(),
        found.rows.len(),
        found.without.len(),
        found.reached.inputs,
        found.reached.configurations,
    ));
}
