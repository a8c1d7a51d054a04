//! Fuzz targets: functions of bytes that panic if a property is violated that holds for every input. They are
//! deterministic. Suites test for correct tokens and trees.

pub mod campaign;
pub mod feedback;
pub mod files;
mod input_reader;
pub mod mutator;
pub mod targets;

pub use targets::{TARGETS, Target};
