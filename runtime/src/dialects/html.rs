//! HTML as the Living Standard describes it: its tokenizer. Encodings are not here. Invariant: everything but the entry
//! points comes from the table `html.states`.

use crate::tokens::Tokens;
use tabulex_macros::machine;

pub use crate::owned::{Attribute, Doctype, ProcessingInstruction, Tag, Token};

include!(concat!(env!("TABULEX_TABLES"), "/html.states"));

/// The tokens of the input, from the data state on.
pub fn tokens(input: &str) -> Tokens<'_, Html> {
    Tokens::new(input)
}
