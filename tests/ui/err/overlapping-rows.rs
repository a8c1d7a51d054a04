//! The check `overlapping-rows`.

use tabulex::machine;

include!("../../../spec/test_data/err/overlapping-rows.states");

fn main() {}
