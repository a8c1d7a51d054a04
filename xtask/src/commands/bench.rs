//! Speed beside the peers, in one run: `tests/bench`, which depends on them, in a release build.
//!
//! usage: cargo xtask bench [FIELD…] [--corpus FOLDER] [--rounds N]
//!
//! A FIELD is one of `html-tokens`, `html-trees`, `xml-tokens` and `xml-trees`; without one, all are run. Contestants take
//! turns in every round. Told are the medians of rates, of ratios within rounds, and how many documents come out as ours.
//!
//!   --corpus FOLDER   the documents; without it, those of the folder `shared/corpus` beside the project
//!   --rounds N        9 unless given
//!   --only TEXT       contestants whose names contain the text, and the first one
//!   --limit BYTES     no more documents than make up so many bytes, the last one cut
//!   --heap            the highest use of the heap instead, per byte of input
//!   --instructions    the instructions instead, per byte of input; valgrind counts them
//!   --passes N        one contestant, N times, without measuring: for profilers
//!
//! example: cargo xtask bench html-trees --only html5ever
//!
//! Invariant: no figure is shown of a contestant that delivers something else than it is said to.

use crate::{Outcome, step};

/// Runs the command.
pub(crate) fn run(mut parser: lexopt::Parser) -> Outcome {
    let options: Vec<_> = parser.raw_args().map_err(|error| error.to_string())?.collect();
    let mut command = step::cargo();
    command.args(["run", "--release", "--manifest-path", "tests/bench/Cargo.toml"]);
    // Counting what is on the heap takes time, so it is left out of every other build.
    if options.iter().any(|option| option == "--heap") {
        command.args(["--features", "heap"]);
    }
    command.arg("--").args(options);
    step::run(&mut command)
}
