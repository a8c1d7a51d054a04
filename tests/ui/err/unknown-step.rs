//! The check `unknown-step`.

use tabulex::machine;

include!("../../../spec/language/test_data/err/unknown-step.states");

fn main() {}
