//! What the interpreter hands over: tokens and errors, owned, with their source ranges. These are not the runtime's
//! tokens, which borrow; tests compare the two. Invariant: every range lies within the input.

use tabulex_language::model::ErrorId;

/// A range of bytes in the input.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Span {
    /// Byte offset of the first byte.
    pub start: usize,
    /// Byte offset after the last byte.
    pub end: usize,
}

impl Span {
    /// The empty range at a byte offset.
    pub fn at(position: usize) -> Self {
        Self { start: position, end: position }
    }
}

/// A token.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Token {
    /// Characters, one emission's; none where an empty text was emitted.
    Text {
        /// The characters.
        text: String,
        /// Where they come from.
        span: Span,
    },
    /// A start tag.
    StartTag(Tag),
    /// An end tag.
    EndTag(Tag),
    /// A comment.
    Comment {
        /// Its text.
        data: String,
        /// Where it comes from.
        span: Span,
    },
    /// A DOCTYPE.
    Doctype(Doctype),
    /// A short end tag.
    ShortEndTag {
        /// Where it is.
        span: Span,
    },
    /// A processing instruction.
    ProcessingInstruction {
        /// Its target.
        target: String,
        /// Its data.
        data: String,
        /// Where it is.
        span: Span,
    },
    /// A token of a kind that the table declares.
    Declared {
        /// The name of the kind.
        name: String,
        /// Its fields in the table's order.
        fields: Vec<DeclaredField>,
        /// Where it is.
        span: Span,
        /// Whether it is part of another token, or of a text.
        is_inside: bool,
    },
    /// The end of the input.
    EndOfFile {
        /// The empty range at the end.
        span: Span,
    },
}

/// A field of a token of a kind that the table declares.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct DeclaredField {
    /// Its name.
    pub name: String,
    /// Its text.
    pub text: String,
    /// Where the text comes from; where nothing was added to it, the place at which the token begins.
    pub span: Span,
}

/// A start tag or an end tag.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Tag {
    /// The tag name.
    pub name: String,
    /// Where the name is.
    pub name_span: Span,
    /// The attributes in their order, without those that were dropped.
    pub attributes: Vec<Attribute>,
    /// The self-closing flag.
    pub self_closing: bool,
    /// Where the tag is.
    pub span: Span,
}

/// An attribute of a tag.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Attribute {
    /// The name.
    pub name: String,
    /// The value.
    pub value: String,
    /// Where the name is.
    pub name_span: Span,
    /// Where the value is, without quotes.
    pub value_span: Span,
}

/// A DOCTYPE. What is missing is `None`, which is not the empty string.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Doctype {
    /// The name.
    pub name: Option<String>,
    /// The public identifier.
    pub public_identifier: Option<String>,
    /// The system identifier.
    pub system_identifier: Option<String>,
    /// The force-quirks flag.
    pub force_quirks: bool,
    /// Where the DOCTYPE is.
    pub span: Span,
}

/// An error in the input.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Error {
    /// Its code.
    pub error: ErrorId,
    /// What is wrong; empty where nothing stands that could be wrong.
    pub span: Span,
}

impl Token {
    /// Where the token comes from.
    pub fn span(&self) -> Span {
        match self {
            Self::Text { span, .. }
            | Self::Comment { span, .. }
            | Self::ShortEndTag { span }
            | Self::ProcessingInstruction { span, .. }
            | Self::Declared { span, .. }
            | Self::EndOfFile { span } => *span,
            Self::StartTag(tag) | Self::EndTag(tag) => tag.span,
            Self::Doctype(doctype) => doctype.span,
        }
    }
}
