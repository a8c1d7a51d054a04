//! Parse errors, which do not end parsing; the names of values that a table declares; a bounded list of errors.

use crate::construct::Event;
use crate::limits::Limits;
use crate::lists;
use crate::span::Span;
use std::borrow::Cow;
use std::fmt::{self, Debug};

/// A parse error of the tokenizer or of tree construction, in any dialect.
///
/// ```
/// use tabulex::{Options, html};
///
/// let page = "<!DOCTYPE html><p a=1 a=2>";
/// let error = html::parse(page, Options::new()).errors[0];
/// assert_eq!((error.code, &page[error.span.range()]), ("duplicate-attribute", "="));
/// assert_eq!(error.message(), "The tag already has an attribute with this name. This one is ignored.");
/// assert!(error.url().unwrap().ends_with("/parsing.html#parse-error-duplicate-attribute"));
/// // As a value of the enumeration of all codes of the dialect, over which a `match` is exhaustive.
/// assert_eq!(error.code_of(), Some(html::ErrorCode::DuplicateAttribute));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub struct ParseError {
    /// The code in kebab case: the standard's, or one in its style where the standard has none.
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

/// An enumeration that a table declares: states, error codes, flags.
pub trait Named: Copy + Debug + PartialEq + Eq + Send + Sync + 'static {
    /// All values in the table's order.
    const ALL: &'static [Self];

    /// The address of the document that explains the values; set for error codes if the table gives it.
    const ADDRESS: Option<&'static str> = None;

    /// Returns the name of the value, as in the table.
    fn name(self) -> &'static str;

    /// Returns the value called `name`, or `None` if there is none.
    fn find(name: &str) -> Option<Self> {
        Self::ALL.iter().copied().find(|value| value.name() == name)
    }
}

// A bounded list that keeps the first errors by position, not by time of report: two stages report errors in an order
// that depends on how the input is cut into chunks.

/// Number of errors that the list may hold beyond 5/4 of the limit before it is truncated.
const SLACK: usize = 64;

/// The first errors of an input, up to a limit, for callers that collect a machine's errors. A parser collects its
/// errors itself.
///
/// ```
/// use tabulex::{Event, BoundedErrors, Limits, ParseError, Span};
///
/// let mut errors = BoundedErrors::new(&Limits::new().errors(2));
/// for at in [7, 3, 5] {
///     errors.push(ParseError::new("null-character", Span::new(at, at + 1)));
/// }
/// let starts: Vec<usize> = errors.kept().iter().map(|error| error.span.start).collect();
/// assert_eq!(starts, [3, 5]);
/// assert_eq!(errors.event(), Some(Event::ErrorsDropped { offset: 7, limit: 2, count: 1 }));
/// ```
#[derive(Clone, Debug)]
pub struct BoundedErrors {
    errors: Vec<ParseError>,
    /// Maximum number of errors that are kept.
    limit: usize,
    /// The offset of the first dropped error and the number of dropped errors; `None` if no error was dropped.
    dropped: Option<(usize, u64)>,
}

impl BoundedErrors {
    /// Creates an empty list that keeps as many errors as `limits` allows.
    pub const fn new(limits: &Limits) -> Self {
        Self { errors: Vec::new(), limit: limits.errors, dropped: None }
    }

    /// Adds an error. Once the list is too long, it is sorted and cut to the limit, which drops the errors with the
    /// highest offsets.
    #[inline]
    pub fn push(&mut self, error: ParseError) {
        self.errors.push(error);
        if self.errors.len() > self.limit.saturating_add(self.limit / 4).saturating_add(SLACK) {
            self.drop_excess();
        }
    }

    /// Returns the errors kept so far, sorted as in [`Parsed::errors`](crate::Parsed::errors).
    pub fn kept(&mut self) -> &[ParseError] {
        self.drop_excess();
        &self.errors
    }

    /// Returns the event that reports the dropped errors, if there are any.
    pub fn event(&mut self) -> Option<Event> {
        self.drop_excess();
        let limit = self.limit;
        self.dropped.map(|(offset, count)| Event::ErrorsDropped { offset, limit, count })
    }

    /// Returns the kept errors, sorted, and the event that reports the dropped ones, if there are any.
    pub fn finish(mut self) -> (Vec<ParseError>, Option<Event>) {
        let event = self.event();
        (self.errors, event)
    }

    pub(crate) fn memory_usage(&self) -> usize {
        self.errors.capacity() * size_of::<ParseError>()
    }

    /// Sorts the errors, drops those beyond the limit and counts them.
    #[cold]
    fn drop_excess(&mut self) {
        sort(&mut self.errors);
        let Some(first) = self.errors.get(self.limit) else { return };
        let (offset, count) = self.dropped.unwrap_or((usize::MAX, 0));
        let excess = (self.errors.len() - self.limit) as u64;
        self.dropped = Some((offset.min(first.span.start), count + excess));
        self.errors.truncate(self.limit);
    }
}

/// Sorts errors by start, then by end, then by code.
pub(crate) fn sort(errors: &mut [ParseError]) {
    errors.sort_by(|one, other| (one.span, one.code).cmp(&(other.span, other.code)));
}
