//! Sky: the tokeniser of the markup language that Flutter grew out of, as its "Sky parsing" describes it. Token cleanup
//! and tree construction are not here, so that tags have all their attributes, duplicates and those of end tags
//! included. Invariant: everything but the entry points comes from the table `sky.states`.

use crate::tokens::Tokens;
use tabulex_macros::machine;

pub use crate::tokens::{Attribute, Doctype, Tag, Token};

include!(concat!(env!("TABULEX_TABLES"), "/sky.states"));

/// What the input is to be, which decides on the signature that it must begin with. An input without it is refused: it
/// has no tokens, and the one error `failed-signature`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum ParsingContext {
    /// Nothing is known: the input begins with data, without a signature.
    #[default]
    None,
    /// An application: the first line begins with `#!mojo mojo:sky`.
    Application,
    /// A module: the first line begins with `SKY MODULE`.
    Module,
}

impl ParsingContext {
    /// The answer of a sink to [`HostFlag::ParsingContext`].
    pub const fn flag(self) -> u8 {
        self as u8
    }
}

/// The tokens of the input in the parsing context.
///
/// ```
/// use tabulex::sky::{self, ParsingContext, Token};
///
/// let mut tokens = sky::tokens("SKY MODULE\n<p/>", ParsingContext::Module);
/// assert!(matches!(tokens.next(), Some(Token::StartTag(tag)) if tag.name == "p"));
/// assert!(matches!(tokens.next(), Some(Token::EndTag(tag)) if tag.name == "p"));
/// assert_eq!(tokens.next(), None);
/// assert!(tokens.is_at_end());
///
/// let mut refused = sky::tokens("<p/>", ParsingContext::Module);
/// assert_eq!(refused.next(), None);
/// assert_eq!(refused.take_errors()[0].code, sky::ErrorCode::FailedSignature);
/// ```
pub fn tokens(input: &str, context: ParsingContext) -> Tokens<'_, Sky> {
    let mut tokens = Tokens::new(input);
    tokens.set_flag(HostFlag::ParsingContext, context.flag());
    tokens
}
