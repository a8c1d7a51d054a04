//! The first errors, in the order of [`Parsed::errors`](crate::Parsed::errors), and how many others there were. Invariant: which
//! ones are kept depends on where they are, and not on when they were found: what two stages find comes in an order that
//! depends on the chunks.

use crate::construct::Event;
use crate::error::ParseError;
use crate::limits::Limits;

/// How many more errors are held than are kept, and a quarter of them, before the others are left out.
const SPARE: usize = 64;

/// Errors up to a limit, for those who collect what a machine reports; a parser collects them itself.
///
/// ```
/// use tabulex::{Event, FirstErrors, Limits, ParseError, Span};
///
/// let mut errors = FirstErrors::new(&Limits::new().errors(2));
/// for at in [7, 3, 5] {
///     errors.push(ParseError::new("null-character", Span::new(at, at + 1)));
/// }
/// let places: Vec<usize> = errors.kept().iter().map(|error| error.span.start).collect();
/// assert_eq!(places, [3, 5]);
/// assert_eq!(errors.event(), Some(Event::ErrorsLeftOut { offset: 7, limit: 2, count: 1 }));
/// ```
#[derive(Clone, Debug)]
pub struct FirstErrors {
    errors: Vec<ParseError>,
    /// How many are kept.
    most: usize,
    /// Where the first one is that is not kept, and how many are not.
    left_out: Option<(usize, u64)>,
}

impl FirstErrors {
    /// None yet, and as many as the limits allow.
    pub const fn new(limits: &Limits) -> Self {
        Self { errors: Vec::new(), most: limits.errors, left_out: None }
    }

    /// Adds an error.
    #[inline]
    pub fn push(&mut self, error: ParseError) {
        self.errors.push(error);
        if self.errors.len() > self.most.saturating_add(self.most / 4).saturating_add(SPARE) {
            self.leave_out();
        }
    }

    /// Those that are kept so far, in their order.
    pub fn kept(&mut self) -> &[ParseError] {
        self.leave_out();
        &self.errors
    }

    /// What there is to say of those that are not, if there are any.
    pub fn event(&mut self) -> Option<Event> {
        self.leave_out();
        let limit = self.most;
        self.left_out.map(|(offset, count)| Event::ErrorsLeftOut { offset, limit, count })
    }

    /// Those that are kept, in their order, and what there is to say of the others.
    pub fn finish(mut self) -> (Vec<ParseError>, Option<Event>) {
        let event = self.event();
        (self.errors, event)
    }

    /// The bytes on the heap.
    pub(crate) fn held(&self) -> usize {
        self.errors.capacity() * size_of::<ParseError>()
    }

    /// Leaves out the errors after the first ones, and counts them.
    #[cold]
    fn leave_out(&mut self) {
        sort(&mut self.errors);
        let Some(first) = self.errors.get(self.most) else { return };
        let (offset, count) = self.left_out.unwrap_or((usize::MAX, 0));
        let more = (self.errors.len() - self.most) as u64;
        self.left_out = Some((offset.min(first.span.start), count + more));
        self.errors.truncate(self.most);
    }
}

/// Brings errors in their order: of where they begin, then of where they end, then of their codes.
pub(crate) fn sort(errors: &mut [ParseError]) {
    errors.sort_by(|one, other| (one.span, one.code).cmp(&(other.span, other.code)));
}
