//! The check `unused-declaration`.
#![deny(unused_must_use)]

use tabulex::machine;

include!("../../../spec/language/test_data/err/unused-declaration.states");

fn main() {}
