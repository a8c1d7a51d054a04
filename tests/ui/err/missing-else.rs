//! The check `missing-else`.

use tabulex::machine;

include!("../../../spec/language/test_data/err/missing-else.states");

fn main() {}
