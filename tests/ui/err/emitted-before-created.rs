//! The check `emitted-before-created`.

use tabulex::machine;

include!("../../../spec/language/test_data/err/emitted-before-created.states");

fn main() {}
