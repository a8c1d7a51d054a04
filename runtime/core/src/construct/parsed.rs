//! What parsing returns: the tree, the errors and events, the encoding. It parses nothing. Invariant: errors are in the
//! order of their positions, and every position is one of the input as it was given.

use super::Event;
use crate::bounded_errors;
use crate::encoding::Choice;
use crate::error::ParseError;
use crate::span::Span;
use crate::tree::{Tree, TreeSink};

/// What parsing gives: a tree, always, and the errors.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Parsed {
    /// The tree.
    pub tree: Tree,
    /// The errors, in the order of where they begin, then of where they end, then of their codes: tokenizer and tree
    /// construction alike, however the input was cut.
    pub errors: Vec<ParseError>,
    /// What was done to keep within limits.
    pub events: Vec<Event>,
    /// How much work it was: rows of modes taken, and what loops of tree construction have looked at. Two parses of one
    /// input may differ a little, because formatting elements share lists by a hash with a random key.
    pub steps: u64,
    /// The encoding of the input, and how sure it is; irrelevant where the input was text.
    pub encoding: Choice,
}

/// What parsing into a sink of one's own gives: the sink, and what else [`Parsed`] has.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct ParsedInto<S> {
    /// The sink, with the whole tree.
    pub sink: S,
    /// The errors, in the order of where they begin, then of where they end, then of their codes.
    pub errors: Vec<ParseError>,
    /// What was done to keep within limits.
    pub events: Vec<Event>,
    /// How much work it was, see [`Parsed::steps`].
    pub steps: u64,
    /// The encoding of the input, and how sure it is; irrelevant where the input was text.
    pub encoding: Choice,
}

/// What a builder has made.
pub(super) struct Made<S> {
    pub(super) sink: S,
    pub(super) errors: Vec<ParseError>,
    pub(super) events: Vec<Event>,
    pub(super) steps: u64,
}

/// What was made, with places in the input as it was given.
pub(super) fn parsed_into<S: TreeSink>(made: Made<S>) -> ParsedInto<S> {
    let Made { sink, mut errors, mut events, steps } = made;
    if let Some(tree) = sink.filled_tree() {
        for error in &mut errors {
            error.span = tree.original_span(error.span);
        }
        for event in &mut events {
            event.map_offset(|offset| tree.original_span(Span::new(offset, offset)).start);
        }
    }
    // Places that are mapped can coincide, so that codes decide where ends did.
    bounded_errors::sort(&mut errors);
    ParsedInto { sink, errors, events, steps, encoding: Choice::irrelevant() }
}

/// As [`parsed_into`], of the tree.
pub(super) fn parsed(made: Made<Tree>) -> Parsed {
    let ParsedInto { sink: tree, errors, events, steps, encoding } = parsed_into(made);
    Parsed { tree, errors, events, steps, encoding }
}
