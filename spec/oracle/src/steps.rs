//! Execution of a table's algorithms on bytes and trees: the prescan for an encoding, and serialization. The steps run
//! in `interpreter`.

pub use crate::interpreter::tree::{LabelLookup, prescan, serialize};
