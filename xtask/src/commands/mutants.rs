//! Tests which checks, cases or comparisons notice each small change of the tables.
//!
//! usage: cargo xtask campaign mutants [--sample N] [--seed N] [--seconds N] [--list] [FILE...]
//!
//!   FILE           a file of spec/tables; all, if there is none
//!   --sample N     number of changes of each file (0: all)
//!   --seed N       selects the sample (1)
//!   --seconds N    time limit, after which no further change is tried
//!   --list         prints each unlisted survivor as a JSON entry for tests/mutants.json
//!
//! Entries and rows are removed, steps removed or renamed, literals changed, conditions negated, joined differently or
//! removed, and rows swapped. Nothing is compiled: the interpreter runs the changed table on the cases that reach the
//! changed place.
//!
//! tests/mutants.json lists the survivors, each with the reason. Exits with status 1 if a survivor is not listed, or a
//! listed change no longer survives.
//!
//! example: cargo xtask campaign mutants --sample 100 html.states

pub(super) mod changes;
pub(super) mod runner;
pub(super) mod trial;

use crate::{Outcome, root, step};
use runner::EditOptions;
use std::ffi::OsString;
use trial::Subject;

/// Runs `cargo xtask campaign mutants`.
pub(crate) fn run(arguments: Vec<OsString>) -> Outcome {
    let mut options = EditOptions::parse(arguments)?;
    if options.documents.is_some() {
        return Err("`cargo xtask campaign mutants` does not take `--documents`; use `cargo xtask campaign edits`".to_owned());
    }
    if options.names.is_empty() {
        let tables = root::home().dialects().into_iter().map(|dialect| format!("{dialect}.states"));
        options.names = tables.chain(["html.modes".to_owned()]).collect();
    }
    let mut is_clean = true;
    for file in &options.names {
        let subject = Subject::read(file)?;
        step::say(&format!("{file}: {} cases\n", subject.case_count()));
        is_clean &= subject.try_changes(&options)?;
    }
    Ok(is_clean)
}
