//! Parse errors. They are reports, not failures: parsing goes on after each. Invariant: the span lies within the input
//! that has been fed so far.

use crate::named::Named;
use crate::span::Span;
use std::fmt;

/// A parse error: a code of the machine's table, and where it was noticed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Error<C> {
    /// The code; its name is the standard's, in kebab case.
    pub code: C,
    /// The range of the character at which the error was noticed; empty at the end of the input.
    pub span: Span,
}

impl<C: Named> fmt::Display for Error<C> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{} at byte {}", self.code.name(), self.span.start)
    }
}

impl<C: Named> std::error::Error for Error<C> {}
