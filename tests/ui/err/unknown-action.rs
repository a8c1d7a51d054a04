//! The check `unknown-action`.

use tabulex::machine;

include!("../../../spec/language/test_data/err/unknown-action.states");

fn main() {}
