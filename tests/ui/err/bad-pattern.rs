//! The check `bad-pattern`.

use tabulex::machine;

include!("../../../spec/language/test_data/err/bad-pattern.states");

fn main() {}
