//! The check `rare-name`.

use tabulex::machine;

include!("../../../spec/language/test_data/err/rare-name.states");

fn main() {}
