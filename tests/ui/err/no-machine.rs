//! A machine is wanted, and the type is none.

struct Two;

fn states_of<M: tabulex::Machine>() {}

fn main() {
    states_of::<Two>();
}
