//! HTML of 2013: the tokenizer of HTML, 12.2.4, as the document of that year describes it. Its tree construction is not
//! here. Invariant: everything but the entry points comes from the table `html-2013.states`.

use crate::tokens::Tokens;
use tabulex_macros::machine;

pub use crate::tokens::{Attribute, Doctype, Tag, Token};

include!(concat!(env!("TABULEX_TABLES"), "/html-2013.states"));

/// The tokens of the input, from the data state on.
pub fn tokens(input: &str) -> Tokens<'_, Html2013> {
    Tokens::new(input)
}
