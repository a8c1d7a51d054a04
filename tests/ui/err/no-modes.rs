//! Builds trees with a table that has no modes.

use tabulex::machine;

machine! {
    name two;
    document "none";
    start data;
    state data {
        EOF  => emit end-of-file;
        else => emit current;
    }
}

fn main() {
    let _ = tabulex::parse::<Two>("a", &tabulex::Options::default());
}
