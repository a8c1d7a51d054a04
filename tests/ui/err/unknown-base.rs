//! The check `unknown-base`.

use tabulex::machine;

include!("../../../spec/language/test_data/err/unknown-base.states");

fn main() {}
