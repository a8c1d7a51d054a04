//! Compares tables with the documents that they were written from, and lists with their accepted form.

mod comparison;
mod inputs;
mod project;
mod proposals;
mod report;

pub use comparison::{Options, Side, changes, empty_table, parts, run};
pub use project::{Project, Text};
