//! The check `syntax`.

use tabulex::machine;

include!("../../../spec/language/test_data/err/syntax.states");

fn main() {}
