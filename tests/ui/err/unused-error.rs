//! The check `unused-error`.
#![deny(deprecated)]

use tabulex::machine;

include!("../../../spec/test_data/err/unused-error.states");

fn main() {}
