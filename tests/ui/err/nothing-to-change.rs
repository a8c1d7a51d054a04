//! The check `nothing-to-change`.

use tabulex::machine;

include!("../../../spec/language/test_data/err/nothing-to-change.states");

fn main() {}
