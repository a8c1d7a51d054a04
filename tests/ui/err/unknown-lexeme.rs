//! The check `unknown-lexeme`.

use tabulex::machine;

include!("../../../spec/language/test_data/err/unknown-lexeme.states");

fn main() {}
