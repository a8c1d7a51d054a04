//! The check `unknown-name`.

use tabulex::machine;

include!("../../../spec/test_data/err/unknown-name.states");

fn main() {}
