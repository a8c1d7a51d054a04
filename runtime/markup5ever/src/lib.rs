#![doc = include_str!("../README.md")]
//!
//! It makes no tree itself, and parses nothing but by `tabulex`. Invariant: what a sink is told is what `html5ever` tells
//! it, but for what the list above names.

mod bridge;
mod driver;
mod lines;
mod names;

pub use bridge::Bridge;
pub use driver::{
    Parser, parse_document, parse_document_with, parse_fragment, parse_fragment_for_element,
    parse_fragment_with,
};
pub use html5ever;
pub use html5ever::ParseOpts;
