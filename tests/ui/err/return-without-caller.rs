//! The check `return-without-caller`.

use tabulex::machine;

include!("../../../spec/language/test_data/err/return-without-caller.states");

fn main() {}
