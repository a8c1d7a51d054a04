//! The check `unmatchable-lexeme`.

use tabulex::machine;

include!("../../../spec/test_data/err/unmatchable-lexeme.states");

fn main() {}
