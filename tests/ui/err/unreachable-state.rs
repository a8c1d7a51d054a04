//! The check `unreachable-state`.

use tabulex::machine;

include!("../../../spec/language/test_data/err/unreachable-state.states");

fn main() {}
