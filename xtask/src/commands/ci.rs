//! Runs the steps of CI up to the first failure.
//!
//! usage: cargo xtask ci
//!
//! The steps are formatting, clippy, documentation, formatting and checks of tables, licenses (cargo-deny, if it is
//! installed), tables against documents, a sample of changed tables and of edited documents, all tests, and the Python
//! package. Samples have fixed seeds, so that two runs of one commit agree; `cargo xtask campaign` takes fresh ones and
//! runs everything in full.
//!
//! The command line of each step is printed before it, and its time after it. At the end, missing suites are listed
//! with the way to get them, and the last line counts the tests: `N passed, M failed, K ignored in S s`.
//!
//! example: cargo xtask ci

use super::{diff, mutants, python, variants};
use crate::{Outcome, root, step};
use std::ffi::OsString;
use std::process::Command;
use std::time::Instant;
use tabulex_workshop::arguments::Arguments;

/// Arguments of the cargo commands before the tests.
const CARGO_STEPS: &[&[&str]] = &[
    &["fmt", "--all", "--", "--check"],
    &["clippy", "--workspace", "--all-targets", "--all-features", "--", "-D", "warnings"],
    &["doc", "--workspace", "--no-deps", "--all-features"],
    &["xtask", "fmt", "--check"],
    &["xtask", "check"],
];

/// An xtask command: its name, its function, and the options to run it with.
type Check = (&'static str, fn(Vec<OsString>) -> Outcome, &'static [&'static str]);

/// Commands before the tests: the comparison with documents, and samples of edits.
const CHECKS: &[Check] = &[
    ("diff", diff::run, &[]),
    ("campaign variants", variants::run, &["--listed", "--count", "3", "--inputs", "2000"]),
    ("campaign mutants", mutants::run, &["--sample", "40"]),
    ("campaign mutants", mutants::run, &["--documents", "../shared/documents", "--sample", "5"]),
];

/// Arguments of `cargo test` for the test of deep trees on a small stack, which needs optimized code.
pub(super) const DEPTH_TEST_ARGUMENTS: &[&str] = &[
    "--release",
    "--package",
    "tabulex",
    "--no-default-features",
    "--features",
    "html,microxml,microxml-2012-12,sky,xml,xml-er",
    "--test",
    "parse_depth",
];

/// Arguments of `cargo test` for all tests; long ones take samples.
const TEST_ARGUMENTS: &[&str] = &["--workspace", "--no-fail-fast"];

/// Runs `cargo xtask ci`.
pub(crate) fn run(arguments: Vec<OsString>) -> Outcome {
    Arguments::parse(arguments, &[], 0)?;
    let start = Instant::now();
    // The path of this program is determined before the tests, which may replace its file by rebuilding it.
    let mut python = own_command("python");
    // The Python tests compare their results with those of `tabulex`, which the tests before them build.
    python.env("TABULEX_PROGRAM", root::root().join("target/debug/tabulex"));
    for arguments in CARGO_STEPS {
        let mut command = step::cargo();
        command.args(*arguments);
        if arguments[0] == "doc" {
            command.env("RUSTDOCFLAGS", "-D warnings");
        }
        if !run_timed(&format!("cargo {}", arguments.join(" ")), || step::run(&mut command))? {
            return Ok(false);
        }
    }
    if !run_timed("cargo deny", || python::check_licenses(""))? {
        return Ok(false);
    }
    for (name, run, options) in CHECKS {
        let check = || run(options.iter().map(OsString::from).collect());
        if !run_timed(&format!("cargo xtask {name} {}", options.join(" ")), check)? {
            return Ok(false);
        }
    }
    let mut counts = step::Counts::default();
    let mut passed = true;
    for tests in [TEST_ARGUMENTS, DEPTH_TEST_ARGUMENTS] {
        passed &= run_timed(&format!("cargo test {}", tests.join(" ")), || {
            let mut command = step::cargo();
            step::run_tests(command.arg("test").args(tests), &mut counts)
        })?;
    }
    passed &= run_timed("cargo xtask python", || step::run_tests(&mut python, &mut counts))?;
    step::say(&counts.absent());
    let seconds = start.elapsed().as_secs();
    let step::Counts { passed: good, failed: bad, ignored, .. } = counts;
    step::say(&format!("{good} passed, {bad} failed, {ignored} ignored in {seconds} s\n"));
    // If no test passed, the tests were not found, which counts as a failure.
    Ok(passed && bad == 0 && good > 0)
}

/// Returns a process that runs the command `name` of this program in the root folder.
fn own_command(name: &str) -> Command {
    let program = std::env::current_exe().unwrap_or_else(|_| "xtask".into());
    let mut command = Command::new(program);
    command.arg(name).current_dir(root::root());
    command
}

/// Announces a step, runs it, and reports its outcome.
fn run_timed(name: &str, work: impl FnOnce() -> Outcome) -> Outcome {
    step::say(&format!("==> {name}\n"));
    let start = Instant::now();
    let passed = work()?;
    let verdict = if passed { "passed" } else { "FAILED" };
    step::say(&format!("<== {name}: {verdict} in {:.1} s\n\n", start.elapsed().as_secs_f64()));
    Ok(passed)
}
