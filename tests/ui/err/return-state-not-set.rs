//! The check `return-state-not-set`.

use tabulex::machine;

include!("../../../spec/test_data/err/return-state-not-set.states");

fn main() {}
