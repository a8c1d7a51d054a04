//! The commands, one file each. They share what is beside this file, and nothing among themselves. Invariant: a command
//! that is not in the list of `main` is no command.

pub(crate) mod adopters;
pub(crate) mod bench;
pub(crate) mod campaign;
pub(crate) mod ci;
pub(crate) mod conformance;
pub(crate) mod diff;
pub(crate) mod differences;
pub(crate) mod expand;
pub(crate) mod explore;
pub(crate) mod features;
pub(crate) mod fuzz;
pub(crate) mod history;
pub(crate) mod ledger;
pub(crate) mod mutants;
pub(crate) mod package;
pub(crate) mod python;
pub(crate) mod semver;
pub(crate) mod sizes;
pub(crate) mod suites;
pub(crate) mod survivors;
pub(crate) mod tidy;
pub(crate) mod trust;
pub(crate) mod variants;
pub(crate) mod wasm;
