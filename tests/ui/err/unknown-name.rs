//! The check `unknown-name`.

use tabulex::machine;

include!("../../../spec/language/test_data/err/unknown-name.states");

fn main() {}
