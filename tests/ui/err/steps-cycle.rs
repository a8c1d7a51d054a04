//! The check `steps-cycle`.

use tabulex::machine;

include!("../../../spec/test_data/err/steps-cycle.states");

fn main() {}
