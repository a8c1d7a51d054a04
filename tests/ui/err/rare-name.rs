//! The check `rare-name`.

#![deny(unused_must_use)]

use tabulex::machine;

include!("../../../spec/language/test_data/err/rare-name.states");

fn main() {}
