//! Tokens to a tree: a machine and a construction joined. It builds nothing itself. Invariant: the tree, the errors and
//! the positions are the same however the input is cut.

use super::{Builder, Construction, Seen};
use crate::error::Error;
use crate::machine::{Machine, Named};
use crate::sink::{Control, Sink};
use crate::span::Span;
use crate::token::{Comment, Doctype, ProcessingInstruction, Tag, Text};
use crate::tokenizer::{Tokenizer, tokenize};
use crate::tree::{Positions, Tree, TreeOptions, TreeSink};
use std::fmt;
use std::marker::PhantomData;

/// A parse error of either stage.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub struct ParseError {
    /// The code, in kebab case.
    pub code: &'static str,
    /// The range at which it was noticed: a character of the input, or a token.
    pub span: Span,
}

impl fmt::Display for ParseError {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{} at byte {}", self.code, self.span.start)
    }
}

impl std::error::Error for ParseError {}

/// How to parse.
#[derive(Clone, Debug)]
pub struct Options {
    errors: bool,
    positions: Positions,
    flags: Vec<(&'static str, u8)>,
}

impl Default for Options {
    fn default() -> Self {
        Self::new()
    }
}

impl Options {
    /// Errors are collected, all positions are kept.
    pub fn new() -> Self {
        Self { errors: true, positions: Positions::All, flags: Vec::new() }
    }

    /// Whether errors are collected.
    #[must_use]
    pub fn errors(mut self, errors: bool) -> Self {
        self.errors = errors;
        self
    }

    /// Which positions the tree keeps.
    #[must_use]
    pub fn positions(mut self, positions: Positions) -> Self {
        self.positions = positions;
        self
    }

    /// A flag that the table says is set by the host, and the index of its value.
    pub(crate) fn host_flag(mut self, name: &'static str, value: u8) -> Self {
        self.flags.push((name, value));
        self
    }

    fn tree(&self, input_length: usize) -> Tree {
        Tree::with_options(TreeOptions::new().positions(self.positions).input_length(input_length))
    }
}

/// What parsing gives: a tree, always, and the errors.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Parsed {
    /// The tree.
    pub tree: Tree,
    /// The errors, by position.
    pub errors: Vec<ParseError>,
}

/// Parses a whole input.
pub fn parse<M: Machine, C: Construction>(input: &str, options: &Options) -> Parsed {
    let mut builder = Builder::<C, Tree>::new(options.tree(input.len()), options.errors);
    builder.set_flags(&options.flags);
    if options.errors {
        tokenize::<M, _>(input, &mut TokenSink::<C, Tree, true>(&mut builder));
    } else {
        tokenize::<M, _>(input, &mut TokenSink::<C, Tree, false>(&mut builder));
    }
    parsed(builder)
}

fn parsed<C: Construction>(builder: Builder<C, Tree>) -> Parsed {
    let (tree, mut errors) = builder.finish();
    errors.sort_by_key(|error| error.span);
    Parsed { tree, errors }
}

/// A parser that is fed chunk by chunk.
#[derive(Debug)]
pub struct Parser<M: Machine, C: Construction> {
    tokenizer: Tokenizer<M>,
    builder: Builder<C, Tree>,
    dialect: PhantomData<M>,
}

impl<M: Machine, C: Construction> Parser<M, C> {
    /// A parser at the beginning of its input.
    pub fn new(options: &Options) -> Self {
        let mut builder = Builder::new(options.tree(0), options.errors);
        builder.set_flags(&options.flags);
        Self { tokenizer: Tokenizer::new(), builder, dialect: PhantomData }
    }

    /// Parses the next chunk.
    pub fn feed(&mut self, chunk: &str) {
        let _ = if self.builder.collects_errors() {
            self.tokenizer.feed(chunk, &mut TokenSink::<C, Tree, true>(&mut self.builder))
        } else {
            self.tokenizer.feed(chunk, &mut TokenSink::<C, Tree, false>(&mut self.builder))
        };
    }

    /// Parses what is left, and gives the tree.
    pub fn finish(mut self) -> Parsed {
        let _ = if self.builder.collects_errors() {
            self.tokenizer.finish(&mut TokenSink::<C, Tree, true>(&mut self.builder))
        } else {
            self.tokenizer.finish(&mut TokenSink::<C, Tree, false>(&mut self.builder))
        };
        parsed(self.builder)
    }
}

/// Hands the tokens of a machine to a builder.
pub struct TokenSink<'b, C: Construction, S: TreeSink, const ERRORS: bool>(
    pub &'b mut Builder<C, S>,
);

impl<M: Machine, C: Construction, S: TreeSink, const ERRORS: bool> Sink<M>
    for TokenSink<'_, C, S, ERRORS>
{
    const ERRORS: bool = ERRORS;

    #[inline]
    fn text(&mut self, text: Text<'_>) -> Control<M::State> {
        self.0.characters(text);
        Control::Continue
    }

    #[inline]
    fn start_tag(&mut self, tag: Tag<'_>) -> Control<M::State> {
        self.0.tag(tag, false);
        Control::Continue
    }

    #[inline]
    fn end_tag(&mut self, tag: Tag<'_>) -> Control<M::State> {
        self.0.tag(tag, true);
        Control::Continue
    }

    fn comment(&mut self, comment: Comment<'_>) -> Control<M::State> {
        self.0.token(&Seen::Comment(comment));
        Control::Continue
    }

    fn doctype(&mut self, doctype: Doctype<'_>) -> Control<M::State> {
        self.0.token(&Seen::Doctype(doctype));
        Control::Continue
    }

    fn short_end_tag(&mut self, span: Span) -> Control<M::State> {
        self.0.token(&Seen::ShortEndTag(span));
        Control::Continue
    }

    fn processing_instruction(
        &mut self,
        instruction: ProcessingInstruction<'_>,
    ) -> Control<M::State> {
        let ProcessingInstruction { target, data, span } = instruction;
        self.0.token(&Seen::ProcessingInstruction(target, data, span));
        Control::Continue
    }

    fn end_of_file(&mut self, offset: usize) {
        self.0.token(&Seen::EndOfFile(offset));
    }

    fn flag(&mut self, flag: M::HostFlag) -> u8 {
        self.0.flag(flag.name())
    }

    fn error(&mut self, error: Error<M::Error>) {
        self.0.report(ParseError { code: error.code.name(), span: error.span });
    }
}
