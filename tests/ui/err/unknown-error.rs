//! The check `unknown-error`.

use tabulex::machine;

include!("../../../spec/test_data/err/unknown-error.states");

fn main() {}
