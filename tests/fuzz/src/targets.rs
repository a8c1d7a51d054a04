//! The targets. What they compare with is in `tabulex-tests`. Invariant: a target is one function of bytes, and its asserts
//! are all in its file.

mod batch;
mod bytes;
mod documents;
mod edits;
mod entities;
mod foreign;
mod fragments;
mod language;
mod mutation;
mod rewrite;
mod sanitize;
mod select;
mod serialize;
mod streaming;
mod tokens;
mod trees;

use tabulex_tests::random::Random;

/// A target.
#[derive(Debug)]
pub struct Target {
    /// Its name.
    pub name: &'static str,
    /// What it looks at.
    pub about: &'static str,
    /// How many bytes at the front of an input are choices, such as the dialect.
    pub choices: usize,
    /// A piece of the grammar that inputs are made of.
    pub piece: fn(&mut Random) -> Vec<u8>,
    /// Runs an input, and panics if something does not hold.
    pub run: fn(&[u8]),
}

/// All targets.
pub const TARGETS: &[Target] = &[
    tokens::TARGET,
    trees::TARGET,
    fragments::TARGET,
    bytes::TARGET,
    streaming::TARGET,
    entities::TARGET,
    serialize::TARGET,
    mutation::TARGET,
    foreign::TARGET,
    select::TARGET,
    edits::TARGET,
    rewrite::TARGET,
    sanitize::TARGET,
    language::TARGET,
    documents::TARGET,
    batch::TARGET,
];
