//! The check `misplaced-step`.

use tabulex::machine;

include!("../../../spec/language/test_data/err/misplaced-step.states");

fn main() {}
