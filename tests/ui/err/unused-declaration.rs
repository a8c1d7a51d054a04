//! The check `unused-declaration`.
#![deny(deprecated)]

use tabulex::machine;

include!("../../../spec/language/test_data/err/unused-declaration.states");

fn main() {}
