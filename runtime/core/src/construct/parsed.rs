//! The result of parsing. Positions refer to the input as it was given.

use super::{Builder, Construction, Event};
use crate::bounded_errors::{self, BoundedErrors};
use crate::encoding::Choice;
use crate::error::ParseError;
use crate::span::Span;
use crate::tree::{Tree, TreeSink};

/// The result of parsing, which succeeds for any input: the tree and the errors.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Parsed<S = Tree> {
    /// The tree, or the custom sink that was passed to [`Parser::with_sink`](crate::Parser::with_sink) and has received
    /// the whole tree.
    pub tree: S,
    /// The errors of the tokenizer and of tree construction, sorted by start, end and code. They do not depend on how
    /// the input was split into chunks.
    pub errors: Vec<ParseError>,
    /// The limits that took effect.
    pub events: Vec<Event>,
    /// The amount of work: rows of modes applied, and iterations of loops in tree construction. Two parses of the same
    /// input may differ a little, because a hash with a random key determines which formatting elements share a list.
    pub steps: u64,
    /// The encoding of the input, and how certain it is; irrelevant if the input was text.
    pub encoding: Choice,
}

impl<C: Construction, S: TreeSink> Builder<C, S> {
    /// Returns the sink, errors and events, with positions mapped to the input as it was given.
    pub(super) fn into_parsed(mut self, encoding: Choice) -> Parsed<S> {
        let steps = self.steps();
        self.sink.associate(None);
        let (mut errors, dropped) = self.errors.map(BoundedErrors::finish).unwrap_or_default();
        let mut events = self.limits.events;
        events.extend(dropped);
        if let Some(tree) = self.sink.filled_tree() {
            for error in &mut errors {
                error.span = tree.original_span(error.span);
            }
            for offset in events.iter_mut().map(Event::offset_mut) {
                *offset = tree.original_span(Span::new(*offset, *offset)).start;
            }
        }
        // The errors are sorted again, because mapping can make different positions equal, and errors at one position
        // are ordered by code.
        bounded_errors::sort(&mut errors);
        Parsed { tree: self.sink, errors, events, steps, encoding }
    }
}
