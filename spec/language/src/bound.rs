//! Binds the algorithms of tokens, which parsers implement by hand, to their steps in the built-in tables. A table with
//! other steps is rejected. `bound.list` has fingerprints of the steps; `UPDATE_EXPECT=1 cargo test -p tabulex-language
//! --test bound` writes it.

use crate::model::Machine;
use crate::syntax::{Item, Span, Table, TreeItem};
use crate::vocabulary::find;
use crate::vocabulary::token_steps::TOKEN_ROUTINES;

/// The names of algorithms, each with the fingerprint of its steps.
const LIST: &str = include_str!("bound.list");

/// An algorithm of tokens that a table contains.
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
    /// Returns the line for the algorithm in the list.
    pub fn line(&self) -> String {
        format!("{} {:08x}", self.name, self.fingerprint)
    }

    /// Whether the algorithm has the steps that parsers implement.
    pub fn has_implemented_steps(&self) -> bool {
        let line = self.line();
        LIST.lines().any(|other| other == line)
    }
}

/// Returns the algorithms of tokens that the table contains.
pub fn all(machine: &Machine, table: &Table) -> Vec<BoundAlgorithm> {
    let bound = |item: &Item| {
        let Item::Tree(TreeItem::Algorithm { name, .. }) = item else { return None };
        let steps = machine.token_steps(find(TOKEN_ROUTINES, &name.value)?);
        let fingerprint = hash(&format!("{steps:?}"));
        Some(BoundAlgorithm { name: name.value.clone(), span: name.span, fingerprint })
    };
    table.items.iter().filter_map(bound).collect()
}

/// Returns the fingerprint of the text (FNV-1a).
pub fn hash(text: &str) -> u32 {
    text.bytes().fold(0x811C_9DC5, |hash, byte| (hash ^ u32::from(byte)).wrapping_mul(0x0100_0193))
}
