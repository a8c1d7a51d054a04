//! Changes of a text: ranges with replacements, joined with the unchanged text between them by the rules of `seam`.

use crate::error::EditError;
use crate::seam::{self, Parse};
use std::collections::HashSet;
use std::ops::Range;

/// The order of changes at one byte offset: ends come before starts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Order {
    /// At the end of a node; if several nodes end at the offset, innermost first.
    End(std::cmp::Reverse<usize>, EndOrder),
    /// The start tag of an implied element.
    ImpliedStartTag,
    /// Before a node, in call order.
    Before(usize),
    /// At the start of an element's contents, last call first.
    ContentsStart(std::cmp::Reverse<usize>),
    /// A replacement of a range.
    Replacement,
}

/// The order of changes at the end of one node.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum EndOrder {
    /// At the end of the contents, in call order.
    Contents(usize),
    /// The end tag.
    Tag,
    /// After the node, last call first.
    After(std::cmp::Reverse<usize>),
}

impl Order {
    /// Returns the order of a change at the end of a node that begins at byte offset `start`.
    pub(crate) const fn end(start: usize, end_order: EndOrder) -> Self {
        Self::End(std::cmp::Reverse(start), end_order)
    }
}

/// A replacement of one range of the text.
#[derive(Clone, Debug)]
struct Change {
    range: Range<usize>,
    text: String,
    order: Order,
    /// Whether the change is in literal text, in which nothing is escaped.
    is_literal: bool,
}

/// A list of changes to one text.
#[derive(Clone, Debug, Default)]
pub(crate) struct Changes {
    changes: Vec<Change>,
    /// End offsets of start tags after which a parser drops a line end.
    line_end_droppers: HashSet<usize>,
}

impl Changes {
    pub(crate) fn replace(&mut self, range: Range<usize>, text: String) {
        self.push(range, text, Order::Replacement, false);
    }

    pub(crate) fn insert(&mut self, offset: usize, text: String, order: Order) {
        self.push(offset..offset, text, order, false);
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

    /// Records that a parser drops a line end at `offset`, the end of a start tag.
    pub(crate) fn drop_line_end_at(&mut self, offset: usize) {
        self.line_end_droppers.insert(offset);
    }

    /// Returns `input` with the changes applied.
    pub(crate) fn apply(mut self, input: &str, parse: Parse<'_>) -> Result<String, EditError> {
        // The sort is stable: changes with the same offset and order stay in the order in which they were added.
        self.changes.sort_by_key(|change| (change.range.start, change.order));
        let mut output = Output {
            text: String::with_capacity(input.len()),
            tail: "",
            drops_line_end: false,
            parse,
        };
        let mut previous_end = 0;
        for change in &self.changes {
            let Range { start, end } = change.range;
            if start < previous_end {
                return Err(EditError::Overlap { at: start });
            }
            let unchanged = input.get(previous_end..start).ok_or(EditError::NotWritten)?;
            if change.is_literal {
                output.write(unchanged)
            } else {
                output.write_before_change(unchanged)
            }
            output.drops_line_end |= self.line_end_droppers.contains(&start);
            output.write(&change.text);
            previous_end = end;
        }
        output.write(input.get(previous_end..).ok_or(EditError::NotWritten)?);
        Ok(output.text + output.tail)
    }
}

/// The changed text under construction.
struct Output<'t> {
    text: String,
    /// The end of the last unchanged part, held back because its parsing depends on the next part; empty otherwise.
    tail: &'t str,
    /// Whether a line end at the start of the next part would be dropped.
    drops_line_end: bool,
    parse: Parse<'t>,
}

impl<'t> Output<'t> {
    /// Writes an unchanged part that precedes a change.
    fn write_before_change(&mut self, part: &'t str) {
        let tail_start = seam::undecided_tail(part);
        self.write(&part[..tail_start]);
        if tail_start < part.len() {
            self.text += std::mem::replace(&mut self.tail, &part[tail_start..]);
        }
    }

    /// Writes a part; the tail before it is escaped if this part would alter its parsing.
    fn write(&mut self, part: &str) {
        if part.is_empty() {
            return;
        }
        let tail = std::mem::take(&mut self.tail);
        self.text += &seam::escape_tail(tail, part, self.parse);
        if std::mem::take(&mut self.drops_line_end) && part.starts_with(['\n', '\r']) {
            self.text.push('\n');
        }
        self.text += part;
    }
}
