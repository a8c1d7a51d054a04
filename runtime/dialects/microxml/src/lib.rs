//! MicroXML with error recovery, as in its document of November 2012. Everything but the entry points is generated from
//! the table `microxml.states`.

// docs.rs shows the feature that each item requires.
#![cfg_attr(docsrs, feature(doc_cfg))]

// Generated code refers to `tabulex_core` as `::tabulex`.
extern crate tabulex_core as tabulex;

use tabulex_core::Tokens;
use tabulex_core::{Options, Parsed};

pub use tabulex_core::{OwnedAttribute, OwnedDoctype, OwnedTag, Token};

// The published archive has this module as a file with the expanded code, so that users need not compile the macro.
mod machine {
    use tabulex_macros::machine;

    include!("../../../../spec/tables/microxml.states");
}

pub use machine::*;

#[cfg(feature = "value")]
/// The dialect as a value, for programs that choose a dialect at run time.
pub static DIALECT: tabulex_core::Dialect = <Microxml as tabulex_core::Machine>::DIALECT;

/// Returns the tokens of the input, starting in the main mode.
pub fn tokens(input: &str) -> Tokens<'_, Microxml> {
    Tokens::new(input)
}

/// Parses the input to a tree with a single root element.
///
/// ```
/// use tabulex::{Options, WriteNode, microxml};
///
/// let parsed = microxml::parse("<a b='c'>x<b>y</a>", Options::new());
/// assert_eq!(parsed.tree.root().to_json(), r#"["a",{"b":"c"},["x",["b",{},["y"]]]]"#);
/// ```
pub fn parse(input: &str, options: Options) -> Parsed {
    tabulex_core::parse::<Microxml>(input, &options)
}

/// Parses bytes after detecting their encoding.
pub fn parse_bytes(bytes: &[u8], options: Options) -> Parsed {
    tabulex_core::parse_bytes::<Microxml>(bytes, &options)
}

/// Creates an incremental parser.
pub fn parser(options: Options) -> Parser {
    Parser::new(&options)
}

/// An incremental parser, fed in chunks.
pub type Parser<S = tabulex_core::tree::Tree> = tabulex_core::Parser<Microxml, S>;
