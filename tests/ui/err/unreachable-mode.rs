//! The check `unreachable-mode`.

use tabulex::machine;

include!("../../../spec/language/test_data/err/unreachable-mode.states");

fn main() {}
