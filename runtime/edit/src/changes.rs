//! Changes of a text: ranges and what stands there instead. It knows no markup. Invariant: what no range holds is copied.

use crate::error::EditError;
use std::ops::Range;

/// On which side of others at the same place a text is put.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Side {
    /// Before those that were put there before: after a node, or before its children.
    First,
    /// After them: before a node, or after its children.
    Last,
}

/// One change.
#[derive(Clone, Debug)]
struct Change {
    range: Range<usize>,
    text: String,
    side: Side,
    number: usize,
}

/// The changes of a text.
#[derive(Clone, Debug, Default)]
pub(crate) struct Changes(Vec<Change>);

impl Changes {
    pub(crate) fn replace(&mut self, range: Range<usize>, text: String) {
        self.push(range, text, Side::Last);
    }

    pub(crate) fn insert(&mut self, at: usize, text: String, side: Side) {
        self.push(at..at, text, side);
    }

    fn push(&mut self, range: Range<usize>, text: String, side: Side) {
        let number = self.0.len();
        self.0.push(Change { range, text, side, number });
    }

    /// The changed text.
    pub(crate) fn apply(&self, input: &str) -> Result<String, EditError> {
        let mut changes: Vec<&Change> = self.0.iter().collect();
        changes.sort_by_key(|change| {
            let Change { range, side, number, .. } = change;
            let number = if *side == Side::First { usize::MAX - number } else { *number };
            (range.start, !range.is_empty(), *side, number)
        });
        let (mut output, mut end) = (String::with_capacity(input.len()), 0);
        for change in changes {
            let Range { start, end: after } = change.range;
            if start < end {
                return Err(EditError::Overlap { at: start });
            }
            output += input.get(end..start).ok_or(EditError::NotWritten)?;
            output += &change.text;
            end = after;
        }
        output += input.get(end..).ok_or(EditError::NotWritten)?;
        Ok(output)
    }
}
