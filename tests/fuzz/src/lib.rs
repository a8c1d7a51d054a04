//! Fuzz targets: deterministic functions of bytes that panic if a property that must hold for every input is violated.
//! The suites, not the targets, test for correct tokens and trees.

pub mod campaign;
pub mod feedback;
pub mod files;
mod input_reader;
pub mod mutator;
pub mod targets;

pub use targets::{TARGETS, Target};
