//! The cue text of WebVTT. Everything but the entry points is generated from the table `webvtt.states`.

// docs.rs shows the feature that each item requires.
#![cfg_attr(docsrs, feature(doc_cfg))]

// Generated code refers to `tabulex_core` as `::tabulex`.
extern crate tabulex_core as tabulex;

use tabulex_core::Tokens;
use tabulex_core::{Options, Parsed};

pub use tabulex_core::{OwnedAttribute, OwnedTag, Token};

// The published archive has this module as a file with the expanded code, so that users need not compile the macro.
mod machine {
    use tabulex_macros::machine;

    include!("../../../../spec/tables/webvtt.states");
}

pub use machine::*;

#[cfg(feature = "value")]
/// The dialect as a value, for programs that choose a dialect at run time.
pub static DIALECT: tabulex_core::Dialect = <Webvtt as tabulex_core::Machine>::DIALECT;

/// Returns the tokens of cue text. Classes and the annotation of a start tag are attributes; text and timestamps are
/// declared tokens.
///
/// ```
/// use tabulex::webvtt::{self, Token};
///
/// let mut tokens = webvtt::tokens("<v.loud Joe>Hee!");
/// let Some(Token::StartTag(tag)) = tokens.next() else { panic!() };
/// assert_eq!((&*tag.name, &*tag.attributes[1].value), ("v", "Joe"));
/// assert!(matches!(tokens.next(), Some(Token::Declared(text)) if text.fields[0].text == "Hee!"));
/// ```
pub fn tokens(input: &str) -> Tokens<'_, Webvtt> {
    Tokens::new(input)
}

/// Parses cue text to a tree.
///
/// ```
/// use tabulex::{Options, WriteNode, webvtt};
///
/// let tree = webvtt::parse("<c.first>One <00:01.500>&amp; two</c>", Options::new()).tree;
/// let dump = "| <c>\n|   class=\"first\"\n|   \"One \"\n|   <timestamp 1.500>\n|   \"& two\"\n";
/// assert_eq!(tree.root().to_dump(), dump);
/// ```
pub fn parse(input: &str, options: Options) -> Parsed {
    tabulex_core::parse::<Webvtt>(input, &options)
}

/// Parses bytes, which are decoded as UTF-8.
pub fn parse_bytes(bytes: &[u8], options: Options) -> Parsed {
    tabulex_core::parse_bytes::<Webvtt>(bytes, &options)
}

/// Creates an incremental parser.
pub fn parser(options: Options) -> Parser {
    Parser::new(&options)
}

/// An incremental parser, fed in chunks.
pub type Parser<S = tabulex_core::tree::Tree> = tabulex_core::Parser<Webvtt, S>;
