//! XML-ER: XML with error recovery, as the draft of 2012 describes it. Invariant: everything but the entry points comes
//! from the table `xml-er.states`.

// On docs.rs each item shows the feature that it needs.
#![cfg_attr(docsrs, feature(doc_cfg))]

// Generated code says `::tabulex`, wherever it is.
extern crate tabulex_core as tabulex;

use tabulex_core::Tokens;
use tabulex_core::{Options, Parsed};

pub use tabulex_core::owned::{Attribute, Doctype, ProcessingInstruction, Tag, Token};

// The published archive has the expansion in a file of this name.
mod machine {
    use tabulex_macros::machine;

    include!("../../../../spec/tables/xml-er.states");
}

pub use machine::*;

#[cfg(feature = "value")]
/// This dialect as a value.
pub static DIALECT: tabulex_core::Dialect = <XmlEr as tabulex_core::Machine>::DIALECT;

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

/// The tree of the input.
///
/// ```
/// use tabulex::{Options, xml_er};
///
/// let parsed = xml_er::parse("<a xmlns:p='q'><p:b/>x</>", Options::new());
/// assert_eq!(parsed.tree.root().to_xml(), "<a xmlns:p=\"q\"><p:b/>x</a>");
/// let b = parsed.tree.document_element().unwrap().first_child().unwrap();
/// assert_eq!(b.name().unwrap().namespace_str(), "q");
/// ```
pub fn parse(input: &str, options: Options) -> Parsed {
    tabulex_core::parse::<XmlEr>(input, &options)
}

/// Parses bytes, whose encoding is found out.
pub fn parse_bytes(bytes: &[u8], options: Options) -> Parsed {
    tabulex_core::parse_bytes::<XmlEr>(bytes, &options)
}

/// A parser of chunks.
pub fn parser(options: Options) -> Parser {
    Parser::new(&options)
}

/// A parser that is fed chunk by chunk.
pub type Parser<S = tabulex_core::tree::Tree> = tabulex_core::Parser<XmlEr, S>;
