//! The check `conflicting-declaration`.

use tabulex::machine;

include!("../../../spec/language/test_data/err/conflicting-declaration.states");

fn main() {}
