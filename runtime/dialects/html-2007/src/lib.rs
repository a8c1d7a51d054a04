//! HTML 5 of November 2007: the tokenizer, as the section "Tokenisation" of that day describes it. Its trees are built
//! by the insertion modes of today. Invariant: everything but the entry points comes from the table `html-2007.states`.
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

    include!("../../../../spec/tables/html-2007.states");
}

pub use machine::*;

#[cfg(feature = "value")]
/// This dialect as a value.
pub static DIALECT: tabulex_core::Dialect = <Html2007 as tabulex_core::Machine>::DIALECT;

/// The tokens of the input, from the data state on, in which the content model flag is PCDATA. What scripts, styles, titles and the like hold is
/// text, as tree construction makes it; [`Tokens::new`] names what only a tree knows.
pub fn tokens(input: &str) -> Tokens<'_, Html2007> {
    Tokens::new(input)
}

/// The tokens of the tokenizer alone, which nothing switches: see [`Tokens::raw`].
pub fn raw_tokens(input: &str) -> Tokens<'_, Html2007> {
    Tokens::raw(input)
}

/// The tree of a whole document, built by the insertion modes of today's HTML.
pub fn parse(input: &str, options: Options) -> Parsed {
    tabulex_core::parse::<Html2007>(input, &options)
}

/// Parses bytes, whose encoding is found out.
pub fn parse_bytes(bytes: &[u8], options: Options) -> Parsed {
    tabulex_core::parse_bytes::<Html2007>(bytes, &options)
}

/// The nodes of a fragment: the children of the document's element.
pub fn parse_fragment(
    input: &str,
    context: impl Into<FragmentContext>,
    options: Options,
) -> Parsed {
    tabulex_core::parse_fragment::<Html2007>(input, &context.into(), &options)
}

/// A parser of chunks.
pub fn parser(options: Options) -> Parser {
    Parser::new(&options)
}

/// A parser that is fed chunk by chunk.
pub type Parser<S = tabulex_core::tree::Tree> = tabulex_core::Parser<Html2007, S>;

/// What writes nodes as HTML.
pub const fn serializer() -> HtmlSerializer<'static> {
    HtmlSerializer::new(&<Html2007 as tabulex_core::Construction>::SERIALIZATION)
}
