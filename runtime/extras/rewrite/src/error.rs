//! Errors that end the rewriting of a page. Output written before the error is correct up to that point.

use std::error::Error;
use std::fmt;
use std::io;
use tabulex_core::Span;
use tabulex_select::SelectorError;
use tabulex_select::descent::LooksAhead;

/// The result of a handler; an error ends the rewriting.
pub type Outcome = Result<(), Box<dyn Error + Send + Sync>>;

/// An error that prevents or ends the rewriting of a page.
#[derive(Debug)]
#[non_exhaustive]
pub enum RewriteError {
    /// A selector has a syntax error.
    Selector(SelectorError),
    /// A selector depends on input after the start tag of an element.
    LooksAhead(LooksAhead),
    /// A string that is not a valid element or attribute name.
    BadName(String),
    /// A text that would end the comment that it is put into.
    BadComment(String),
    /// A text that, put into a text-only element such as a script, could change where the element ends.
    BadText(String),
    /// The page ends in text that no end tag can end, such as that of `plaintext`, so that nothing can follow it.
    UnclosedText,
    /// The name of an element that, with the requested changes, would be parsed differently or could not have contents.
    OtherContents(String),
    /// A text with characters that the page's encoding lacks, where no character reference is possible.
    NotInEncoding(String),
    /// The item to change comes from an entity's replacement text, so that the page contains only the reference.
    Inserted {
        /// Byte range of the item in the decoded input, beginning at the reference.
        span: Span,
    },
    /// The memory limit is exceeded, for example by a tag, by a text for handlers, or by the stack of open elements.
    Memory {
        /// The limit in bytes.
        limit: usize,
    },
    /// The name of the page's encoding, such as UTF-16LE or ISO-2022-JP, in which ASCII bytes are not always ASCII
    /// characters.
    Encoding(&'static str),
    /// A handler returned an error.
    Handler(Box<dyn Error + Send + Sync>),
    /// Writing the output failed.
    Output(io::Error),
}

impl RewriteError {
    /// Wraps an error of a handler, or unwraps it if it is a `RewriteError` that the handler propagated.
    pub(crate) fn of_handler(error: Box<dyn Error + Send + Sync>) -> Self {
        match error.downcast::<Self>() {
            Ok(error) => *error,
            Err(error) => Self::Handler(error),
        }
    }
}

impl fmt::Display for RewriteError {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Selector(error) => error.fmt(formatter),
            Self::LooksAhead(error) => error.fmt(formatter),
            Self::BadName(name) => {
                write!(formatter, "{name:?} is not a valid tag or attribute name")
            }
            Self::BadComment(text) => {
                write!(formatter, "{text:?} would end the comment that it is put into")
            }
            Self::BadText(text) => {
                write!(
                    formatter,
                    "{text:?} could change where the element that it is put into ends"
                )
            }
            Self::UnclosedText => formatter.write_str(
                "the page ends in text that no end tag can end, so nothing can be inserted after its element",
            ),
            Self::OtherContents(name) => {
                write!(
                    formatter,
                    "the changed element {name:?} or its contents would be parsed differently"
                )
            }
            Self::NotInEncoding(text) => {
                write!(formatter, "{text:?} has characters that the encoding of the page lacks")
            }
            Self::Inserted { span } => write!(
                formatter,
                "cannot change bytes {}..{}: they come from the replacement text of an entity",
                span.start, span.end
            ),
            Self::Memory { limit } => {
                write!(formatter, "rewriting needs more memory than the limit of {limit} bytes")
            }
            Self::Encoding(name) => {
                write!(
                    formatter,
                    "cannot rewrite pages in the encoding `{name}`: it is not ASCII-compatible"
                )
            }
            Self::Handler(error) => write!(formatter, "a handler failed: {error}"),
            Self::Output(error) => write!(formatter, "cannot write the output: {error}"),
        }
    }
}

impl Error for RewriteError {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        match self {
            Self::Selector(error) => Some(error),
            Self::LooksAhead(error) => Some(error),
            Self::Handler(error) => Some(&**error),
            Self::Output(error) => Some(error),
            Self::BadName(_)
            | Self::BadComment(_)
            | Self::BadText(_)
            | Self::UnclosedText
            | Self::OtherContents(_)
            | Self::NotInEncoding(_)
            | Self::Inserted { .. }
            | Self::Memory { .. }
            | Self::Encoding(_) => None,
        }
    }
}

impl From<SelectorError> for RewriteError {
    fn from(error: SelectorError) -> Self {
        Self::Selector(error)
    }
}

impl From<LooksAhead> for RewriteError {
    fn from(error: LooksAhead) -> Self {
        Self::LooksAhead(error)
    }
}

impl From<io::Error> for RewriteError {
    fn from(error: io::Error) -> Self {
        Self::Output(error)
    }
}
