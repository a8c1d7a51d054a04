//! The check `unknown-mode`.

use tabulex::machine;

include!("../../../spec/language/test_data/err/unknown-mode.states");

fn main() {}
