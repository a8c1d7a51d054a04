//! Binds the algorithms of tokens, which parsers implement by hand, to their steps in the built-in tables. A table with
//! other steps is rejected. `bound.list` has fingerprints of the steps; `UPDATE_EXPECT=1 cargo test -p tabulex-language
//! --test bound` writes it.

use crate::model::Machine;
use crate::syntax::{Item, Span, Table, TreeItem};
use crate::vocabulary::find;
use crate::vocabulary::token_steps::TOKEN_ROUTINES;

/// The algorithms that parsers implement by hand, one per line: the name, and the fingerprint of the steps.
const FINGERPRINT_LIST: &str = include_str!("bound.list");

/// An algorithm on tokens that a table contains and parsers implement by hand.
#[derive(Clone, Debug)]
pub struct BoundAlgorithm {
    /// Name of the algorithm.
    pub name: String,
    /// Span of the name.
    pub span: Span,
    /// Fingerprint of the algorithm's steps.
    fingerprint: u32,
}

impl BoundAlgorithm {
    /// Returns the line of `bound.list` for the algorithm: its name and fingerprint.
    pub fn line(&self) -> String {
        format!("{} {:08x}", self.name, self.fingerprint)
    }

    /// Whether the algorithm has the steps that parsers implement.
    pub fn has_implemented_steps(&self) -> bool {
        let line = self.line();
        FINGERPRINT_LIST.lines().any(|other| other == line)
    }
}

/// Returns the algorithms on tokens that the table contains.
pub fn all(machine: &Machine, table: &Table) -> Vec<BoundAlgorithm> {
    let bound_algorithm = |item: &Item| {
        let Item::Tree(TreeItem::Algorithm { name, .. }) = item else { return None };
        let steps = machine.token_steps(find(TOKEN_ROUTINES, &name.value)?);
        let fingerprint = hash(&format!("{steps:?}"));
        Some(BoundAlgorithm { name: name.value.clone(), span: name.span, fingerprint })
    };
    table.items.iter().filter_map(bound_algorithm).collect()
}

/// Returns the FNV-1a hash of the text, which serves as its fingerprint.
pub fn hash(text: &str) -> u32 {
    text.bytes().fold(0x811C_9DC5, |hash, byte| (hash ^ u32::from(byte)).wrapping_mul(0x0100_0193))
}
