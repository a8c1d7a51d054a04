//! The suites by other people, with their counts.
//!
//! usage: cargo xtask conformance [OPTIONS OF THE TEST RUNNER]
//!
//! Whatever follows is passed on to the test runner.
//!
//! example: cargo xtask conformance --test-threads 1
//!
//! Invariant: the status is that of the suites.

use crate::{Outcome, step};

/// Runs the command.
pub(crate) fn run(mut parser: lexopt::Parser) -> Outcome {
    let options = parser.raw_args().map_err(|error| error.to_string())?;
    let mut command = step::cargo();
    // With the features that `cargo test --workspace` builds the suites with.
    command.args(["test", "--workspace", "--test", "suites"]);
    command.args(["--", "conformance::", "--nocapture"]).args(options);
    let mut counts = step::Counts::default();
    let ended_well = step::run_tests(&mut command, &mut counts)?;
    step::say(&format!("{} passed, {} failed\n", counts.passed, counts.failed));
    Ok(ended_well)
}
