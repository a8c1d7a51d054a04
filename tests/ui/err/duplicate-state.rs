//! The check `duplicate-state`.

use tabulex::machine;

include!("../../../spec/language/test_data/err/duplicate-state.states");

fn main() {}
