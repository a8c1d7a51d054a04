//! The interpreter's tokens and errors, with their ranges in the input. They are independent of the runtime's tokens,
//! so that tests can compare the two.

use std::fmt;
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
    /// Returns the empty range at a byte offset.
    pub fn at(position: usize) -> Self {
        Self { start: position, end: position }
    }
}

impl fmt::Display for Span {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{}..{}", self.start, self.end)
    }
}

/// A token that a run emits.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Token {
    /// Characters that one step emits; never empty.
    Text {
        /// The emitted characters.
        text: String,
        /// Range of the text in the input.
        span: Span,
    },
    /// A start tag.
    StartTag(Tag),
    /// An end tag.
    EndTag(Tag),
    /// A comment.
    Comment {
        /// Text of the comment.
        data: String,
        /// Range of the comment in the input.
        span: Span,
    },
    /// A DOCTYPE.
    Doctype(Doctype),
    /// A short end tag.
    ShortEndTag {
        /// Range of the tag in the input.
        span: Span,
    },
    /// A processing instruction.
    ProcessingInstruction {
        /// Target of the instruction.
        target: String,
        /// Data of the instruction.
        data: String,
        /// Range of the instruction in the input.
        span: Span,
    },
    /// A token of a declared kind.
    Declared {
        /// Name of the kind.
        name: String,
        /// Fields in table order.
        fields: Vec<DeclaredField>,
        /// Range of the token in the input.
        span: Span,
        /// Whether the token is part of another token or of a text.
        is_inside: bool,
    },
    /// The end of the input.
    EndOfFile {
        /// Empty range at the end of the input.
        span: Span,
    },
}

/// A field of a token of a declared kind.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct DeclaredField {
    /// Name of the field.
    pub name: String,
    /// Text of the field.
    pub text: String,
    /// Range of the text; empty at the start of the token if the field is missing or has no range.
    pub span: Span,
    /// Whether the field is missing: no step has set it or appended to it, and no state that collects its text was
    /// entered; or an edit has unset it.
    pub is_missing: bool,
}

/// A start tag or an end tag.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Tag {
    /// Tag name.
    pub name: String,
    /// Range of the tag name.
    pub name_span: Span,
    /// Attributes in order, without the dropped ones.
    pub attributes: Vec<Attribute>,
    /// Whether the self-closing flag is set.
    pub self_closing: bool,
    /// Range of the tag.
    pub span: Span,
}

/// An attribute of a tag.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Attribute {
    /// Name of the attribute.
    pub name: String,
    /// Value of the attribute.
    pub value: String,
    /// Range of the name.
    pub name_span: Span,
    /// Range of the value, without quotes.
    pub value_span: Span,
}

/// A DOCTYPE. A missing part is `None`, unlike an empty one.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Doctype {
    /// Name of the document type, if it has one.
    pub name: Option<String>,
    /// Public identifier, if there is one.
    pub public_identifier: Option<String>,
    /// System identifier, if there is one.
    pub system_identifier: Option<String>,
    /// Whether the force-quirks flag is set.
    pub force_quirks: bool,
    /// Range of the DOCTYPE.
    pub span: Span,
}

/// An error that a run reports.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Error {
    /// Id of the error in the table.
    pub error: ErrorId,
    /// Range of the input that is at fault; empty if there is none.
    pub span: Span,
}

impl Token {
    /// Returns the range of the token in the input.
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

    /// Returns the token with all ranges set to the default, so that tokens that differ only in ranges are equal.
    pub(crate) fn without_spans(mut self) -> Self {
        match &mut self {
            Self::Text { span, .. }
            | Self::Comment { span, .. }
            | Self::ShortEndTag { span }
            | Self::ProcessingInstruction { span, .. }
            | Self::EndOfFile { span } => *span = Span::default(),
            Self::Declared { fields, span, .. } => {
                *span = Span::default();
                fields.iter_mut().for_each(|field| field.span = Span::default());
            }
            Self::StartTag(tag) | Self::EndTag(tag) => {
                tag.name_span = Span::default();
                tag.span = Span::default();
                for attribute in &mut tag.attributes {
                    attribute.name_span = Span::default();
                    attribute.value_span = Span::default();
                }
            }
            Self::Doctype(doctype) => doctype.span = Span::default(),
        }
        self
    }
}

/// Formats all parts of the token on one line, with their ranges.
impl fmt::Display for Token {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Text { text, span } => write!(formatter, "text {span} {text:?}"),
            Self::StartTag(tag) => write!(formatter, "start-tag {tag}"),
            Self::EndTag(tag) => write!(formatter, "end-tag {tag}"),
            Self::Comment { data, span } => write!(formatter, "comment {span} {data:?}"),
            Self::Doctype(Doctype {
                name,
                public_identifier,
                system_identifier,
                force_quirks,
                span,
            }) => {
                let identifiers =
                    format!("public {public_identifier:?} system {system_identifier:?}");
                let quirks = if *force_quirks { " force-quirks" } else { "" };
                write!(formatter, "doctype {span} {name:?} {identifiers}{quirks}")
            }
            Self::ShortEndTag { span } => write!(formatter, "short-end-tag {span}"),
            Self::ProcessingInstruction { target, data, span } => {
                write!(formatter, "processing-instruction {span} {target:?} {data:?}")
            }
            Self::Declared { name, fields, span, .. } => {
                write!(formatter, "{name} {span}")?;
                fields.iter().try_for_each(|DeclaredField { name, text, span, .. }| {
                    write!(formatter, " {name} {span} {text:?}")
                })
            }
            Self::EndOfFile { span } => write!(formatter, "end-of-file {span}"),
        }
    }
}

impl fmt::Display for Tag {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { name, name_span, attributes, self_closing, span } = self;
        let flag = if *self_closing { " self-closing" } else { "" };
        write!(formatter, "{span} {name:?} {name_span}{flag}")?;
        attributes.iter().try_for_each(|Attribute { name, value, name_span, value_span }| {
            write!(formatter, " [{name:?} {name_span} = {value:?} {value_span}]")
        })
    }
}
