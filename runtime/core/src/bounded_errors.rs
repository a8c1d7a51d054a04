//! A bounded list that keeps the first errors by position, not by time of report: two stages report errors in an order
//! that depends on how the input is cut into chunks.

use crate::construct::Event;
use crate::error::ParseError;
use crate::limits::Limits;

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
