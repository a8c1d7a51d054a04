//! The check `unused-error`.
#![deny(deprecated)]

use tabulex::machine;

include!("../../../spec/language/test_data/err/unused-error.states");

fn main() {}
