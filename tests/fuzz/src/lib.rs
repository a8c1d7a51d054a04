//! Fuzz targets: functions of bytes that panic if a property is violated that holds for every input. They are
//! deterministic. Suites test for correct tokens and trees.

pub mod campaign;
pub mod feedback;
pub mod files;
pub mod mutator;
mod parts;
pub mod targets;

pub use targets::{TARGETS, Target};
