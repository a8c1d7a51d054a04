//! The check `missing-eof`.

use tabulex::machine;

include!("../../../spec/language/test_data/err/missing-eof.states");

fn main() {}
