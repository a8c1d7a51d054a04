//! The check `reconsume-cycle`.

use tabulex::machine;

include!("../../../spec/test_data/err/reconsume-cycle.states");

fn main() {}
