//! The messages of `spec/language/test_data/err/syntax.base.states`.

use tabulex::machine;

include!("../../../spec/language/test_data/err/syntax.base.states");

fn main() {}
