//! The parser: a tokenizer and a builder. Its result does not depend on how the input is split into chunks.

use super::bytes::DecodingState;
use super::limits::Event;
use super::options::new_builder;
use super::pieces::PartialPiece;
use super::{Builder, Construction, Feedback, FragmentContext, Options, Parsed, TokenView};
use crate::declared::DeclaredToken;
use crate::encoding::Choice;
use crate::error::ParseError;
use crate::limits::Limits;
use crate::sink::{Control, MachineSink, Sink};
use crate::token::{Comment, Doctype, ProcessingInstruction, ShortEndTag, Tag, Text};
use crate::tokenizer::{PendingInput, Progress, Tokenizer};
use crate::tree::{Chunk, LineEnds, Overflow, Tree, TreeSink};
use std::borrow::Cow;
use std::hash::DefaultHasher;

/// Parses a whole input.
pub fn parse<D: Construction>(input: &str, options: &Options) -> Parsed {
    Parser::<D>::for_input(input.len(), options).finish_with(input)
}

/// Parses a whole input as the contents of an element, which `context` describes. The parsed nodes are the children of
/// the document's element.
pub fn parse_fragment<D: Construction>(
    input: &str,
    context: &FragmentContext,
    options: &Options,
) -> Parsed {
    Parser::<D>::new_fragment(context, options).finish_with(input)
}

/// Parses the chunks, and counts the steps: those of machine, builder and tree, including created nodes and attributes.
/// The second number counts created nodes and attributes alone. Uses the machine that all sinks share, so that no other
/// is compiled, and digests without a random key, so that equal inputs take equally many steps.
pub(crate) fn count_steps<D: Construction>(
    options: &Options,
    context: Option<&FragmentContext>,
    chunks: &mut dyn Iterator<Item = &str>,
) -> [u64; 2] {
    let mut parser = match context {
        None => Parser::<D>::new(options),
        Some(context) => Parser::new_fragment(context, options),
    };
    parser.run = run_shared::<D, Tree, true>;
    parser.builder.formatting.hasher = DefaultHasher::new();
    chunks.for_each(|chunk| parser.feed(chunk));
    let _ = parser.finish_input();
    let created_count = parser.builder.sink.created_count() as u64;
    [parser.builder.steps() + created_count, created_count]
}

/// A function that runs a parser's tokenizer with a sink that forwards the tokens to the builder.
pub(super) type Run<D, S> = fn(&mut Tokenizer<D>, &mut Builder<D, S>, PendingInput<'_>) -> Progress;

/// Runs the machine compiled for this sink: one that reports errors if the builder collects them, or else one that does
/// not. With the feature `compact`, runs the machine that all sinks share, because the number of machines determines
/// the build time.
fn run<D: Construction, S: TreeSink>(
    tokenizer: &mut Tokenizer<D>,
    builder: &mut Builder<D, S>,
    input: PendingInput<'_>,
) -> Progress {
    if cfg!(feature = "compact") {
        // A shared machine halves the build time but executes a tenth more instructions.
        run_shared::<D, S, false>(tokenizer, builder, input)
    } else if cfg!(debug_assertions) || builder.collects_errors() {
        // Without optimization, collecting unwanted errors costs less than compiling a machine without them.
        tokenizer.run_input(input, &mut TokenSink::<D, S, true> { builder, counts_rows: false })
    } else {
        tokenizer.run_input(input, &mut TokenSink::<D, S, false> { builder, counts_rows: false })
    }
}

/// Runs the machine that all sinks share. With `COUNTS`, its work counts among the builder's steps.
fn run_shared<D: Construction, S: TreeSink, const COUNTS: bool>(
    tokenizer: &mut Tokenizer<D>,
    builder: &mut Builder<D, S>,
    input: PendingInput<'_>,
) -> Progress {
    let mut sink = TokenSink::<D, S, true> { builder, counts_rows: COUNTS };
    tokenizer.run_input(input, &mut sink as &mut dyn Sink)
}

/// A parser that is fed text or bytes in chunks, or one whole input after another, keeping the capacity of its lists.
/// It builds a [`Tree`], or fills a custom sink: [`with_sink`](Self::with_sink).
#[derive(Debug)]
pub struct Parser<D: Construction, S: TreeSink = Tree> {
    pub(super) tokenizer: Tokenizer<D>,
    pub(super) builder: Builder<D, S>,
    pub(super) options: Options,
    pub(super) context: Option<FragmentContext>,
    pub(super) decoding: Option<Box<DecodingState>>,
    pub(super) partial_piece: PartialPiece,
    pub(super) run: Run<D, S>,
    /// At most one empty sink, kept for reuse. `recycle` uses a sink for the next input, and stores the sink that it
    /// replaces here for the input after that.
    pub(super) spare_sinks: Vec<S>,
    /// Whether nothing has been fed yet.
    pub(super) is_new: bool,
    /// Whether the input that the tokenizer still needs is the end of the input that the tree keeps.
    pub(super) is_tail_in_tree: bool,
}

/// Number of bytes of a chunk between two checks of memory use, if the user has set no memory limit.
const LONG_PIECE_LEN: usize = 0x400_0000;

impl<D: Construction> Parser<D> {
    /// Creates a parser of a document.
    pub fn new(options: &Options) -> Self {
        Self::for_input(0, options)
    }

    /// Creates a parser of a document of `length` bytes; 0 stands for an unknown length.
    pub(super) fn for_input(length: usize, options: &Options) -> Self {
        Self::with_sink(options.tree::<D>(length), options)
    }

    /// Creates a parser of the contents of an element, which `context` describes.
    pub fn new_fragment(context: &FragmentContext, options: &Options) -> Self {
        Self::with_sink_fragment(options.tree::<D>(0), context, options)
    }
}

/// Parsers with any sink.
impl<D: Construction, S: TreeSink> Parser<D, S> {
    /// Creates a parser that fills a custom sink with a document; [`TreeSink`] has an example.
    ///
    /// The options apply as for every parser. But the sink decides which positions it keeps, and, unless it
    /// [fills](TreeSink::filled_tree) a tree of this crate, how many nodes may be created. The bytes held are those
    /// that it [counts](TreeSink::memory) and the parser's.
    pub fn with_sink(sink: S, options: &Options) -> Self {
        let mut tokenizer = Tokenizer::new();
        tokenizer.set_limits(&options.limits);
        tokenizer.set_keeps_bom(options.keeps_bom);
        Self {
            tokenizer,
            builder: new_builder(sink, options),
            options: options.clone(),
            context: None,
            decoding: None,
            partial_piece: PartialPiece::default(),
            run,
            spare_sinks: Vec::new(),
            is_new: true,
            is_tail_in_tree: false,
        }
    }

    /// Creates a parser that fills a custom sink with the contents of an element, which `context` describes. The parsed
    /// nodes are the children of an element that is the only child of the document.
    pub fn with_sink_fragment(sink: S, context: &FragmentContext, options: &Options) -> Self {
        let mut parser = Self::with_sink(sink, options);
        parser.context = Some(context.clone());
        parser.begin_fragment();
        parser
    }

    /// Parses the last or only chunk, and returns the result.
    ///
    /// ```
    /// use tabulex::tree::Tree;
    /// use tabulex::{Options, html};
    ///
    /// let parsed = html::Parser::with_sink(Tree::new(), &Options::new()).finish_with("<p>x");
    /// assert_eq!(parsed.tree.root().text(), "x");
    /// ```
    pub fn finish_with(mut self, chunk: &str) -> Parsed<S> {
        let is_fed_in_chunks = !self.is_new;
        self.feed_last(chunk, |_| true);
        self.finish_after(is_fed_in_chunks)
    }

    /// Parses the input that was fed but not parsed yet, and returns the result.
    pub fn finish(self) -> Parsed<S> {
        let is_fed_in_chunks = !self.tokenizer.has_ended();
        self.finish_after(is_fed_in_chunks)
    }

    /// Parses the input that was fed, whole or in chunks, but not parsed yet, and returns the result.
    fn finish_after(mut self, is_fed_in_chunks: bool) -> Parsed<S> {
        let encoding = self.finish_input();
        if is_fed_in_chunks && let Some(tree) = self.builder.sink.filled_tree_mut() {
            // For input in chunks, the total length is not known in advance, so lists may have more capacity than they
            // need.
            tree.shrink_to_fit();
        }
        self.builder.into_parsed(encoding)
    }

    /// Returns the sink in its current state.
    pub fn sink(&self) -> &S {
        &self.builder.sink
    }

    /// Returns the sink for modification. Nodes created by the parser must remain, because the parser may still use
    /// them.
    pub fn sink_mut(&mut self) -> &mut S {
        &mut self.builder.sink
    }

    /// Sets up tokenizer and builder for the context element, if there is one.
    pub(super) fn begin_fragment(&mut self) {
        let Some(context) = &self.context else { return };
        // The markup of a fragment is a string, or bytes from which the decoder has removed the byte order mark, so
        // U+FEFF in it is a character.
        self.tokenizer.keep_byte_order_mark();
        if let Some(entry) = self.builder.begin_fragment(context).entry() {
            self.tokenizer.enter(entry);
        }
    }

    /// Parses the next chunk.
    pub fn feed(&mut self, chunk: &str) {
        let _ = self.feed_chunk(chunk, false);
    }

    /// Parses the next chunk up to the next pause. With `is_last`, no chunk may follow.
    pub(super) fn feed_chunk(&mut self, chunk: &str, is_last: bool) -> Progress {
        self.is_new = false;
        if !self.options.limits.checks_memory_at_end() {
            return self.feed_in_pieces(chunk);
        }
        let mut unfed = chunk;
        loop {
            let (piece, remaining) = unfed.split_at(unfed.floor_char_boundary(LONG_PIECE_LEN));
            let progress = self.feed_piece(piece, is_last && remaining.is_empty());
            match progress {
                Progress::Ready if !remaining.is_empty() => unfed = remaining,
                Progress::Paused if !remaining.is_empty() => {
                    self.buffer(remaining);
                    return progress;
                }
                _ => return progress,
            }
        }
    }

    /// Parses the last or only chunk. After each pause, `should_continue` decides whether parsing continues.
    pub(super) fn feed_last(
        &mut self,
        chunk: &str,
        mut should_continue: impl FnMut(&mut Self) -> bool,
    ) {
        let mut progress = self.feed_chunk(chunk, true);
        while progress == Progress::Paused && should_continue(self) {
            progress = self.resume();
        }
    }

    /// Parses a piece, then checks memory use.
    pub(super) fn feed_piece(&mut self, piece: &str, is_last: bool) -> Progress {
        let progress = if self.tokenizer.has_ended() {
            Progress::Ended
        } else if self.keep_in_tree(piece, is_last) {
            if is_last {
                self.tokenizer.set_finished();
            }
            self.resume()
        } else {
            let piece = self.with_line_ends(piece);
            (self.run)(&mut self.tokenizer, &mut self.builder, PendingInput::Chunk(&piece))
        };
        self.limit_held_bytes(progress)
    }

    /// Parses text written by a script. The machine normalizes its line ends, because a CR at its end and an LF at the
    /// start of the input after the script form one line end.
    pub(super) fn feed_written_text(&mut self, text: &str) -> Progress {
        let progress =
            (self.run)(&mut self.tokenizer, &mut self.builder, PendingInput::Chunk(text));
        self.limit_held_bytes(progress)
    }

    /// Buffers input that follows a pause.
    fn buffer(&mut self, input: &str) {
        if !self.keep_in_tree(input, false) {
            let input = self.with_line_ends(input);
            self.tokenizer.buffer(&input);
        }
    }

    /// The treatment of line ends in input that the tree keeps: they are only recorded if it matters which texts occur
    /// byte for byte in the input.
    const LINE_ENDS: LineEnds = match D::NEWLINES_NORMALIZED {
        true if D::INSERTS || D::TAKES_TEXTS => LineEnds::Recorded,
        true => LineEnds::Normalized,
        false => LineEnds::Ordinary,
    };

    /// Whether the tree keeps the input, so that most texts are not copied. False with a memory limit, which kept
    /// markup would use up, and with a token limit below the default, which applies to the input before line ends are
    /// normalized.
    fn keeps_input(&self) -> bool {
        let Limits { token, .. } = self.options.limits;
        self.options.limits.checks_memory_at_end()
            && token >= Limits::new().token
            && self.builder.sink.filled_tree().is_some()
    }

    /// Appends the next chunk to the input that the tree keeps. Returns whether the tree keeps the chunk.
    fn keep_in_tree(&mut self, chunk: &str, is_last: bool) -> bool {
        if !self.keeps_input() {
            return false;
        }
        let Some(tree) = self.builder.sink.filled_tree_mut() else { return false };
        let chunk = Chunk {
            text: chunk,
            carry: (!self.is_tail_in_tree).then(|| self.tokenizer.carry()),
            start: self.tokenizer.base(),
            line_ends: Self::LINE_ENDS,
            is_last,
        };
        // A CR need not be found if line ends are normalized before the machine runs.
        let is_special = |&byte: &u8| byte != b'\r' || Self::LINE_ENDS != LineEnds::Normalized;
        let special_bytes = D::STOP_BYTES.iter().copied().filter(is_special);
        let Some(kept_chunk) = tree.keep_chunk(&chunk, special_bytes) else {
            self.release_tail();
            return false;
        };
        if !kept_chunk.has_special
            && kept_chunk.start == 0
            && chunk.carry.is_some_and(str::is_empty)
        {
            self.tokenizer.skip_search(0, kept_chunk.segment.len());
        }
        self.tokenizer.drop_carry();
        self.is_tail_in_tree = true;
        true
    }

    /// Records the line ends of the next chunk, which the tree does not keep, and normalizes them if kept input has
    /// normalized line ends.
    fn with_line_ends<'a>(&mut self, text: &'a str) -> Cow<'a, str> {
        let should_normalize = self.keeps_input() && Self::LINE_ENDS == LineEnds::Normalized;
        let line_ends = if should_normalize { LineEnds::Normalized } else { LineEnds::Recorded };
        let (start, carry) = (self.tokenizer.base(), Some(self.tokenizer.carry()));
        let chunk = Chunk { text, carry, start, line_ends, is_last: false };
        match self.builder.sink.filled_tree_mut() {
            Some(tree) if should_normalize => tree.normalize_chunk(&chunk).into(),
            Some(tree) if D::NEWLINES_NORMALIZED => {
                tree.record_line_ends(&chunk);
                text.into()
            }
            _ => text.into(),
        }
    }

    /// Copies the input that the tokenizer still needs into its buffer, if only the tree has that input.
    pub(super) fn release_tail(&mut self) {
        if std::mem::take(&mut self.is_tail_in_tree)
            && let Some(tree) = self.builder.sink.filled_tree()
        {
            let (segment, start) = tree.retained_tail(self.tokenizer.base());
            self.tokenizer.buffer(&segment[start..]);
        }
    }

    /// Whether further input has no effect, because a limit has dropped the rest of the input.
    ///
    /// ```
    /// use tabulex::{Limits, Options, html};
    ///
    /// let mut parser = html::parser(Options::new().limits(Limits::new().bytes(1_000_000)));
    /// let mut fed = 0;
    /// while !parser.has_ended() {
    ///     parser.feed(&"<p>".repeat(1_000));
    ///     fed += 3_000;
    /// }
    /// assert!(fed < 1_000_000 && parser.finish().events.len() == 1);
    /// ```
    pub fn has_ended(&self) -> bool {
        self.tokenizer.has_ended()
    }

    /// Ends the input and returns [`Progress::Ended`] if the parser holds more bytes than allowed; otherwise returns
    /// `progress`.
    pub(super) fn limit_held_bytes(&mut self, progress: Progress) -> Progress {
        let decoding_bytes = self.decoding.as_ref().map_or(0, |decoding| decoding.memory_usage());
        let other_bytes = self.tokenizer.memory_usage() + decoding_bytes;
        if !self.builder.check_memory(other_bytes, self.tokenizer.offset()) {
            return progress;
        }
        self.tokenizer.end();
        self.is_tail_in_tree = false;
        Progress::Ended
    }

    /// Parses the input that is still needed, up to the next pause.
    pub(super) fn resume(&mut self) -> Progress {
        let tree = self.builder.sink.filled_tree().filter(|_| self.is_tail_in_tree);
        let Some((segment, start)) = tree.map(|tree| tree.retained_tail(self.tokenizer.base()))
        else {
            return (self.run)(&mut self.tokenizer, &mut self.builder, PendingInput::Buffered);
        };
        let input = PendingInput::Retained(&segment[start..]);
        let progress = (self.run)(&mut self.tokenizer, &mut self.builder, input);
        self.is_tail_in_tree = progress != Progress::Ended;
        progress
    }

    /// Parses the remaining input; returns the encoding of input given as bytes.
    pub(super) fn finish_input(&mut self) -> Choice {
        let encoding = self.finish_bytes();
        let _ = self.flush_partial_text();
        self.tokenizer.set_finished();
        let _ = self.resume();
        let _ = self.limit_held_bytes(Progress::Ended);
        self.builder.limits.events.extend(self.tokenizer.events());
        let tree = self.builder.sink.filled_tree();
        let (limit, offset) =
            tree.map_or((usize::MAX, 0), |tree| (tree.node_count(), tree.first_dropped_at));
        let overflow_event = self.builder.sink.overflow().map(|overflow| match overflow {
            Overflow::Nodes => Event::NodesDropped { offset, limit },
            Overflow::Offsets => Event::PositionsClamped { offset: Tree::MAX_OFFSET },
        });
        self.builder.limits.events.extend(overflow_event);
        encoding
    }
}

/// A sink that forwards the tokens of a machine to a builder.
struct TokenSink<'b, C: Construction, S: TreeSink, const ERRORS: bool> {
    builder: &'b mut Builder<C, S>,
    /// Whether the machine's work counts among the builder's steps.
    counts_rows: bool,
}

impl<C: Construction, S: TreeSink, const ERRORS: bool> TokenSink<'_, C, S, ERRORS> {
    /// Pauses if the tag declares an encoding, because the input may have to be decoded again.
    #[cold]
    fn pause_at_declaration(&mut self, tag: Tag<'_>) -> Control {
        let declared_encoding = C::CLUES.of_element(tag.name(), |name| tag.attribute(name));
        if declared_encoding.is_none() {
            return Control::Continue;
        }
        self.builder.watches_encoding = false;
        self.builder.declared_encoding = declared_encoding;
        Control::Pause
    }
}

/// Converts the feedback that rows gave for a tag to a control of the tokenizer.
#[inline(always)]
fn control(feedback: Feedback) -> Control {
    match feedback {
        Feedback::None => Control::Continue,
        other => control_slow(other),
    }
}

/// Slow path of `control`, for the few tags that have feedback. Out of line, so that the path of other tags stays
/// small.
#[cold]
#[inline(never)]
fn control_slow(feedback: Feedback) -> Control {
    match feedback {
        Feedback::Script => Control::Pause,
        other => other.control(),
    }
}

impl<C: Construction, S: TreeSink, const ERRORS: bool> MachineSink for TokenSink<'_, C, S, ERRORS> {
    const ERRORS: bool = ERRORS;
}

impl<C: Construction, S: TreeSink, const ERRORS: bool> Sink for TokenSink<'_, C, S, ERRORS> {
    #[inline]
    fn text(&mut self, text: Text<'_>) -> Control {
        self.builder.process_characters(text, const { has_all(C::STOP_BYTES, C::RUN_STOPS) });
        Control::Continue
    }

    #[inline]
    fn start_tag(&mut self, tag: Tag<'_>) -> Control {
        match self.builder.process_tag(&tag, false) {
            Feedback::Declaration => self.pause_at_declaration(tag),
            feedback => control(feedback),
        }
    }

    #[inline]
    fn end_tag(&mut self, tag: Tag<'_>) -> Control {
        control(self.builder.process_tag(&tag, true))
    }

    fn comment(&mut self, comment: Comment<'_>) -> Control {
        self.builder.process_token(&TokenView::Comment(comment));
        Control::Continue
    }

    fn doctype(&mut self, doctype: Doctype<'_>) -> Control {
        self.builder.process_token(&TokenView::Doctype(doctype));
        Control::Continue
    }

    fn short_end_tag(&mut self, tag: ShortEndTag) -> Control {
        self.builder.process_token(&TokenView::ShortEndTag(tag.span));
        Control::Continue
    }

    fn processing_instruction(&mut self, instruction: ProcessingInstruction<'_>) -> Control {
        let ProcessingInstruction { target, data, span, .. } = instruction;
        self.builder.process_token(&TokenView::ProcessingInstruction(target, data, span));
        Control::Continue
    }

    fn declared_token(&mut self, token: DeclaredToken<'_>) -> Control {
        self.builder.process_declared_token(token);
        Control::Continue
    }

    fn end_of_file(&mut self, offset: usize) {
        self.builder.process_token(&TokenView::EndOfFile(offset));
    }

    fn flag(&mut self, flag: &'static str) -> u8 {
        self.builder.flag_value(flag)
    }

    fn error(&mut self, error: ParseError) {
        self.builder.report(error);
    }

    fn wants_rows(&self) -> bool {
        self.counts_rows
    }

    fn row(&mut self, _: u16) {
        self.builder.steps += 1;
    }

    fn inspected(&mut self, bytes: usize) {
        self.builder.steps += bytes as u64;
    }
}

/// Whether `set` has all of the `bytes`.
const fn has_all(set: &[u8], bytes: &[u8]) -> bool {
    let mut index = 0;
    while index < bytes.len() {
        let mut position = 0;
        while position < set.len() && set[position] != bytes[index] {
            position += 1;
        }
        if position == set.len() {
            return false;
        }
        index += 1;
    }
    true
}
