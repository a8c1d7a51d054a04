//! The check `unused-steps`.
#![deny(unused_must_use)]

use tabulex::machine;

include!("../../../spec/language/test_data/err/unused-steps.states");

fn main() {}
