//! The check `unreachable-row`.

use tabulex::machine;

include!("../../../spec/language/test_data/err/unreachable-row.states");

fn main() {}
