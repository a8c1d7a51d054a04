//! The check `unused-flag`.
#![deny(deprecated)]

use tabulex::machine;

include!("../../../spec/language/test_data/err/unused-flag.states");

fn main() {}
