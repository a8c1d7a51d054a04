//! The check `unused-class`.
#![deny(deprecated)]

use tabulex::machine;

include!("../../../spec/test_data/err/unused-class.states");

fn main() {}
