//! A table without a name is taken to be called like its file, so that the code that uses it brings no mistakes.

use tabulex::machine;

include!("table/no-name.states");

fn main() {
    let _ = tabulex::Tokens::<NoName>::new("");
}
