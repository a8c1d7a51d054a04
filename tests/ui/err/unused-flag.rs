//! The check `unused-flag`.
#![deny(unused_must_use)]

use tabulex::machine;

include!("../../../spec/language/test_data/err/unused-flag.states");

fn main() {}
