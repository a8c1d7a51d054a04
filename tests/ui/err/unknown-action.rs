//! The check `unknown-action`.

use tabulex::machine;

include!("../../../spec/test_data/err/unknown-action.states");

fn main() {}
