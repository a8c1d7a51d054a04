//! Two tables in one module: each has its own states, by the name of the table.

use tabulex::{Machine, machine};

machine! {
    name first-table;
    document "none";
    start data;
    state data {
        EOF  => emit end-of-file;
        else => emit current;
    }
}

machine! {
    name second-table;
    document "none";
    start other;
    state other {
        EOF  => emit end-of-file;
        else => ignore;
    }
}

fn main() {
    assert_eq!(FirstTable::START, first_table::State::Data);
    assert_eq!(SecondTable::START, second_table::State::Other);
    assert_eq!(tabulex::Tokens::<FirstTable>::new("ab").count(), 1);
    assert_eq!(tabulex::Tokens::<SecondTable>::new("ab").count(), 0);
}
