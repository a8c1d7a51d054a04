//! The check `missing-eof`.

use tabulex::machine;

include!("../../../spec/test_data/err/missing-eof.states");

fn main() {}
