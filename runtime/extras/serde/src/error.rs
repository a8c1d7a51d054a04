//! Errors, with the range of the innermost element or attribute concerned.

use std::fmt;
use tabulex_core::{Event, Span};

/// An error returned when a document is not well-formed, does not fit the type, or exceeds a limit of the parser.
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

    /// Creates an error that reports an exceeded limit.
    pub(crate) fn of_event(event: Event) -> Self {
        let span = Some(Span::new(event.offset(), event.offset()));
        Self { message: event.to_string(), span, event: Some(event) }
    }

    /// Adds a range to an error that has none.
    pub(crate) fn at(self, span: Option<Span>) -> Self {
        Self { span: self.span.or(span), ..self }
    }

    /// Returns the byte range of the error in the document, such as that of the element or attribute value concerned,
    /// if known.
    pub fn span(&self) -> Option<Span> {
        self.span
    }

    /// Returns the event that reports the exceeded limit, if the error is due to one.
    pub fn event(&self) -> Option<Event> {
        self.event
    }
}

impl fmt::Display for Error {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.span {
            // The message of an event already contains its offset.
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
