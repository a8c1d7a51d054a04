//! The check `condition-after-action`.

use tabulex::machine;

include!("../../../spec/test_data/err/condition-after-action.states");

fn main() {}
