//! The check `unmatchable-lexeme`.

use tabulex::machine;

include!("../../../spec/language/test_data/err/unmatchable-lexeme.states");

fn main() {}
