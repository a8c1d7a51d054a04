//! The check `said-otherwise`.

use tabulex::machine;

include!("../../../spec/language/test_data/err/said-otherwise.states");

fn main() {}
