//! The check `duplicate-name`.

use tabulex::machine;

include!("../../../spec/test_data/err/duplicate-name.states");

fn main() {}
