//! The check `ambiguous-data`.

use tabulex::machine;

include!("../../../spec/test_data/err/ambiguous-data.states");

fn main() {}
