//! The check `return-state-not-set`.

use tabulex::machine;

include!("../../../spec/language/test_data/err/return-state-not-set.states");

fn main() {}
