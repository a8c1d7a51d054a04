//! The check `stale-note`.
#![deny(deprecated)]

use tabulex::machine;

include!("../../../spec/test_data/err/stale-note.states");

fn main() {}
