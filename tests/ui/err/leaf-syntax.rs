//! A table with wrong syntax whose names are used: only the errors of its syntax are reported.

use tabulex::machine;

machine! {
    name refused;
    // name ignored; state ignored
    start data;
    state data {
        "name wrong;" => ignore
        EOF  => emit end-of-file;
        else => emit current;
    }
}

fn main() {
    let mut tokenizer = tabulex::Tokenizer::<Refused>::new();
    tokenizer.set_state(State::Data);
}
