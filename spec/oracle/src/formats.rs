//! What the interpreter makes of inputs, in the formats of other people's suites. It searches no inputs. Invariant: whoever
//! reads such a format can read what is written here.

pub mod dat;
pub mod html5lib;
