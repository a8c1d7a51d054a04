//! Inputs found by search over the interpreter: the shortest one for each row of a machine, and those on which two
//! machines do different things. It lays no rows side by side (`compare` does), and proves nothing about inputs beyond
//! its bound. Invariant: an input that is reported was run, and of two that do the same the shorter one is reported.

#![deny(clippy::wildcard_enum_match_arm)]

mod describe;
mod differences;
mod living;
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
    Difference, Differences, Errors, differences, differences_after, each_difference,
};
pub use probe::{Outcome, Start};
pub use suites::{Suite, token_suite, tree_suite};
pub use tree_differences::{TreeDifference, each_tree_difference, each_tree_difference_after};
pub use tree_witnesses::{TreeWitness, TreeWitnesses, tree_starts, tree_witnesses};
pub use walk::Reached;
pub use witnesses::{Witness, Witnesses, witnesses};

use std::time::Instant;

/// How far a search goes.
#[derive(Clone, Copy, Debug)]
pub struct Bound {
    /// How many configurations of the machine are gone on from.
    pub configurations: usize,
    /// The longest input in characters.
    pub length: usize,
    /// When the search ends, whatever is left.
    pub until: Option<Instant>,
}

impl Default for Bound {
    fn default() -> Self {
        Self { configurations: 40_000, length: 60, until: None }
    }
}
