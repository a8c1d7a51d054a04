//! The check `unused-steps`.
#![deny(deprecated)]

use tabulex::machine;

include!("../../../spec/language/test_data/err/unused-steps.states");

fn main() {}
