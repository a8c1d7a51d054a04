//! Results of parsing: the tree or sink, the errors, the events, and the encoding. Positions refer to the input as it
//! was given.

use super::Event;
use crate::bounded_errors;
use crate::encoding::Choice;
use crate::error::ParseError;
use crate::span::Span;
use crate::tree::{Tree, TreeSink};

/// The result of parsing: a tree, whatever the input, and the errors.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Parsed {
    /// The tree.
    pub tree: Tree,
    /// The errors of the tokenizer and of tree construction, sorted by start, end and code. They do not depend on how
    /// the input was split into chunks.
    pub errors: Vec<ParseError>,
    /// Limits that took effect.
    pub events: Vec<Event>,
    /// The amount of work: rows of modes applied, and iterations of loops in tree construction. Two parses of one input
    /// may differ a little, because formatting elements share lists by a hash with a random key.
    pub steps: u64,
    /// The encoding of the input and its confidence; irrelevant if the input was text.
    pub encoding: Choice,
}

/// The result of parsing into a custom sink: the fields of [`Parsed`], with the sink in place of the tree.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct ParsedInto<S> {
    /// The sink, filled with the whole tree.
    pub sink: S,
    /// The errors, sorted by start, end and code.
    pub errors: Vec<ParseError>,
    /// Limits that took effect.
    pub events: Vec<Event>,
    /// The amount of work; see [`Parsed::steps`].
    pub steps: u64,
    /// The encoding of the input and its confidence; irrelevant if the input was text.
    pub encoding: Choice,
}

/// The result of a builder.
pub(super) struct BuilderOutput<S> {
    pub(super) sink: S,
    pub(super) errors: Vec<ParseError>,
    pub(super) events: Vec<Event>,
    pub(super) steps: u64,
}

/// Converts the result of a builder, mapping positions to the input as it was given.
pub(super) fn parsed_into<S: TreeSink>(
    output: BuilderOutput<S>,
    encoding: Choice,
) -> ParsedInto<S> {
    let BuilderOutput { sink, mut errors, mut events, steps } = output;
    if let Some(tree) = sink.filled_tree() {
        for error in &mut errors {
            error.span = tree.original_span(error.span);
        }
        for event in &mut events {
            event.map_offset(|offset| tree.original_span(Span::new(offset, offset)).start);
        }
    }
    // Mapped positions can coincide, so that codes decide where ends did.
    bounded_errors::sort(&mut errors);
    ParsedInto { sink, errors, events, steps, encoding }
}

/// Converts the result of a builder whose sink is a [`Tree`].
pub(super) fn parsed(output: BuilderOutput<Tree>, encoding: Choice) -> Parsed {
    let ParsedInto { sink: tree, errors, events, steps, encoding } = parsed_into(output, encoding);
    Parsed { tree, errors, events, steps, encoding }
}
