//! The check `unknown-label`.

use tabulex::machine;

include!("../../../spec/language/test_data/err/unknown-label.states");

fn main() {}
