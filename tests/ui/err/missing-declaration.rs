//! The check `missing-declaration`.

use tabulex::machine;

include!("../../../spec/language/test_data/err/missing-declaration.states");

fn main() {}
