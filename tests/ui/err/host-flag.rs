//! The check `host-flag`.

use tabulex::machine;

include!("../../../spec/language/test_data/err/host-flag.states");

fn main() {}
