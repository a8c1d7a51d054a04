//! The check `unreachable-row`.

use tabulex::machine;

include!("../../../spec/test_data/err/unreachable-row.states");

fn main() {}
