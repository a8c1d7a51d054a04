//! The check `wrong-kind`.

use tabulex::machine;

include!("../../../spec/language/test_data/err/wrong-kind.states");

fn main() {}
