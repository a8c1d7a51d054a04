//! HTML of 2013: the tokenizer of HTML, 12.2.4, as the document of that year describes it. Its trees are built by the
//! insertion modes of today. Invariant: everything but the entry points comes from the table `html-2013.states`.

// On docs.rs each item shows the feature that it needs.
#![cfg_attr(docsrs, feature(doc_cfg))]

// Generated code says `::tabulex`, wherever it is.
extern crate tabulex_core as tabulex;

use tabulex_core::Tokens;
use tabulex_core::tree::HtmlSerializer;
use tabulex_core::{FragmentContext, Options, Parsed};

pub use tabulex_core::owned::{Attribute, Doctype, Tag, Token};

// The published archive has the expansion in a file of this name.
mod machine {
    use tabulex_macros::machine;

    include!("../../../../spec/tables/html-2013.states");
}

pub use machine::*;

#[cfg(feature = "value")]
/// This dialect as a value.
pub static DIALECT: tabulex_core::Dialect = <Html2013 as tabulex_core::Machine>::DIALECT;

/// The tokens of the input, from the data state on. What scripts, styles, titles and the like hold is
/// text, as tree construction makes it; [`Tokens::new`] names what only a tree knows.
pub fn tokens(input: &str) -> Tokens<'_, Html2013> {
    Tokens::new(input)
}

/// The tokens of the tokenizer alone, which nothing switches: see [`Tokens::raw`].
pub fn raw_tokens(input: &str) -> Tokens<'_, Html2013> {
    Tokens::raw(input)
}

/// The tree of a whole document, built by the insertion modes of today's HTML.
pub fn parse(input: &str, options: Options) -> Parsed {
    tabulex_core::parse::<Html2013>(input, &options)
}

/// Parses bytes, whose encoding is found out.
pub fn parse_bytes(bytes: &[u8], options: Options) -> Parsed {
    tabulex_core::parse_bytes::<Html2013>(bytes, &options)
}

/// The nodes of a fragment: the children of the document's element.
pub fn parse_fragment(
    input: &str,
    context: impl Into<FragmentContext>,
    options: Options,
) -> Parsed {
    tabulex_core::parse_fragment::<Html2013>(input, &context.into(), &options)
}

/// A parser of chunks.
pub fn parser(options: Options) -> Parser {
    Parser::new(&options)
}

/// A parser that is fed chunk by chunk.
pub type Parser<S = tabulex_core::tree::Tree> = tabulex_core::Parser<Html2013, S>;

/// What writes nodes as HTML.
pub const fn serializer() -> HtmlSerializer<'static> {
    HtmlSerializer::new(&<Html2013 as tabulex_core::Construction>::SERIALIZATION)
}
