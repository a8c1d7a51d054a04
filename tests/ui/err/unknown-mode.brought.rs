//! The messages of `spec/language/test_data/err/unknown-mode.brought.states`.

use tabulex::machine;

include!("../../../spec/language/test_data/err/unknown-mode.brought.states");

fn main() {}
