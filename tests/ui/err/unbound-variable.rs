//! The check `unbound-variable`.

use tabulex::machine;

include!("../../../spec/language/test_data/err/unbound-variable.states");

fn main() {}
