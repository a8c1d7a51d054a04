//! Fuzz targets: each is a function of bytes that panics if something does not hold which must hold of every input. What
//! the right tokens and trees are is the business of suites. Invariant: a target depends on nothing but its bytes.

pub mod campaign;
pub mod feedback;
pub mod files;
pub mod mutator;
mod parts;
pub mod targets;

pub use targets::{TARGETS, Target};
