//! The check `unknown-mode`.

use tabulex::machine;

include!("../../../spec/test_data/err/unknown-mode.states");

fn main() {}
