//! The check `steps-cycle`.

use tabulex::machine;

include!("../../../spec/language/test_data/err/steps-cycle.states");

fn main() {}
