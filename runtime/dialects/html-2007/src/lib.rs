//! HTML 5 of November 2007: the tokenizer of that draft's section "Tokenisation". Trees are built by the insertion
//! modes of today's HTML. Everything but the entry points is generated from the table `html-2007.states`.
//!
//! Whether text is markup depends on the content model flag, which tree construction sets after start tags.
//! [`tokens`](fn@tokens) sets it as tree construction does; between [`raw_tokens`](fn@raw_tokens) the host sets it:
//!
//! ```
//! use tabulex::html_2007::{self, HostFlag, Token};
//!
//! let mut tokens = html_2007::raw_tokens("<title>A &amp; <b></title>");
//! let mut text = String::new();
//! while let Some(token) = tokens.next() {
//!     match token {
//!         // The index of the flag's value RCDATA.
//!         Token::StartTag(tag) if tag.name == "title" => tokens.set_flag(HostFlag::ContentModelFlag, 1),
//!         Token::Text(piece, _) => text += &piece,
//!         _ => {}
//!     }
//! }
//! assert_eq!(text, "A & <b>");
//! ```

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

    include!("../../../../spec/tables/html-2007.states");
}

pub use machine::*;

#[cfg(feature = "value")]
/// The dialect as a value, for programs that choose a dialect at run time.
pub static DIALECT: tabulex_core::Dialect = <Html2007 as tabulex_core::Machine>::DIALECT;

/// Returns the tokens of the input, starting in the data state with the content model flag PCDATA. The contents of
/// scripts, styles, titles and the like are text, as in tree construction; [`Tokens::new`] lists what depends on a
/// tree.
pub fn tokens(input: &str) -> Tokens<'_, Html2007> {
    Tokens::new(input)
}

/// Returns the tokens of the tokenizer alone: tree construction does not switch its state. See [`Tokens::raw`].
pub fn raw_tokens(input: &str) -> Tokens<'_, Html2007> {
    Tokens::raw(input)
}

/// Parses a whole document, with the insertion modes of today's HTML.
pub fn parse(input: &str, options: Options) -> Parsed {
    tabulex_core::parse::<Html2007>(input, &options)
}

/// Parses bytes after detecting their encoding.
pub fn parse_bytes(bytes: &[u8], options: Options) -> Parsed {
    tabulex_core::parse_bytes::<Html2007>(bytes, &options)
}

/// Parses a fragment, whose nodes become the children of the resulting tree's document element.
pub fn parse_fragment(
    input: &str,
    context: impl Into<FragmentContext>,
    options: Options,
) -> Parsed {
    tabulex_core::parse_fragment::<Html2007>(input, &context.into(), &options)
}

/// Creates an incremental parser.
pub fn parser(options: Options) -> Parser {
    Parser::new(&options)
}

/// An incremental parser, fed in chunks.
pub type Parser<S = tabulex_core::tree::Tree> = tabulex_core::Parser<Html2007, S>;

/// Returns a serializer that writes nodes as HTML.
pub const fn serializer() -> HtmlSerializer<'static> {
    HtmlSerializer::new(&<Html2007 as tabulex_core::Construction>::SERIALIZATION)
}
