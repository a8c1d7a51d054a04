//! The check `unknown-subject`.

use tabulex::machine;

include!("../../../spec/language/test_data/err/unknown-subject.states");

fn main() {}
