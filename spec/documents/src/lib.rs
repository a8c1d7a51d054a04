//! Reads standards documents: their prose becomes facts, which are compared with tables. Sentences that no reader
//! understands are reported.

mod common;
pub mod compare;
pub mod document;
