//! What CI runs, step by step: formatting, clippy, documentation, layout and checks of tables, house rules, dependencies,
//! tables against documents, a sample of changed tables, all tests, the Python package. It stops at the first step that fails.
//!
//! usage: cargo xtask ci
//!
//! Each step is announced with its command line and its time. What the tests print is shown whole; then come the suites
//! that are absent, each with the way to get it, and the last line counts the tests: `N passed, M failed`. Long tests take
//! a random sample: each commit another one, and one commit always the same, so that two runs of it agree. `TABULEX_SEED=N`
//! takes another; `cargo xtask campaign` runs them whole.
//!
//! example: cargo xtask ci
//!
//! Invariant: nothing is fetched but what cargo itself needs, and pip for the Python package.

use crate::{Outcome, root, step};
use std::process::Command;
use std::time::{Instant, SystemTime, UNIX_EPOCH};

/// Cargo's steps before the tests.
const CARGO_STEPS: &[&[&str]] = &[
    &["fmt", "--all", "--", "--check"],
    &["clippy", "--workspace", "--all-targets", "--all-features", "--", "-D", "warnings"],
    &["doc", "--workspace", "--no-deps", "--all-features"],
];

/// The commands of this program that come then.
const CHECKS: &[&[&str]] = &[&["fmt", "--check"], &["check"], &["tidy"], &["trust"], &["diff"]];

/// What holds of optimized code alone: deep trees on a small stack. These are the features that construct trees.
pub(super) const OPTIMIZED: &[&str] = &[
    "--release",
    "--package",
    "tabulex",
    "--no-default-features",
    "--features",
    "html,microxml,microxml-2012-12,sky,xml-er",
    "--test",
    "parse_depth",
];

/// All tests, of long ones a random sample: `cargo xtask campaign` runs them whole.
const ALL: &[&str] = &["--workspace", "--no-fail-fast"];

/// The variable by which tests are told the seed of their samples.
const SEED: &str = "TABULEX_SEED";

/// Runs the command.
pub(crate) fn run(mut parser: lexopt::Parser) -> Outcome {
    if let Some(arg) = parser.next().map_err(|error| error.to_string())? {
        return Err(arg.unexpected().to_string());
    }
    let beginning = Instant::now();
    // Named now: where the tests build this program anew, it is no longer the file that runs.
    let mut python = this("python");
    // The program that its tests compare with, as the tests before them build it.
    python.env("TABULEX_PROGRAM", root::root().join("target/debug/tabulex"));
    for arguments in CARGO_STEPS {
        let mut command = step::cargo();
        command.args(*arguments);
        if arguments[0] == "doc" {
            command.env("RUSTDOCFLAGS", "-D warnings");
        }
        if !timed(&format!("cargo {}", arguments.join(" ")), || step::run(&mut command))? {
            return Ok(false);
        }
    }
    for arguments in CHECKS {
        let run = || step::run(this(arguments[0]).args(&arguments[1..]));
        if !timed(&format!("cargo xtask {}", arguments.join(" ")), run)? {
            return Ok(false);
        }
    }
    let seed = seed();
    let arguments = ["--sample", "10", "--seed", &seed];
    let mut mutants = this("mutants");
    mutants.args(arguments);
    if !timed(&format!("cargo xtask mutants {}", arguments.join(" ")), || step::run(&mut mutants))?
    {
        return Ok(false);
    }
    let of_tables = ["--mutants", "--sample", "40", "--seed", &seed].to_vec();
    let documents = ["--mutants", "--documents", "../shared/documents", "--sample", "20"];
    let of_documents = [&documents[..], &["--seed", &seed]].concat();
    for arguments in [of_tables, of_documents] {
        let mut edits = this("diff");
        edits.args(&arguments);
        if !timed(&format!("cargo xtask diff {}", arguments.join(" ")), || step::run(&mut edits))? {
            return Ok(false);
        }
    }
    let mut counts = step::Counts::default();
    let mut passed = true;
    for tests in [ALL, OPTIMIZED] {
        passed &= timed(&format!("cargo test {}", tests.join(" ")), || {
            let mut command = step::cargo();
            step::run_tests(command.arg("test").args(tests).env(SEED, &seed), &mut counts)
        })?;
    }
    passed &= timed("cargo xtask python", || step::run_tests(&mut python, &mut counts))?;
    step::say(&counts.absent());
    let seconds = beginning.elapsed().as_secs();
    let step::Counts { passed: good, failed: bad, ignored, .. } = counts;
    step::say(&format!("{good} passed, {bad} failed, {ignored} ignored in {seconds} s\n"));
    // A run without a single test says nothing.
    Ok(passed && bad == 0 && good > 0)
}

/// The seed of all samples: the one that is given, or else the commit's, or the clock's where there is no commit.
fn seed() -> String {
    if let Ok(given) = std::env::var(SEED) {
        return given;
    }
    let commit = Command::new("git").args(["rev-parse", "HEAD"]).current_dir(root::root()).output();
    let commit = commit.ok().filter(|output| output.status.success());
    let commit = commit.and_then(|output| {
        let digits = String::from_utf8_lossy(&output.stdout).chars().take(7).collect::<String>();
        u64::from_str_radix(&digits, 16).ok()
    });
    let now = || SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default().as_secs();
    commit.unwrap_or_else(now).to_string()
}

/// This program with another command.
fn this(name: &str) -> Command {
    let program = std::env::current_exe().unwrap_or_else(|_| "xtask".into());
    let mut command = Command::new(program);
    command.arg(name).current_dir(root::root());
    command
}

/// Announces a step, runs it, and reports how it ended.
fn timed(name: &str, work: impl FnOnce() -> Outcome) -> Outcome {
    step::say(&format!("==> {name}\n"));
    let beginning = Instant::now();
    let passed = work()?;
    let how = if passed { "passed" } else { "FAILED" };
    step::say(&format!("<== {name}: {how} in {:.1} s\n\n", beginning.elapsed().as_secs_f64()));
    Ok(passed)
}
