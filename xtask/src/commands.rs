//! The commands of the package, and the parts of the command `campaign` that are not cargo tests, one file each.

mod adopters;
pub(crate) mod bench;
pub(crate) mod campaign;
pub(crate) mod ci;
pub(crate) mod diff;
pub(crate) mod differences;
pub(crate) mod expand;
pub(crate) mod explore;
mod history;
mod ledger;
mod mutants;
pub(crate) mod package;
pub(crate) mod python;
mod variants;
mod wasm;
