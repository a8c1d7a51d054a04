//! Sky: the markup language that Flutter grew out of, as its "Sky parsing" describes it. Token cleanup belongs to tree
//! construction, so tags in the token stream have all their attributes, including duplicates and those of end tags.
//! Everything but the entry points is generated from the table `sky.states`.

// docs.rs shows the feature that each item requires.
#![cfg_attr(docsrs, feature(doc_cfg))]

// Generated code refers to `tabulex_core` as `::tabulex`.
extern crate tabulex_core as tabulex;

use tabulex_core::Named as _;
use tabulex_core::Tokens;
use tabulex_core::{Options, Parsed};

pub use tabulex_core::{Attribute, OwnedDoctype, OwnedTag, Token};

// The published archive has this module as a file with the expanded code, so that users need not compile the macro.
mod machine {
    use tabulex_macros::machine;

    include!("../../../../spec/tables/sky.states");
}

pub use machine::*;

tabulex_core::__private::entry_points! {
    Sky:
    value;
    parser_type;
}

/// The parsing context, which determines the signature with which the input must begin. An input without the signature
/// is rejected: it has no tokens, and the single error `failed-signature`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum ParsingContext {
    /// The context is unknown: the input begins with data, without a signature.
    #[default]
    None,
    /// An application: the first line begins with `#!mojo mojo:sky`.
    Application,
    /// A module: the first line begins with `SKY MODULE`.
    Module,
}

impl ParsingContext {
    /// Returns the value with which a sink answers [`HostFlag::ParsingContext`].
    pub const fn flag(self) -> u8 {
        self as u8
    }
}

/// Returns the tokens of the input in the parsing context.
///
/// ```
/// use tabulex::sky::{self, ParsingContext, Token};
///
/// let mut tokens = sky::tokens("SKY MODULE\n<p/>", ParsingContext::Module);
/// assert!(matches!(tokens.next(), Some(Token::StartTag(tag)) if tag.name == "p"));
/// assert!(matches!(tokens.next(), Some(Token::EndTag(tag)) if tag.name == "p"));
/// assert_eq!(tokens.next(), None);
/// assert!(tokens.is_at_end());
///
/// let mut refused = sky::tokens("<p/>", ParsingContext::Module);
/// assert_eq!(refused.next(), None);
/// assert_eq!(refused.take_errors()[0].code, "failed-signature");
/// ```
pub fn tokens(input: &str, context: ParsingContext) -> Tokens<'_, Sky> {
    let mut tokens = Tokens::new(input);
    tokens.set_flag(HostFlag::ParsingContext, context.flag());
    tokens
}

/// Parses the input in the parsing context. An input without the signature of the context gives an empty document and
/// the error `failed-signature`.
///
/// ```
/// use tabulex::{Options, sky};
///
/// let parsed = sky::parse("<p a=1 a=2>x</p>", sky::ParsingContext::None, Options::new());
/// let p = parsed.tree.document_element().unwrap();
/// assert_eq!(p.attribute("a"), Some("1"));
/// ```
pub fn parse(input: &str, context: ParsingContext, options: Options) -> Parsed {
    tabulex_core::parse::<Sky>(input, &with_context(context, options))
}

/// Parses bytes, which are decoded as UTF-8.
pub fn parse_bytes(bytes: &[u8], context: ParsingContext, options: Options) -> Parsed {
    tabulex_core::parse_bytes::<Sky>(bytes, &with_context(context, options))
}

/// Creates an incremental parser for the parsing context.
pub fn parser(context: ParsingContext, options: Options) -> Parser {
    Parser::new(&with_context(context, options))
}

fn with_context(context: ParsingContext, options: Options) -> Options {
    options.host_flag(HostFlag::ParsingContext.name(), context.flag())
}
