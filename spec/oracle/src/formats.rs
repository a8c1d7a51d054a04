//! Results of the interpreter in the formats of external test suites.

pub mod dat;
pub mod html5lib;
