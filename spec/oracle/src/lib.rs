//! The oracle: the interpreter of tables, one character at a time, searches that run it,
//! and what they find as suites. It shares no code with the
//! compiler and may be slow. Invariant: it reads the rows as they are; whatever it does, a row says.

pub mod formats;
pub mod interpreter;
pub mod search;
pub mod steps;
