//! Errors that end the rewriting of a page. The output up to the error is what the rules make of that input.

use std::error::Error;
use std::fmt;
use std::io;
use tabulex_core::Span;
use tabulex_select::SelectorError;
use tabulex_select::descent::LooksAhead;

/// What a handler returns: an error of its own ends the rewriting.
pub type Outcome = Result<(), Box<dyn Error + Send + Sync>>;

/// Why a page is not rewritten.
#[derive(Debug)]
#[non_exhaustive]
pub enum RewriteError {
    /// A text is no selector.
    Selector(SelectorError),
    /// A selector depends on input after the start tag of an element.
    LooksAhead(LooksAhead),
    /// This is no name of an element or an attribute.
    BadName(String),
    /// A comment would end within this text.
    BadComment(String),
    /// This text would end the element that it is put into, in which nothing is escaped, or change how what follows in it is
    /// read.
    BadText(String),
    /// Contents of an element with this name are read otherwise than those of the renamed element, or it can have none.
    OtherContents(String),
    /// The encoding of the page does not have a character of this text, where no character reference can stand.
    NotInEncoding(String),
    /// What was to be changed stands in the text of an entity, of which the page has the reference alone.
    Inserted {
        /// The range of the reference in the decoded input, or from it on.
        span: Span,
    },
    /// More would have to be held than is allowed: a tag, a text that handlers wait for, or elements that are open.
    Memory {
        /// How many bytes are allowed.
        limit: usize,
    },
    /// The page has this encoding, in which nothing can be put anywhere by itself.
    Encoding(&'static str),
    /// A handler returned an error.
    Handler(Box<dyn Error + Send + Sync>),
    /// The output failed.
    Output(io::Error),
}

impl RewriteError {
    /// Returns an error of a handler, or the one of this type that the handler passed on.
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
                write!(formatter, "{name:?} is no name of a tag or an attribute")
            }
            Self::BadComment(text) => write!(formatter, "a comment would end within {text:?}"),
            Self::BadText(text) => write!(formatter, "the element would end within {text:?}"),
            Self::OtherContents(name) => {
                write!(formatter, "the contents would be read otherwise in an element {name:?}")
            }
            Self::NotInEncoding(text) => {
                write!(formatter, "the encoding of the page has no characters for {text:?}")
            }
            Self::Inserted { span } => write!(
                formatter,
                "what the entity at {}..{} stands for cannot be changed in the page",
                span.start, span.end
            ),
            Self::Memory { limit } => write!(formatter, "more than {limit} bytes had to be held"),
            Self::Encoding(name) => write!(formatter, "pages in {name} cannot be rewritten"),
            Self::Handler(error) => write!(formatter, "a handler failed: {error}"),
            Self::Output(error) => write!(formatter, "the output failed: {error}"),
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
