//! The check `unknown-class`.

use tabulex::machine;

include!("../../../spec/test_data/err/unknown-class.states");

fn main() {}
