//! The check `emitted-before-created`.

use tabulex::machine;

include!("../../../spec/test_data/err/emitted-before-created.states");

fn main() {}
