//! Reads standards documents into facts, and compares facts with tables. Sentences that no reader understands are
//! reported.

mod common;
pub mod compare;
pub mod document;
