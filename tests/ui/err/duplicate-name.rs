//! The check `duplicate-name`.

use tabulex::machine;

include!("../../../spec/language/test_data/err/duplicate-name.states");

fn main() {}
