//! The check `condition-after-action`.

use tabulex::machine;

include!("../../../spec/language/test_data/err/condition-after-action.states");

fn main() {}
