//! The check `duplicate-state`.

use tabulex::machine;

include!("../../../spec/test_data/err/duplicate-state.states");

fn main() {}
