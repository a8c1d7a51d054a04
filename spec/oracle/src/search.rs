//! Searches over inputs for the shortest one that reaches each row of a machine, and for those on which two machines
//! behave differently. Every reported input has been run. A result holds beyond the bound only where documented.

#![deny(clippy::wildcard_enum_match_arm)]

mod differences;
mod liveness;
mod pieces;
mod probe;
mod successors;
mod suites;
mod tree_differences;
mod tree_pieces;
mod tree_witnesses;
mod walk;
mod witnesses;

pub use differences::{Difference, Differences, Errors, differences, for_each_difference};
pub use probe::{Outcome, Record, Start, run};
pub use suites::{Suite, token_suite, tree_suite};
pub use tree_differences::for_each_tree_difference;
pub use tree_witnesses::{TreeWitness, tree_starts, tree_witnesses};
pub use walk::SearchExtent;
pub use witnesses::{Witness, Witnesses, witnesses};

use crate::interpreter::Span;
use std::time::Instant;
use tabulex_language::model::ErrorCode;

/// The limits of a search.
#[derive(Clone, Copy, Debug)]
pub struct Bound {
    /// Maximum number of configurations to expand.
    pub configurations: usize,
    /// Maximum length of an input: in characters, or in pieces for searches that say so.
    pub length: usize,
    /// Time at which the search ends; `None` for no limit.
    pub until: Option<Instant>,
}

impl Default for Bound {
    fn default() -> Self {
        Self { configurations: 40_000, length: 60, until: None }
    }
}

/// Gives each unnamed error the code of the other run's error at its place, so that the codes of two runs can be
/// compared.
pub fn name_errors(errors: &mut [(String, Span)], other: &[(String, Span)]) {
    let mut unpaired: Vec<&(String, Span)> = other.iter().collect();
    for (code, span) in errors {
        let is_pair = |(name, place): &(String, Span)| {
            place == span && (name == code || code == ErrorCode::UNNAMED)
        };
        if let Some(at) = unpaired.iter().position(|one| is_pair(one)) {
            code.clone_from(&unpaired.remove(at).0);
        }
    }
}
