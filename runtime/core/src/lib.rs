//! The runtime that dialects are built on: machines and their registers, tokens, trees and their construction,
//! encodings. It names no dialect and reads no table.
//!
//! Use it through the package `tabulex`, which re-exports its public items.
//!
//! Many functions come in pairs: the common path is inlined, and the rare one is `cold` or `inline(never)`, so that the
//! common path stays small and keeps few values live across calls. Before merging a pair or removing such an attribute,
//! count the instructions of tokens and trees, of HTML and of XML. Where one of them was measured, its comment has the
//! figure.

// On docs.rs, show the feature that each item needs.
#![cfg_attr(docsrs, feature(doc_cfg))]

// Generated code refers to this crate as `::tabulex`.
extern crate self as tabulex;

#[doc(hidden)]
pub mod __private;
mod attribute;
mod bounded_errors;
mod byte_tables;
mod construct;
mod declarations;
mod declared;
mod decode;
#[cfg(any(feature = "miette", feature = "codespan"))]
mod diagnostics;
mod dialect;
mod drive;
mod edits;
pub mod encoding;
mod error;
mod lexeme;
mod limits;
mod lists;
mod machine;
mod named;
mod names;
mod reads;
#[doc(hidden)]
pub mod record;
mod references;
mod registers;
mod replacement;
mod report;
mod scan;
mod sink;
mod span;
mod streams;
mod surroundings;
mod switching;
mod token;
mod token_reader;
mod tokenizer;
mod tokens;
pub mod tree;
mod word_lists;

pub use bounded_errors::BoundedErrors;
pub use construct::{
    Adjacent, Construction, Elements, Event, FragmentContext, Fragments, Options, Parsed, Parser,
    ScriptingMode, parse, parse_bytes, parse_fragment,
};
pub use declared::{DeclaredField, DeclaredToken, TokenForm};
pub use decode::Utf8Decoder;
#[cfg(feature = "any-tokens")]
pub use dialect::AnyTokens;
pub use dialect::{AnyParser, AnyTokenizer, Dialect};
pub use error::ParseError;
pub use limits::Limits;
pub use machine::Machine;
pub use named::Named;
pub use replacement::ReplacementLimits;
pub use sink::{Control, Entry, MachineSink, Sink};
pub use span::{Lines, Position, Span};
pub use streams::parse_reader;
pub use switching::control_after;
pub use token::{
    Attribute, Attributes, Comment, Doctype, ProcessingInstruction, ShortEndTag, Tag, Text,
};
pub use token_reader::{TagRef, TokenReader, TokenRef};
pub use tokenizer::{Progress, Tokenizer, find_state, tokenize};
pub use tokens::{
    OwnedAttribute, OwnedDeclaredField, OwnedDeclaredToken, OwnedDoctype,
    OwnedProcessingInstruction, OwnedTag, Token, Tokens,
};
