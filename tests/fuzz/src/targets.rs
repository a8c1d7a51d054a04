//! The fuzz targets, one per file. The references for comparison are in `tabulex-tests`.

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
mod urls;

use tabulex_tests::random::Random;

/// A fuzz target: properties that every input must have, and a generator of inputs.
#[derive(Debug)]
pub struct Target {
    /// Name of the target.
    pub name: &'static str,
    /// Description of the properties that the target checks.
    pub about: &'static str,
    /// Number of leading input bytes that are choices, such as the dialect.
    pub choices: usize,
    /// Generates a piece of the grammar from which inputs are composed.
    pub piece: fn(&mut Random) -> Vec<u8>,
    /// Runs an input; panics if a property is violated.
    pub run: fn(&[u8]),
}

/// All fuzz targets.
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
    urls::TARGET,
];
