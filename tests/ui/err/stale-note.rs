//! The check `stale-note`.
#![deny(deprecated)]

use tabulex::machine;

include!("../../../spec/language/test_data/err/stale-note.states");

fn main() {}
