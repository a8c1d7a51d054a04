//! The check `unknown-condition`.

use tabulex::machine;

include!("../../../spec/test_data/err/unknown-condition.states");

fn main() {}
