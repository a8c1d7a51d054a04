//! The check `unknown-lexeme`.

use tabulex::machine;

include!("../../../spec/test_data/err/unknown-lexeme.states");

fn main() {}
