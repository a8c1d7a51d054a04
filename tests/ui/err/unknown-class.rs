//! The check `unknown-class`.

use tabulex::machine;

include!("../../../spec/language/test_data/err/unknown-class.states");

fn main() {}
