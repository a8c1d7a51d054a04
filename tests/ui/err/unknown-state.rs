//! The check `unknown-state`.

use tabulex::machine;

include!("../../../spec/test_data/err/unknown-state.states");

fn main() {}
