//! What is wrong, and where. Invariant: the place is that of the innermost element or attribute that is known.

use std::fmt;
use tabulex_core::Span;

/// A document is not well-formed, or is no value of the type.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Error {
    message: String,
    span: Option<Span>,
}

impl Error {
    pub(crate) fn new(message: &str) -> Self {
        Self { message: message.to_owned(), span: None }
    }

    /// The error at this place, if it has none of its own.
    pub(crate) fn at(self, span: Option<Span>) -> Self {
        Self { span: self.span.or(span), ..self }
    }

    /// The range of the element or the attribute's value in the document, as far as it is known.
    pub fn span(&self) -> Option<Span> {
        self.span
    }
}

impl fmt::Display for Error {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.span {
            Some(span) => write!(formatter, "{} at byte {}", self.message, span.start),
            None => formatter.write_str(&self.message),
        }
    }
}

impl std::error::Error for Error {}

impl serde::de::Error for Error {
    fn custom<T: fmt::Display>(message: T) -> Self {
        Self::new(&message.to_string())
    }
}
