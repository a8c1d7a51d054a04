//! Changes of a text: ranges with their replacements, joined with the text between them by the rules of `seam`.

use crate::error::EditError;
use crate::seam::{self, Parse};
use std::collections::HashSet;
use std::ops::Range;

/// The order of changes at one byte offset: what ends there comes before what begins there.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Order {
    /// At the end of a node, of those that end there the one that began last first.
    End(std::cmp::Reverse<usize>, AtEnd),
    /// The start tag of an implied element.
    Begin,
    /// Before a node, in the order of the calls.
    Before(usize),
    /// Before the contents of an element, the last call first.
    Inside(std::cmp::Reverse<usize>),
    /// In the place of something.
    Instead,
}

/// The order of changes at the end of a node.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum AtEnd {
    /// After its contents, in the order of the calls.
    Contents(usize),
    /// Its end tag.
    Tag,
    /// After the node, the last call first.
    After(std::cmp::Reverse<usize>),
}

impl Order {
    /// The order of what is put at the end of a node that begins at this byte offset.
    pub(crate) const fn end(start: usize, at_end: AtEnd) -> Self {
        Self::End(std::cmp::Reverse(start), at_end)
    }
}

/// One change.
#[derive(Clone, Debug)]
struct Change {
    range: Range<usize>,
    text: String,
    order: Order,
    /// Whether the change is within text that has no character references.
    is_literal: bool,
}

/// The changes of a text.
#[derive(Clone, Debug, Default)]
pub(crate) struct Changes {
    changes: Vec<Change>,
    /// The ends of start tags after which a line end is dropped.
    dropping: HashSet<usize>,
}

impl Changes {
    pub(crate) fn replace(&mut self, range: Range<usize>, text: String) {
        self.push(range, text, Order::Instead, false);
    }

    pub(crate) fn insert(&mut self, at: usize, text: String, order: Order) {
        self.push(at..at, text, order, false);
    }

    pub(crate) fn push(
        &mut self,
        range: Range<usize>,
        text: String,
        order: Order,
        is_literal: bool,
    ) {
        self.changes.push(Change { range, text, order, is_literal });
    }

    /// Notes that a start tag ends here after which a line end is dropped.
    pub(crate) fn drop_line_end_at(&mut self, at: usize) {
        self.dropping.insert(at);
    }

    /// The changed text.
    pub(crate) fn apply(mut self, input: &str, parse: Parse<'_>) -> Result<String, EditError> {
        // The order of calls decides between equal places.
        self.changes.sort_by_key(|change| (change.range.start, change.order));
        let mut output =
            Output { text: String::with_capacity(input.len()), tail: "", drops: false, parse };
        let mut end = 0;
        for change in &self.changes {
            let Range { start, end: after } = change.range;
            if start < end {
                return Err(EditError::Overlap { at: start });
            }
            let kept = input.get(end..start).ok_or(EditError::NotWritten)?;
            if change.is_literal {
                output.put(kept)
            } else {
                output.keep(kept)
            }
            output.drops |= self.dropping.contains(&start);
            output.put(&change.text);
            end = after;
        }
        output.put(input.get(end..).ok_or(EditError::NotWritten)?);
        Ok(output.text + output.tail)
    }
}

/// The output under construction.
struct Output<'t> {
    text: String,
    /// The end of the kept text, if its meaning depends on what follows.
    tail: &'t str,
    /// Whether a line end that follows is dropped.
    drops: bool,
    parse: Parse<'t>,
}

impl<'t> Output<'t> {
    /// Writes a part that is kept before a change.
    fn keep(&mut self, part: &'t str) {
        let tail = seam::open_tail(part);
        self.put(&part[..tail]);
        if tail < part.len() {
            self.text += std::mem::replace(&mut self.tail, &part[tail..]);
        }
    }

    /// Writes a part whose end does not depend on what follows.
    fn put(&mut self, part: &str) {
        if part.is_empty() {
            return;
        }
        let tail = std::mem::take(&mut self.tail);
        self.text += &seam::close_tail(tail, part, self.parse);
        if std::mem::take(&mut self.drops) && part.starts_with(['\n', '\r']) {
            self.text.push('\n');
        }
        self.text += part;
    }
}
