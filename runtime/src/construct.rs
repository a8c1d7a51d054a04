//! Tree construction: what the code of modes stands on. The modes themselves, and every element name, come from tables;
//! the tree is a [`TreeSink`]. Invariant: no token makes it walk the stack of open elements, and nothing recurses.

use crate::machine::Named;
use crate::span::Span;
use crate::token::{Comment, Doctype, Tag, Text};
use crate::tree::{KnownNames, LocalName, TreeSink};

mod builder;
mod elements;
mod open;
mod parser;

pub use builder::Builder;
pub use parser::{Options, ParseError, Parsed, Parser, TokenSink, parse};

/// Tree construction that was compiled from a table.
pub trait Construction: Sized + 'static {
    /// Its modes.
    type Mode: Named;
    /// Its error codes.
    type Error: Named;

    /// The mode in which it starts.
    const START: Self::Mode;
    /// How elements are made of tags.
    const ELEMENTS: Elements;
    /// Whether rows look at whole texts between two other tokens.
    const TAKES_TEXTS: bool;
    /// Whether text of the document itself is held back, because its end may be trimmed.
    const TRIMS_TEXT: bool;
    /// The local names that the table mentions.
    const KNOWN: &'static KnownNames;

    /// Leads a token through the rows of the mode.
    fn rules<S: TreeSink>(
        mode: Self::Mode,
        builder: &mut Builder<Self, S>,
        seen: &Seen<'_>,
    ) -> Flow;

    /// The number of bytes at the beginning of a text, which is not empty, that one row of the mode takes at once.
    fn run(mode: Self::Mode, text: &str) -> usize;

    /// Whether the character is trimmed at the beginning and the end of the document's text.
    fn is_trimmed(character: char) -> bool;
}

/// How elements are made of tags.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Elements {
    /// The tag name is the element's name; there are no namespaces.
    Plain,
    /// Names have prefixes, which attributes bind to namespaces.
    Xml,
}

/// What becomes of a token behind a row.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Flow {
    /// It is done.
    Done,
    /// It is processed again, in the mode that was switched to.
    Again,
}

/// A token as rows see it.
#[derive(Clone, Copy, Debug)]
pub enum Seen<'a> {
    /// A start tag, and its name among the names of the tree.
    StartTag(Tag<'a>, LocalName),
    /// An end tag, likewise.
    EndTag(Tag<'a>, LocalName),
    /// An end tag without a name.
    ShortEndTag(Span),
    /// Characters that one row takes at once.
    Text(Text<'a>),
    /// A comment.
    Comment(Comment<'a>),
    /// A DOCTYPE.
    Doctype(Doctype<'a>),
    /// A processing instruction: target, data, range.
    ProcessingInstruction(&'a str, &'a str, Span),
    /// The end of the input, at this byte offset.
    EndOfFile(usize),
}

impl Seen<'_> {
    /// The range of the token.
    pub fn span(&self) -> Span {
        match self {
            Self::StartTag(tag, _) | Self::EndTag(tag, _) => tag.span(),
            Self::ShortEndTag(span) | Self::ProcessingInstruction(_, _, span) => *span,
            Self::Text(text) => text.span,
            Self::Comment(comment) => comment.span,
            Self::Doctype(doctype) => doctype.span(),
            Self::EndOfFile(offset) => Span::new(*offset, *offset),
        }
    }

    /// The name of the tag.
    #[inline]
    fn local(&self) -> Option<LocalName> {
        match self {
            Self::StartTag(_, local) | Self::EndTag(_, local) => Some(*local),
            _ => None,
        }
    }
}
