//! The check `unknown-base`.

use tabulex::machine;

include!("../../../spec/test_data/err/unknown-base.states");

fn main() {}
