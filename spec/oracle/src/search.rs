//! Searches over inputs: the shortest input for each row of a machine, and inputs on which two machines behave
//! differently. Every reported input has been run. Nothing is proven about inputs beyond the bound, except where
//! stated.

#![deny(clippy::wildcard_enum_match_arm)]

mod describe;
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

pub use differences::{
    Difference, Differences, Errors, differences, differences_after, for_each_difference,
};
pub use probe::{Outcome, Record, Start, run};
pub use suites::{Suite, token_suite, tree_suite};
pub use tree_differences::{
    TreeDifference, for_each_tree_difference, for_each_tree_difference_after,
};
pub use tree_witnesses::{TreeWitness, TreeWitnesses, tree_starts, tree_witnesses};
pub use walk::SearchExtent;
pub use witnesses::{Witness, Witnesses, witnesses};

use std::time::Instant;

/// The bound of a search.
#[derive(Clone, Copy, Debug)]
pub struct Bound {
    /// Maximum number of configurations to expand.
    pub configurations: usize,
    /// Maximum length of an input in characters.
    pub length: usize,
    /// Time at which the search ends.
    pub until: Option<Instant>,
}

impl Default for Bound {
    fn default() -> Self {
        Self { configurations: 40_000, length: 60, until: None }
    }
}
