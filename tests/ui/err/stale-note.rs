//! The check `stale-note`.
#![deny(unused_must_use)]

use tabulex::machine;

include!("../../../spec/language/test_data/err/stale-note.states");

fn main() {}
