//! The check `unused-names`.
#![deny(deprecated)]

use tabulex::machine;

include!("../../../spec/test_data/err/unused-names.states");

fn main() {}
