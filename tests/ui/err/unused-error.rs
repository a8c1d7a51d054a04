//! The check `unused-error`.
#![deny(unused_must_use)]

use tabulex::machine;

include!("../../../spec/language/test_data/err/unused-error.states");

fn main() {}
