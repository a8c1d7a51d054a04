//! XML-ER: the tokenizer of XML with error recovery, 3.3, as the draft of 2012 describes it. Its tree construction is not
//! here. Invariant: everything but the entry points comes from the table `xml-er.states`.

use crate::tokens::Tokens;
use tabulex_macros::machine;

pub use crate::tokens::{Attribute, Doctype, ProcessingInstruction, Tag, Token};

include!(concat!(env!("TABULEX_TABLES"), "/xml-er.states"));

/// The tokens of the input, from the data state on. An empty tag is a start tag whose self-closing flag is set.
///
/// ```
/// use tabulex::xml_er::{self, Token};
///
/// let mut tokens = xml_er::tokens("<!DOCTYPE a [<!ENTITY who 'World'>]><a>Hello &who;</></a>");
/// assert!(matches!(tokens.next(), Some(Token::StartTag(tag)) if tag.name == "a"));
/// assert!(matches!(tokens.next(), Some(Token::Text(text, _)) if text == "Hello World"));
/// assert!(matches!(tokens.next(), Some(Token::ShortEndTag(_))));
/// ```
pub fn tokens(input: &str) -> Tokens<'_, XmlEr> {
    Tokens::new(input)
}
