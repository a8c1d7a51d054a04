//! The check `missing-declaration`.

use tabulex::machine;

include!("../../../spec/test_data/err/missing-declaration.states");

fn main() {}
