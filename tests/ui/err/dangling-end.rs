//! The check `dangling-end`.

use tabulex::machine;

include!("../../../spec/test_data/err/dangling-end.states");

fn main() {}
