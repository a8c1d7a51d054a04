//! The check `unknown-error`.

use tabulex::machine;

include!("../../../spec/language/test_data/err/unknown-error.states");

fn main() {}
