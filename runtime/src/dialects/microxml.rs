//! MicroXML with error recovery, as its document of November 2012 describes it. Invariant: everything but the entry points
//! comes from the table `microxml.states`.

use crate::construct::{Options, Parsed};
use crate::tokens::Tokens;
use tabulex_macros::machine;

pub use crate::tokens::{Attribute, Doctype, Tag, Token};

include!(concat!(env!("TABULEX_TABLES"), "/microxml.states"));

/// The tokens of the input, from the main mode on.
pub fn tokens(input: &str) -> Tokens<'_, Microxml> {
    Tokens::new(input)
}

/// The tree of the input, which has one element.
///
/// ```
/// use tabulex::{Options, microxml};
///
/// let parsed = microxml::parse("<a b='c'>x<b>y</a>", Options::new());
/// assert_eq!(parsed.tree.root().to_json(), r#"["a",{"b":"c"},["x",["b",{},["y"]]]]"#);
/// ```
pub fn parse(input: &str, options: Options) -> Parsed {
    crate::construct::parse::<Microxml, Microxml>(input, &options)
}

/// The same of bytes, whose encoding is found out.
pub fn parse_bytes(bytes: &[u8], options: Options) -> Parsed {
    crate::construct::parse_bytes::<Microxml, Microxml>(bytes, &options)
}

/// A parser of chunks.
pub fn parser(options: Options) -> Parser {
    Parser::new(&options)
}

/// A parser that is fed chunk by chunk.
pub type Parser = crate::construct::Parser<Microxml, Microxml>;
