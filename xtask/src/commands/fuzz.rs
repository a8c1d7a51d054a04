//! Fuzz targets for longer: `cargo test -p tabulex-fuzz` runs each on its corpus and on a sample of changed inputs.
//!
//! usage: cargo xtask fuzz [TARGET... | TARGET --input FILE] [--seconds N] [--seed N]
//!
//! Without a target all of them, each for its time; `--list` names them. Inputs are changed byte by byte and by pieces of
//! the tables' grammar. One that reaches something new is kept and changed further: a row, two rows that follow each
//! other, the code of an error, a check, as the executors report them. That needs no instrumented build.
//!
//!   --seconds N     how long each target runs (60)
//!   --seed N        where the random numbers begin (the time); the same seed makes the same inputs
//!   --input FILE    runs one input, and shows where it fails
//!   --list          names the targets
//!
//! What fails is made short and written to tests/fuzz/regressions/TARGET, from where the tests run it.
//!
//! example: cargo xtask fuzz trees --seconds 600
//!
//! Invariant: the status is 0 only if every target ran and nothing failed.

use crate::{Outcome, step};
use lexopt::{Arg, ValueExt as _};
use std::time::{SystemTime, UNIX_EPOCH};

/// Runs the command.
pub(crate) fn run(mut parser: lexopt::Parser) -> Outcome {
    let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    let (mut seconds, mut seed, mut input) = (60_u64, now.as_secs() % 1_000_000_000, None);
    let (mut targets, mut list) = (Vec::new(), false);
    while let Some(argument) = parser.next().map_err(|error| error.to_string())? {
        match argument {
            Arg::Long("seconds") => seconds = number(&mut parser, "seconds")?,
            Arg::Long("seed") => seed = number(&mut parser, "seed")?,
            Arg::Long("input") => {
                let file = parser.value().map_err(|error| error.to_string())?;
                input = Some(std::path::absolute(file).map_err(|error| error.to_string())?);
            }
            Arg::Long("list") => list = true,
            Arg::Value(name) => targets.push(name.to_string_lossy().into_owned()),
            other => return Err(other.unexpected().to_string()),
        }
    }
    let mut build = step::cargo();
    build.args(["build", "--quiet", "--profile", "campaign", "--package", "tabulex-fuzz"]);
    if !step::run(&mut build)? {
        return Ok(false);
    }
    if list {
        return step::run(program().arg("--list"));
    }
    if let Some(input) = input {
        let [target] = &targets[..] else { return Err("--input needs one target".to_owned()) };
        return step::run(program().arg(target).arg(input));
    }
    if targets.is_empty() {
        targets = names()?;
    }
    let mut is_well = true;
    for target in &targets {
        let (seconds, seed) = (seconds.to_string(), seed.to_string());
        is_well &= step::run(program().args([target, &seconds, &seed]))?;
    }
    Ok(is_well)
}

/// The number that is the option's value.
pub(super) fn number(parser: &mut lexopt::Parser, name: &str) -> Result<u64, String> {
    let value = parser.value().and_then(|value| value.parse::<u64>());
    value.map_err(|error| format!("--{name}: {error}"))
}

/// The program that runs targets, which has just been built.
fn program() -> std::process::Command {
    let mut command = step::cargo();
    command.args(["run", "--quiet", "--profile", "campaign", "--package", "tabulex-fuzz", "--"]);
    command
}

/// The names of all targets: the first word of each line of its list.
fn names() -> Result<Vec<String>, String> {
    let output = program().arg("--list").output().map_err(|error| error.to_string())?;
    let text = String::from_utf8_lossy(&output.stdout);
    let names: Vec<String> =
        text.lines().filter_map(|line| Some(line.split_whitespace().next()?.to_owned())).collect();
    if names.is_empty() {
        return Err("no target is listed".to_owned());
    }
    Ok(names)
}
