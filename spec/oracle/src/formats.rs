//! Formats results of the interpreter like html5lib's test suites.

pub mod dat;
pub mod html5lib;
