//! The check `unknown-state`.

use tabulex::machine;

include!("../../../spec/language/test_data/err/unknown-state.states");

fn main() {}
