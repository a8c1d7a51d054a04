//! The check `bad-references`.

use tabulex::machine;

include!("../../../spec/language/test_data/err/bad-references.states");

fn main() {}
