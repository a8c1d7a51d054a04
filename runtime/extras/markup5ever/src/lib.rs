#![doc = include_str!("../README.md")]
//!
//! The sink receives the calls that `html5ever` makes, except as listed above.

mod bridge;
mod driver;
mod lines;
mod names;
mod parents;

pub use bridge::Bridge;
pub use driver::{
    Parser, parse_document, parse_document_with, parse_fragment, parse_fragment_for_element,
    parse_fragment_with,
};
pub use html5ever;
pub use html5ever::ParseOpts;
