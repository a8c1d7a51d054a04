//! The check `unused-lexeme`.
#![deny(deprecated)]

use tabulex::machine;

include!("../../../spec/language/test_data/err/unused-lexeme.states");

fn main() {}
