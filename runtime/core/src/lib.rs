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
mod construct;
mod declarations;
#[cfg(feature = "miette")]
mod diagnostics;
mod dialect;
mod edits;
pub mod encoding;
mod entry_points;
mod error;
mod lexeme;
mod limits;
mod lists;
mod machine;
mod names;
mod reads;
#[doc(hidden)]
pub mod record;
mod references;
mod registers;
mod scan;
mod setters;
mod sink;
mod span;
mod streams;
mod surroundings;
mod token;
mod token_reader;
mod tokenizer;
pub mod tree;
mod word_lists;

pub use construct::{
    Adjacent, Construction, Elements, Event, FragmentContext, Fragments, Options, Parsed, Parser,
    ScriptingMode, parse, parse_bytes, parse_fragment,
};
pub use dialect::{AnyParser, AnyTokenizer, AnyTokens, Dialect};
pub use error::{BoundedErrors, Named, ParseError};
pub use limits::Limits;
pub use machine::Machine;
pub use registers::ReplacementLimits;
pub use sink::{Control, Entry, MachineSink, Sink, control_after};
pub use span::{Lines, Position, Span};
pub use streams::parse_reader;
pub use token::{
    Attribute, Comment, DeclaredField, DeclaredToken, Doctype, ProcessingInstruction, ShortEndTag,
    Tag, Text, TokenForm,
};
pub use token_reader::{
    OwnedDeclaredToken, OwnedDoctype, OwnedTag, TagRef, Token, TokenReader, TokenRef, Tokens,
};
pub use tokenizer::{Progress, Tokenizer, tokenize};
