//! The check `too-many`.

use tabulex::machine;

include!("../../../spec/language/test_data/err/too-many.states");

fn main() {}
