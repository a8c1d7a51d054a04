//! The check `reconsume-cycle`.

use tabulex::machine;

include!("../../../spec/language/test_data/err/reconsume-cycle.states");

fn main() {}
