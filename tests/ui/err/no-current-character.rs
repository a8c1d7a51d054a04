//! The check `no-current-character`.

use tabulex::machine;

include!("../../../spec/language/test_data/err/no-current-character.states");

fn main() {}
