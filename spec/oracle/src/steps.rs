//! What the algorithms of a table make of bytes and of trees: the encoding that bytes declare, and what a tree is written as. The
//! steps are executed where all are (`interpreter`). Invariant: what is not said by a step is not done.

pub use crate::interpreter::tree::{Declared, prescan, serialize};
