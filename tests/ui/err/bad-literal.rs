//! The check `bad-literal`.

use tabulex::machine;

include!("../../../spec/language/test_data/err/bad-literal.states");

fn main() {}
