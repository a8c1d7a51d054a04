//! Parse errors: with a code of the machine's, and with any code, for people. They are reports, not failures: parsing goes on
//! after each. Invariant: the span lies within the input that has been fed so far.

use crate::lists;
use crate::named::Named;
use crate::span::Span;
use std::borrow::Cow;
use std::fmt;

/// A parse error as a machine reports it: a code of the machine's table, and where it was noticed. It becomes a
/// [`ParseError`], which is of no table.
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

/// A parse error of either stage, of any dialect.
///
/// ```
/// use tabulex::{Options, html};
///
/// let page = "<!DOCTYPE html><p a=1 a=2>";
/// let error = html::parse(page, Options::new()).errors[0];
/// assert_eq!((error.code(), &page[error.span.range()]), ("duplicate-attribute", "="));
/// assert_eq!(error.message(), "The tag has an attribute of this name already. This one is left out.");
/// assert!(error.url().unwrap().ends_with("/parsing.html#parse-error-duplicate-attribute"));
/// // As a value of the enumeration of all codes of the dialect, over which a `match` is exhaustive.
/// assert_eq!(error.code_of(), Some(html::ErrorCode::DuplicateAttribute));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub struct ParseError {
    /// The code, in kebab case.
    pub code: &'static str,
    /// The range at which it was noticed: a character of the input, or a token.
    pub span: Span,
    /// Where the dialect's document is.
    address: Option<&'static str>,
}

impl ParseError {
    /// An error of this code at this range, for those who collect what a machine reports. No document says what the code
    /// means: [`Dialect::error`](crate::Dialect::error) makes errors of a dialect.
    pub const fn new(code: &'static str, span: Span) -> Self {
        Self { code, span, address: None }
    }

    /// An error of a dialect whose document is at this address.
    pub(crate) const fn at(address: Option<&'static str>, code: &'static str, span: Span) -> Self {
        Self { code, span, address }
    }

    /// The code, in kebab case: the standard's, or, where that has none, one in its style.
    pub const fn code(&self) -> &'static str {
        self.code
    }

    /// The code as a value of a dialect's enumeration, such as `html::ErrorCode`; `None` if it is no code of that dialect.
    pub fn code_of<C: Named>(&self) -> Option<C> {
        C::find(self.code)
    }

    /// What is wrong, in a sentence or two of plain English. Of a code of a table of one's own, its words.
    pub fn message(&self) -> Cow<'static, str> {
        lists::message(self.code).map_or_else(|| self.code.replace('-', " ").into(), Cow::Borrowed)
    }

    /// Where the dialect's standard says what the code means; where the standard has no name for it, the section that
    /// reports it. `None` if the dialect's document has no address.
    pub fn url(&self) -> Option<String> {
        lists::url(self.address?, self.code)
    }
}

impl<C: Named> From<Error<C>> for ParseError {
    fn from(error: Error<C>) -> Self {
        Self::at(C::ADDRESS, error.code.name(), error.span)
    }
}

impl fmt::Display for ParseError {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{} at byte {}", self.code, self.span.start)
    }
}

impl std::error::Error for ParseError {}
