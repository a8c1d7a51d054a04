//! The check `unused-names`.
#![deny(unused_must_use)]

use tabulex::machine;

include!("../../../spec/language/test_data/err/unused-names.states");

fn main() {}
