//! The check `syntax`.

use tabulex::machine;

include!("../../../spec/test_data/err/syntax.states");

fn main() {}
