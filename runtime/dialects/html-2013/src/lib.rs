//! HTML of 2013: the tokenizer of that year's document, section 12.2.4. Trees are built by the insertion modes of
//! today's HTML. Everything but the entry points is generated from the table `html-2013.states`.

// docs.rs shows the feature that each item requires.
#![cfg_attr(docsrs, feature(doc_cfg))]

// Generated code refers to `tabulex_core` as `::tabulex`.
extern crate tabulex_core as tabulex;

use tabulex_core::Tokens;
use tabulex_core::tree::HtmlSerializer;
use tabulex_core::{FragmentContext, Options, Parsed};

pub use tabulex_core::{OwnedAttribute, OwnedDoctype, OwnedTag, Token};

// The published archive has this module as a file with the expanded code, so that users need not compile the macro.
mod machine {
    use tabulex_macros::machine;

    include!("../../../../spec/tables/html-2013.states");
}

pub use machine::*;

#[cfg(feature = "value")]
/// The dialect as a value, for programs that choose a dialect at run time.
pub static DIALECT: tabulex_core::Dialect = <Html2013 as tabulex_core::Machine>::DIALECT;

/// Returns the tokens of the input, starting in the data state. The contents of scripts, styles, titles and the like
/// are text, as in tree construction; [`Tokens::new`] lists what depends on a tree.
pub fn tokens(input: &str) -> Tokens<'_, Html2013> {
    Tokens::new(input)
}

/// Returns the tokens of the tokenizer alone: tree construction does not switch its state. See [`Tokens::raw`].
pub fn raw_tokens(input: &str) -> Tokens<'_, Html2013> {
    Tokens::raw(input)
}

/// Parses a whole document, with the insertion modes of today's HTML.
pub fn parse(input: &str, options: Options) -> Parsed {
    tabulex_core::parse::<Html2013>(input, &options)
}

/// Parses bytes after detecting their encoding.
pub fn parse_bytes(bytes: &[u8], options: Options) -> Parsed {
    tabulex_core::parse_bytes::<Html2013>(bytes, &options)
}

/// Parses a fragment, whose nodes become the children of the resulting tree's document element.
pub fn parse_fragment(
    input: &str,
    context: impl Into<FragmentContext>,
    options: Options,
) -> Parsed {
    tabulex_core::parse_fragment::<Html2013>(input, &context.into(), &options)
}

/// Creates an incremental parser.
pub fn parser(options: Options) -> Parser {
    Parser::new(&options)
}

/// An incremental parser, fed in chunks.
pub type Parser<S = tabulex_core::tree::Tree> = tabulex_core::Parser<Html2013, S>;

/// Returns a serializer that writes nodes as HTML.
pub const fn serializer() -> HtmlSerializer<'static> {
    HtmlSerializer::new(&<Html2013 as tabulex_core::Construction>::SERIALIZATION)
}
