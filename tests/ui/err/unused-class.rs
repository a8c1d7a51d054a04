//! The check `unused-class`.
#![deny(unused_must_use)]

use tabulex::machine;

include!("../../../spec/language/test_data/err/unused-class.states");

fn main() {}
