//! The oracle for tests of the compiled machines: an interpreter of tables that reads one character at a time, searches
//! over inputs with the interpreter, and their results as test suites. The oracle shares no code with the compiler.

pub mod formats;
pub mod interpreter;
pub mod parallel;
pub mod search;
