//! The check `dangling-end`.

use tabulex::machine;

include!("../../../spec/language/test_data/err/dangling-end.states");

fn main() {}
