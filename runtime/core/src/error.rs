//! Parse errors, which do not end parsing.

use crate::lists;
use crate::named::Named;
use crate::span::Span;
use std::borrow::Cow;
use std::fmt;

/// A parse error of the tokenizer or of tree construction, in any dialect.
///
/// ```
/// use tabulex::{Options, html};
///
/// let page = "<!DOCTYPE html><p a=1 a=2>";
/// let error = html::parse(page, Options::new()).errors[0];
/// assert_eq!((error.code(), &page[error.span.range()]), ("duplicate-attribute", "="));
/// assert_eq!(error.message(), "The tag already has an attribute with this name. This one is ignored.");
/// assert!(error.url().unwrap().ends_with("/parsing.html#parse-error-duplicate-attribute"));
/// // As a value of the enumeration of all codes of the dialect, over which a `match` is exhaustive.
/// assert_eq!(error.code_of(), Some(html::ErrorCode::DuplicateAttribute));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub struct ParseError {
    /// The code of the error, in kebab case.
    pub code: &'static str,
    /// The range of the character or token at which the error was detected.
    pub span: Span,
    /// The address of the dialect's document, if it has one.
    address: Option<&'static str>,
}

impl ParseError {
    /// Creates an error that belongs to no dialect, so that it has no [`url`](Self::url).
    pub const fn new(code: &'static str, span: Span) -> Self {
        Self { code, span, address: None }
    }

    /// Creates an error with a code of a dialect.
    pub fn of<C: Named>(code: C, span: Span) -> Self {
        Self { code: code.name(), span, address: C::ADDRESS }
    }

    /// Returns the code in kebab case: the standard's, or one in its style where the standard has none.
    pub const fn code(&self) -> &'static str {
        self.code
    }

    /// Returns the code as a value of a dialect's enumeration such as `html::ErrorCode`, or `None` if that dialect has
    /// no such code.
    pub fn code_of<C: Named>(&self) -> Option<C> {
        C::find(self.code)
    }

    /// Describes the error in one or two sentences. For a code that only a custom table has, returns the words of the
    /// code.
    pub fn message(&self) -> Cow<'static, str> {
        lists::message(self.code).map_or_else(|| self.code.replace('-', " ").into(), Cow::Borrowed)
    }

    /// Returns the URL of the standard's description of the code, or of the section that reports it. `None` if the
    /// dialect's document has no address or the code has no known section.
    pub fn url(&self) -> Option<String> {
        lists::url(self.address?, self.code)
    }
}

impl fmt::Display for ParseError {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{} at byte {}", self.code, self.span.start)
    }
}

impl std::error::Error for ParseError {}
