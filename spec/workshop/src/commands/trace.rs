//! Every row that an input takes: short for `run --trace`.
//!
//! usage: cargo xtask trace DIALECT|FILE [INPUT|-] [OPTION...]
//!
//! The options are those of `run`: --tree for the rows of modes as well, --state, --fragment, --format json.
//!
//! example: cargo xtask trace html 'a&notit;' --tree
//!
//! Invariant: what it prints is what `run --trace` prints.

use super::run::run_traced;
use crate::Outcome;
use crate::home::Home;

/// Runs the command.
pub(super) fn run(home: &Home, parser: lexopt::Parser) -> Outcome {
    run_traced(home, parser)
}
