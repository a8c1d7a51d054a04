//! Which rows made what stands at one place of an input: the token, the attribute, the nodes, the errors.
//!
//! usage: cargo xtask explain DIALECT|FILE [INPUT|-] --at PLACE [OPTION...]
//!
//!   --at PLACE             a byte offset, or LINE:COLUMN, both from 1, the column in characters
//!   --tree                 with tree construction; without --state and --last-start-tag that is so where the table has modes
//!   --file, --state, --last-start-tag, --fragment, --flag, --scripting   as those of `run`
//!   --format text|json     text for people; or one JSON value
//!
//! INPUT is the text itself; `-`, or none, is standard input. Each row comes with file and line, section and anchor; what
//! happened at all other places is what `run --trace` shows.
//!
//! example: cargo xtask explain html 'a &amp; b' --at 1:3
//!
//! Invariant: what is said to have made something was taken in a run of this input.

use super::run::explained::explain;
use crate::Outcome;
use crate::home::Home;

/// Runs the command.
pub(super) fn run(home: &Home, parser: lexopt::Parser) -> Outcome {
    explain(home, parser)
}
