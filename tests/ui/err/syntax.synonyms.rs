//! The messages of `spec/language/test_data/err/syntax.synonyms.states`.

use tabulex::machine;

include!("../../../spec/language/test_data/err/syntax.synonyms.states");

fn main() {}
