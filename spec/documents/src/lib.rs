//! The reading of documents: a standard's prose becomes facts, and facts are laid beside a table. It runs no machine (the
//! oracle does) and compiles none. Invariant: a sentence is read, is a remark, or is reported as unread.

mod common;
pub mod compare;
pub mod document;
