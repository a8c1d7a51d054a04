//! Tokens to a tree: a machine and a construction joined. It builds nothing itself. Invariant: the tree, the errors and
//! the positions are the same however the input is cut.

use super::{Builder, Construction, Event, Feedback, FragmentContext, Options, Seen};
use crate::encoding::{ByteStream, Choice, Hints};
use crate::error::Error;
use crate::machine::{Machine, Named};
use crate::sink::{Control, Sink};
use crate::span::Span;
use crate::token::{Comment, Doctype, ProcessingInstruction, Tag, Text};
use crate::tokenizer::{Tokenizer, tokenize_with};
use crate::tree::{Tree, TreeSink};
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

/// What parsing gives: a tree, always, and the errors.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Parsed {
    /// The tree.
    pub tree: Tree,
    /// The errors, by position.
    pub errors: Vec<ParseError>,
    /// What was done to keep within limits.
    pub events: Vec<Event>,
    /// How much work it was: rows of modes taken, and what loops of tree construction have looked at.
    pub steps: u64,
}

/// Parses a whole input.
pub fn parse<M: Machine, C: Construction>(input: &str, options: &Options) -> Parsed {
    whole::<M, C>(input, None, options)
}

/// Parses a whole input as the contents of an element. The nodes are the children of the document's element.
pub fn parse_fragment<M: Machine, C: Construction>(
    input: &str,
    context: &FragmentContext,
    options: &Options,
) -> Parsed {
    whole::<M, C>(input, Some(context), options)
}

/// Parses the bytes of a whole input, whose encoding is found out as the dialect's table says; tells which it was, and
/// how sure that is.
pub fn parse_bytes<M: Machine, C: Construction>(
    bytes: &[u8],
    hints: Hints,
    options: &Options,
) -> (Parsed, Choice) {
    let mut stream = ByteStream::of::<M>(hints);
    let mut text = String::new();
    stream.feed(bytes, |piece| text.push_str(piece));
    let choice = stream.finish(|piece| text.push_str(piece));
    (whole::<M, C>(&text, None, options), choice)
}

fn builder<C: Construction>(options: &Options, input_length: usize) -> Builder<C, Tree> {
    let mut builder = Builder::new(options.tree(input_length), options.errors);
    builder.set_flags(&options.flags);
    (builder.limits.depth, builder.limits.memory) = (options.depth_limit, options.memory_limit);
    builder
}

fn whole<M: Machine, C: Construction>(
    input: &str,
    context: Option<&FragmentContext>,
    options: &Options,
) -> Parsed {
    let mut builder = builder::<C>(options, input.len());
    let start = match context.map(|context| builder.begin_fragment(context)) {
        None | Some(Feedback::None) => None,
        Some(feedback) => Some(control::<M>(feedback)),
    };
    if options.errors {
        let mut sink = TokenSink::<C, Tree, true>(&mut builder);
        tokenize_with::<M, _>(input, start, &mut sink);
    } else {
        let mut sink = TokenSink::<C, Tree, false>(&mut builder);
        tokenize_with::<M, _>(input, start, &mut sink);
    }
    parsed(builder)
}

fn parsed<C: Construction>(builder: Builder<C, Tree>) -> Parsed {
    let (steps, events) = (builder.steps(), builder.limits.events.clone());
    let (tree, mut errors) = builder.finish();
    errors.sort_by_key(|error| error.span);
    Parsed { tree, errors, events, steps }
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
        Self { tokenizer: Tokenizer::new(), builder: builder(options, 0), dialect: PhantomData }
    }

    /// A parser of the contents of an element.
    pub fn new_fragment(context: &FragmentContext, options: &Options) -> Self {
        let mut parser = Self::new(options);
        match control::<M>(parser.builder.begin_fragment(context)) {
            Control::Switch(state) => parser.tokenizer.set_state(state),
            Control::SetFlag(flag, value) => parser.tokenizer.set_flag(flag, value),
            Control::Continue | Control::Pause => {}
        }
        parser
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

/// What the machine does about what modes tell it.
#[inline]
fn control<M: Machine>(feedback: Feedback) -> Control<M::State> {
    match feedback {
        Feedback::None => Control::Continue,
        Feedback::Switch(state) => Control::Switch(M::State::ALL[usize::from(state)]),
        Feedback::SetFlag(flag, value) => {
            Control::SetFlag(M::HostFlag::ALL[usize::from(flag)], value)
        }
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
        control::<M>(self.0.tag(tag, false))
    }

    #[inline]
    fn end_tag(&mut self, tag: Tag<'_>) -> Control<M::State> {
        control::<M>(self.0.tag(tag, true))
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
        self.0.answer(flag.name())
    }

    fn error(&mut self, error: Error<M::Error>) {
        self.0.report(ParseError { code: error.code.name(), span: error.span });
    }
}
