//! The check `unfollowed-steps`.

use tabulex::machine;

include!("../../../spec/language/test_data/err/unfollowed-steps.states");

fn main() {}
