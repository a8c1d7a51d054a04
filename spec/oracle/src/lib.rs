//! The oracle: an interpreter of tables that reads one character at a time, searches based on it, and their results as
//! test suites. It shares no code with the compiler, and need not be fast.

pub mod formats;
pub mod interpreter;
pub mod search;
pub mod steps;
