//! What is wrong, and where. Invariant: the place is that of the innermost element or attribute that is known.

use std::fmt;
use tabulex_core::{Event, Span};

/// A document is not well-formed, or is no value of the type, or a limit was reached in it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Error {
    message: String,
    span: Option<Span>,
    event: Option<Event>,
}

impl Error {
    pub(crate) fn new(message: &str) -> Self {
        Self { message: message.to_owned(), span: None, event: None }
    }

    /// A limit was reached.
    pub(crate) fn of_event(event: Event) -> Self {
        let span = Some(Span::new(event.offset(), event.offset()));
        Self { message: event.to_string(), span, event: Some(event) }
    }

    /// The error at this place, if it has none of its own.
    pub(crate) fn at(self, span: Option<Span>) -> Self {
        Self { span: self.span.or(span), ..self }
    }

    /// The range of the element or the attribute's value in the document, as far as it is known.
    pub fn span(&self) -> Option<Span> {
        self.span
    }

    /// What was done to keep within a limit of the parser, if that is why there is no value.
    pub fn event(&self) -> Option<Event> {
        self.event
    }
}

impl fmt::Display for Error {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.span {
            // An event says its place itself.
            Some(span) if self.event.is_none() => {
                write!(formatter, "{} at byte {}", self.message, span.start)
            }
            _ => formatter.write_str(&self.message),
        }
    }
}

impl std::error::Error for Error {}

impl serde::de::Error for Error {
    fn custom<T: fmt::Display>(message: T) -> Self {
        Self::new(&message.to_string())
    }
}
