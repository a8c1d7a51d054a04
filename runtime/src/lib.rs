#![doc = include_str!(env!("TABULEX_README"))]
//!
//! # The parts
//!
//! - A dialect is a module, such as [`html`](mod@html): its states, its error codes, its machine, and [`tokens`](fn@html::tokens).
//! - [`Tokens`] is an iterator over the tokens of a whole input; [`Tokenizer`] takes chunks and hands tokens to a [`Sink`].
//! - [`Span`]s are byte ranges of the input; [`Lines`] turns them into lines and columns when somebody asks.
//! - [`tree`] holds the nodes of documents; [`tree::TreeSink`] is for people who bring a tree of their own.
//! - A [`Parser`] takes chunks, or one input after the other; with the feature `threads`, `many` parses them on all cores.
//! - [`machine!`] compiles a table, one of yours as well.

extern crate self as tabulex;

#[doc(hidden)]
pub mod __private;
mod byte_tables;
#[doc(hidden)]
pub mod construct;
#[doc(hidden)]
pub mod declarations;
mod decode;
mod dialects;
pub mod encoding;
mod error;
#[doc(hidden)]
pub mod lexeme;
#[doc(hidden)]
pub mod machine;
#[cfg(feature = "threads")]
pub mod many;
#[doc(hidden)]
pub mod references;
#[doc(hidden)]
pub mod registers;
#[doc(hidden)]
pub mod replacement;
mod report;
mod returned;
#[doc(hidden)]
pub mod scan;
mod sink;
mod span;
#[doc(hidden)]
pub mod surroundings;
mod token;
mod tokenizer;
mod tokens;
pub mod tree;

pub use construct::{
    Event, FragmentContext, Options, ParseError, Parsed, Parser, parse, parse_fragment,
};
pub use decode::Utf8Decoder;
pub use dialects::*;
pub use error::Error;
pub use machine::{Machine, Named};
pub use replacement::ReplacementLimits;
pub use sink::{Control, Sink};
pub use span::{Lines, Position, Span};
pub use tabulex_macros::machine;
pub use token::{Attribute, Attributes, Comment, Doctype, ProcessingInstruction, Tag, Text};
pub use tokenizer::{Progress, Tokenizer, find_flag_value, find_state, tokenize, tokenize_from};
pub use tokens::Tokens;

/// The tokens that [`Tokens`] yields.
pub mod owned {
    pub use crate::tokens::{Attribute, Doctype, ProcessingInstruction, Tag, Token};
}
