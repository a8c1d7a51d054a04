//! The check `overlapping-rows`.

use tabulex::machine;

include!("../../../spec/language/test_data/err/overlapping-rows.states");

fn main() {}
