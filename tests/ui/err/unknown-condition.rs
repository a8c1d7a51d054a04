//! The check `unknown-condition`.

use tabulex::machine;

include!("../../../spec/language/test_data/err/unknown-condition.states");

fn main() {}
