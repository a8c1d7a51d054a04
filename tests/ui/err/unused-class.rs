//! The check `unused-class`.
#![deny(deprecated)]

use tabulex::machine;

include!("../../../spec/language/test_data/err/unused-class.states");

fn main() {}
