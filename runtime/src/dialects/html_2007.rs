//! HTML 5 of November 2007: the tokenizer, as the section "Tokenisation" of that day describes it. Its tree construction
//! is not here. Invariant: everything but the entry points comes from the table `html-2007.states`.
//!
//! What text is markup and what is not hangs on the content model flag, which tree construction sets after start tags:
//!
//! ```
//! use tabulex::html_2007::{self, HostFlag, Token};
//!
//! let mut tokens = html_2007::tokens("<title>A &amp; <b></title>");
//! let mut text = String::new();
//! while let Some(token) = tokens.next() {
//!     match token {
//!         // The second of its values, RCDATA.
//!         Token::StartTag(tag) if tag.name == "title" => tokens.set_flag(HostFlag::ContentModelFlag, 1),
//!         Token::Text(piece, _) => text += &piece,
//!         _ => {}
//!     }
//! }
//! assert_eq!(text, "A & <b>");
//! ```

use crate::tokens::Tokens;
use tabulex_macros::machine;

pub use crate::tokens::{Attribute, Doctype, Tag, Token};

include!(concat!(env!("TABULEX_TABLES"), "/html-2007.states"));

/// The tokens of the input, from the data state on, in which the content model flag is PCDATA.
pub fn tokens(input: &str) -> Tokens<'_, Html2007> {
    Tokens::new(input)
}
