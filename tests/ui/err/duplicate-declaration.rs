//! The check `duplicate-declaration`.

use tabulex::machine;

include!("../../../spec/language/test_data/err/duplicate-declaration.states");

fn main() {}
