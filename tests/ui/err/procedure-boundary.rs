//! The check `procedure-boundary`.

use tabulex::machine;

include!("../../../spec/language/test_data/err/procedure-boundary.states");

fn main() {}
