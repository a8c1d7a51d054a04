//! MicroXML with error recovery: the tokenization phase of the document as of December 2012. Its tree building is not here.
//! Invariant: everything but the entry points comes from the table `microxml-2012-12.states`.

use crate::tokens::Tokens;
use tabulex_macros::machine;

pub use crate::tokens::{Attribute, Doctype, Tag, Token};

include!(concat!(env!("TABULEX_TABLES"), "/microxml-2012-12.states"));

/// The tokens of the input, from the main mode on.
pub fn tokens(input: &str) -> Tokens<'_, Microxml201212> {
    Tokens::new(input)
}
