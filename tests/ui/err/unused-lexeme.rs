//! The check `unused-lexeme`.
#![deny(unused_must_use)]

use tabulex::machine;

include!("../../../spec/language/test_data/err/unused-lexeme.states");

fn main() {}
