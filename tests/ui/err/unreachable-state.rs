//! The check `unreachable-state`.

use tabulex::machine;

include!("../../../spec/test_data/err/unreachable-state.states");

fn main() {}
