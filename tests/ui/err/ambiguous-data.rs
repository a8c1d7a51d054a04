//! The check `ambiguous-data`.

use tabulex::machine;

include!("../../../spec/language/test_data/err/ambiguous-data.states");

fn main() {}
