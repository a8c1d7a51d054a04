//! The check `unused-names`.
#![deny(deprecated)]

use tabulex::machine;

include!("../../../spec/language/test_data/err/unused-names.states");

fn main() {}
