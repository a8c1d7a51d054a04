//! The check `used-before-created`.

use tabulex::machine;

include!("../../../spec/language/test_data/err/used-before-created.states");

fn main() {}
