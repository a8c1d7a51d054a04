//! The check `bad-references`.

use tabulex::machine;

include!("../../../spec/test_data/err/bad-references.states");

fn main() {}
