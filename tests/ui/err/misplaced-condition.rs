//! The check `misplaced-condition`.

use tabulex::machine;

include!("../../../spec/language/test_data/err/misplaced-condition.states");

fn main() {}
