//! The check `unused-flag`.
#![deny(deprecated)]

use tabulex::machine;

include!("../../../spec/test_data/err/unused-flag.states");

fn main() {}
