//! Runs a table's algorithms on bytes and trees in the interpreter: the prescan for an encoding, and serialization.

pub use crate::interpreter::tree::{LabelLookup, prescan, serialize};
