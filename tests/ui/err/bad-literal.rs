//! The check `bad-literal`.

use tabulex::machine;

include!("../../../spec/test_data/err/bad-literal.states");

fn main() {}
