//! MicroXML with error recovery, as its author left the document in December 2012. Invariant: everything but the entry
//! points comes from the table `microxml-2012-12.states`.

// On docs.rs each item shows the feature that it needs.
#![cfg_attr(docsrs, feature(doc_cfg))]

// Generated code says `::tabulex`, wherever it is.
extern crate tabulex_core as tabulex;

use tabulex_core::Tokens;
use tabulex_core::{Options, Parsed};

pub use tabulex_core::owned::{Attribute, Doctype, Tag, Token};

// The published archive has the expansion in a file of this name.
mod machine {
    use tabulex_macros::machine;

    include!("../../../../spec/tables/microxml-2012-12.states");
}

pub use machine::*;

#[cfg(feature = "value")]
/// This dialect as a value.
pub static DIALECT: tabulex_core::Dialect = <Microxml201212 as tabulex_core::Machine>::DIALECT;

/// The tokens of the input, from the main mode on.
pub fn tokens(input: &str) -> Tokens<'_, Microxml201212> {
    Tokens::new(input)
}

/// The tree of the input, which has one element.
///
/// ```
/// use tabulex::{Options, microxml_2012_12 as microxml};
///
/// let parsed = microxml::parse("<a b>x<![CDATA[<b>]]></a>", Options::new());
/// assert_eq!(parsed.tree.root().to_json(), r#"["a",{"b":""},["x<b>"]]"#);
/// ```
pub fn parse(input: &str, options: Options) -> Parsed {
    tabulex_core::parse::<Microxml201212>(input, &options)
}

/// Parses bytes, whose encoding is found out.
pub fn parse_bytes(bytes: &[u8], options: Options) -> Parsed {
    tabulex_core::parse_bytes::<Microxml201212>(bytes, &options)
}

/// A parser of chunks.
pub fn parser(options: Options) -> Parser {
    Parser::new(&options)
}

/// A parser that is fed chunk by chunk.
pub type Parser<S = tabulex_core::tree::Tree> = tabulex_core::Parser<Microxml201212, S>;
