//! The check `reprocess-cycle`.

use tabulex::machine;

include!("../../../spec/language/test_data/err/reprocess-cycle.states");

fn main() {}
