//! Several mistakes at once: all are reported in one build, a warning among them.

use tabulex::machine;

include!("../../../spec/language/test_data/err/several.states");

fn main() {}
