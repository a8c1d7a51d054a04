//! A refused table whose names are used: only the table's own mistakes are reported.

use tabulex::{Machine, Named, machine};

machine! {
    name refused;
    document "none";
    start data;
    errors eof-in-data;
    flag mode = plain | rich by host;
    state data {
        '<'  => swich tag;
        EOF  => error eof-in-data; emit end-of-file;
        else => when mode is plain { emit current; } otherwise { ignore; }
    }
    state tag {
        EOF  => reconsume; switch data;
        else => ignore;
    }
}

fn main() {
    assert_eq!(Refused::START, State::Data);
    assert_eq!(State::Tag.name(), "tag");
    let _: (ErrorCode, HostFlag) = (ErrorCode::EofInData, HostFlag::Mode);
    for token in tabulex::Tokens::<Refused>::new("<p>") {
        println!("{token:?}");
    }
}
