//! The check `unknown-flag`.

use tabulex::machine;

include!("../../../spec/language/test_data/err/unknown-flag.states");

fn main() {}
