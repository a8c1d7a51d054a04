//! The parser: a tokenizer and a builder. Its result does not depend on how the input is split into chunks.

use super::formatting::FormattingList;
use super::open::OpenElements;
use super::{Builder, Construction, Event, FragmentContext, Options, ScriptingMode, TokenView};
use crate::encoding::{ByteStream, Change, Choice, Confidence, Encoding, decode};
use crate::error::{self, BoundedErrors, ParseError};
use crate::limits::Limits;
use crate::sink::{Control, MachineSink, Sink};
use crate::span::Span;
use crate::token::{
    Comment, DeclaredToken, Doctype, ProcessingInstruction, ShortEndTag, Tag, Text,
};
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
type Run<D, S> = fn(&mut Tokenizer<D>, &mut Builder<D, S>, PendingInput<'_>) -> Progress;

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
    tokenizer: Tokenizer<D>,
    builder: Builder<D, S>,
    options: Options,
    context: Option<FragmentContext>,
    decoding: Option<Box<DecodingState>>,
    partial_piece: PartialPiece,
    run: Run<D, S>,
    /// At most one empty sink, kept for reuse. `recycle` uses a sink for the next input, and stores the sink that it
    /// replaces here for the input after that.
    spare_sinks: Vec<S>,
    /// Whether nothing has been fed yet.
    is_new: bool,
    /// Whether the input that the tokenizer still needs is the end of the input that the tree keeps.
    is_tail_in_tree: bool,
}

/// Number of bytes of a chunk between two checks of memory use, if the user has set no memory limit.
const LONG_PIECE_LEN: usize = 0x400_0000;

impl<D: Construction> Parser<D> {
    /// Creates a parser of a document.
    pub fn new(options: &Options) -> Self {
        Self::for_input(0, options)
    }

    /// Creates a parser of a document of `length` bytes; 0 stands for an unknown length.
    fn for_input(length: usize, options: &Options) -> Self {
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
        tokenizer.registers.keeps_bom = options.keeps_bom;
        let (open, pointers) = (OpenElements::new(D::SCOPES), vec![None; D::POINTERS]);
        Self {
            tokenizer,
            builder: Builder::new(sink, options, open, pointers),
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
        let encoding = self.finish_after(is_fed_in_chunks);
        self.builder.into_parsed(encoding)
    }

    /// Parses the input that was fed but not parsed yet, and returns the result.
    pub fn finish(mut self) -> Parsed<S> {
        let is_fed_in_chunks = !self.tokenizer.has_ended;
        let encoding = self.finish_after(is_fed_in_chunks);
        self.builder.into_parsed(encoding)
    }

    /// Parses the input that was fed, whole or in chunks, but not parsed yet, and returns its encoding. Borrows the
    /// parser, because each move of a parser copies thousands of bytes.
    fn finish_after(&mut self, is_fed_in_chunks: bool) -> Choice {
        let encoding = self.finish_input();
        if is_fed_in_chunks && let Some(tree) = self.builder.sink.filled_tree_mut() {
            // For input in chunks, the total length is not known in advance, so lists may have more capacity than they
            // need.
            tree.shrink_to_fit();
        }
        encoding
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
        if let Control::Enter(entry) = self.builder.begin_fragment(context) {
            self.tokenizer.enter(entry);
        }
    }

    /// Parses the next chunk.
    pub fn feed(&mut self, chunk: &str) {
        let _ = self.feed_chunk(chunk, false);
    }

    /// Parses the next chunk up to the next pause. With `is_last`, no chunk may follow.
    fn feed_chunk(&mut self, chunk: &str, is_last: bool) -> Progress {
        self.is_new = false;
        if self.options.limits.checks_memory_while_parsing() {
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
    fn feed_last(&mut self, chunk: &str, mut should_continue: impl FnMut(&mut Self) -> bool) {
        let mut progress = self.feed_chunk(chunk, true);
        while progress == Progress::Paused && should_continue(self) {
            progress = self.resume();
        }
    }

    /// Parses a piece, then checks memory use.
    fn feed_piece(&mut self, piece: &str, is_last: bool) -> Progress {
        let progress = if self.tokenizer.has_ended {
            Progress::Ended
        } else if self.keep_in_tree(piece, is_last) {
            if is_last {
                self.tokenizer.is_finished = true;
            }
            self.resume()
        } else {
            let piece = self.with_line_ends(piece);
            (self.run)(&mut self.tokenizer, &mut self.builder, PendingInput::Chunk(&piece))
        };
        self.limit_held_bytes(progress)
    }

    /// Buffers input that follows a pause.
    fn buffer(&mut self, input: &str) {
        if !self.keep_in_tree(input, false) {
            let input = self.with_line_ends(input);
            self.tokenizer.carry.push_str(&input);
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
        !self.options.limits.checks_memory_while_parsing()
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
            carry: (!self.is_tail_in_tree).then_some(&*self.tokenizer.carry),
            start: self.tokenizer.registers.base,
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
            self.tokenizer.registers.record_searched(0, kept_chunk.segment.len());
        }
        self.tokenizer.carry.clear();
        self.is_tail_in_tree = true;
        true
    }

    /// Records the line ends of the next chunk, which the tree does not keep, and normalizes them if kept input has
    /// normalized line ends.
    fn with_line_ends<'a>(&mut self, text: &'a str) -> Cow<'a, str> {
        let should_normalize = self.keeps_input() && Self::LINE_ENDS == LineEnds::Normalized;
        let line_ends = if should_normalize { LineEnds::Normalized } else { LineEnds::Recorded };
        let (start, carry) = (self.tokenizer.registers.base, Some(&*self.tokenizer.carry));
        let chunk = Chunk { text, carry, start, line_ends, is_last: false };
        match self.builder.sink.filled_tree_mut() {
            Some(tree) if D::NEWLINES_NORMALIZED => {
                tree.record_line_ends(&chunk).map_or(text.into(), Cow::Owned)
            }
            _ => text.into(),
        }
    }

    /// Copies the input that the tokenizer still needs into its buffer, if only the tree has that input.
    fn release_tail(&mut self) {
        if std::mem::take(&mut self.is_tail_in_tree)
            && let Some(tree) = self.builder.sink.filled_tree()
        {
            let (segment, start) = tree.retained_tail(self.tokenizer.registers.base);
            self.tokenizer.carry.push_str(&segment[start..]);
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
        self.tokenizer.has_ended
    }

    /// Ends the input and returns [`Progress::Ended`] if the parser holds more bytes than allowed; otherwise returns
    /// `progress`.
    fn limit_held_bytes(&mut self, progress: Progress) -> Progress {
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
    fn resume(&mut self) -> Progress {
        let tree = self.builder.sink.filled_tree().filter(|_| self.is_tail_in_tree);
        let Some((segment, start)) =
            tree.map(|tree| tree.retained_tail(self.tokenizer.registers.base))
        else {
            return (self.run)(&mut self.tokenizer, &mut self.builder, PendingInput::Buffered);
        };
        let input = PendingInput::Retained(&segment[start..]);
        let progress = (self.run)(&mut self.tokenizer, &mut self.builder, input);
        self.is_tail_in_tree = progress != Progress::Ended;
        progress
    }

    /// Parses the remaining input; returns the encoding of input given as bytes.
    fn finish_input(&mut self) -> Choice {
        let encoding = self.finish_bytes();
        let _ = self.flush_partial_text();
        self.tokenizer.is_finished = true;
        let _ = self.resume();
        let _ = self.limit_held_bytes(Progress::Ended);
        self.builder.limits.events.extend(self.tokenizer.events());
        let tree = self.builder.sink.filled_tree();
        let (limit, offset) =
            tree.map_or((usize::MAX, 0), |tree| (tree.node_count(), tree.first_dropped_at));
        let overflow_event = tree.and_then(Tree::overflow).map(|overflow| match overflow {
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
        self.builder.process_tag(&tag, false)
    }

    #[inline]
    fn end_tag(&mut self, tag: Tag<'_>) -> Control {
        self.builder.process_tag(&tag, true)
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

    fn processing_instruction(&mut self, instruction: ProcessingInstruction<&str>) -> Control {
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

// Parsing of bytes. They are decoded in their likely encoding, and parsed again if the document declares another one.

/// Parses the bytes of a whole input. The encoding is determined as the dialect's table specifies; [`Parsed::encoding`]
/// returns it and its confidence.
pub fn parse_bytes<D: Construction>(bytes: &[u8], options: &Options) -> Parsed {
    let mut parser = Parser::<D>::for_input(bytes.len(), options);
    let encoding = parser.feed_all_bytes(bytes);
    parser.finish().with_encoding(encoding)
}

/// Input given as one slice of bytes.
impl<D: Construction> Parser<D> {
    /// Parses the bytes of a whole input, like [`parse`](Self::parse) for text. Must be called before anything is fed.
    pub fn parse_bytes(&mut self, bytes: &[u8]) -> Parsed {
        let encoding = self.feed_all_bytes(bytes);
        self.finish_and_reset().with_encoding(encoding)
    }

    /// Parses the bytes of a whole input without finishing. Returns the encoding, or `None` if
    /// [`finish_input`](Self::finish_input) is to determine it.
    fn feed_all_bytes(&mut self, bytes: &[u8]) -> Option<Choice> {
        if self.options.limits.checks_memory_while_parsing() {
            self.feed_bytes(bytes);
            return None;
        }
        let (mut choice, text) = Choice::decode(bytes, D::CLUES, &self.options.hints);
        self.drop_decoded_bom(bytes);
        if choice.confidence == Confidence::Tentative {
            self.builder.watches_encoding = true;
            let mut change = None;
            self.feed_last(&text, |parser| {
                let declared_encoding = parser.builder.declared_encoding.take();
                change = declared_encoding
                    .map(|encoding| choice.change_after(bytes.is_ascii(), encoding, D::CLUES));
                !matches!(change, Some(Change::Restart(_)))
            });
            if let Some(Change::Restart(encoding)) = change {
                drop(text);
                self.reset();
                self.drop_decoded_bom(bytes);
                self.feed_last(&decode(bytes, encoding), |_| true);
            }
        } else {
            self.feed_last(&text, |_| true);
        }
        Some(choice)
    }
}

/// Input given in chunks of bytes.
impl<D: Construction, S: TreeSink> Parser<D, S> {
    /// Parses the next chunk of bytes. The encoding is determined by the dialect's table and the hints of the options;
    /// a parser takes bytes or text, not both. If the document declares an encoding other than the assumed one, or
    /// turns out not to be the UTF-8 that it was taken for, all bytes so far are parsed again, unless they are ASCII,
    /// which the encodings decode alike, or the sink cannot be [restarted](TreeSink::restart).
    ///
    /// ```
    /// use tabulex::{Options, html};
    ///
    /// let mut parser = html::parser(Options::new());
    /// for byte in b"<meta charset=utf-8><p>na\xC3\xAFve" {
    ///     parser.feed_bytes(&[*byte]);
    /// }
    /// let parsed = parser.finish();
    /// assert_eq!((parsed.tree.root().text().as_str(), parsed.encoding.encoding.name()), ("na\u{EF}ve", "UTF-8"));
    /// ```
    pub fn feed_bytes(&mut self, chunk: &[u8]) {
        if !self.options.limits.checks_memory_while_parsing() {
            self.decode_chunk(chunk);
        } else {
            self.decode_in_pieces(chunk);
        }
    }

    /// Decodes the chunk and parses its text.
    fn decode_chunk(&mut self, chunk: &[u8]) {
        if self.builder.limits.is_out_of_memory {
            return;
        }
        self.is_new = false;
        let mut decoding = self.decoding.take().unwrap_or_else(|| {
            self.builder.watches_encoding = true;
            let stream = ByteStream::of::<D>(self.options.hints.clone());
            Box::new(DecodingState { stream, retained: Some(Vec::new()), deferred: String::new() })
        });
        if let Some(retained) = &mut decoding.retained {
            retained.extend_from_slice(chunk);
            self.drop_decoded_bom(retained);
        }
        let DecodingState { stream, deferred, .. } = &mut *decoding;
        let change = stream.feed(chunk, |piece| self.feed_or_defer(piece, deferred));
        if matches!(change, Change::Restart(_)) && self.builder.declared_encoding.is_none() {
            if let Some(sink) = self.builder.sink.restart() {
                let hints = self.options.hints.clone().autodetect(false);
                let retained = decoding.retained.unwrap_or_default();
                return self.restart(sink, ByteStream::of::<D>(hints), true, &retained);
            }
            decoding.retained = None;
        }
        self.apply_encoding_change(decoding);
        let _ = self.limit_held_bytes(Progress::Ready);
        if self.builder.limits.is_out_of_memory {
            self.decoding.iter_mut().for_each(|decoding| decoding.clear());
        }
    }

    /// Sets the tokenizer to drop a leading U+FEFF if the bytes begin with a byte order mark. In an encoding without
    /// one, U+FEFF is an ordinary character.
    fn drop_decoded_bom(&mut self, bytes: &[u8]) {
        self.tokenizer.registers.keeps_bom = Encoding::for_mark(bytes).is_none();
    }

    /// Parses a piece of text, or appends it to `deferred` while an encoding declaration is pending.
    fn feed_or_defer(&mut self, piece: &str, deferred: &mut String) {
        if self.builder.declared_encoding.is_some() {
            deferred.push_str(piece);
        } else {
            self.feed(piece);
        }
    }

    /// Applies the pending encoding declaration, if there is one.
    fn apply_encoding_change(&mut self, mut decoding: Box<DecodingState>) {
        let previous_choice = decoding.stream.choice();
        let change =
            self.builder.declared_encoding.take().map(|encoding| decoding.stream.change(encoding));
        if let Some(Change::Restart(encoding)) = change {
            if let Some(sink) = self.builder.sink.restart() {
                let retained = decoding.retained.unwrap_or_default();
                return self.restart(sink, ByteStream::certain(encoding), false, &retained);
            }
            decoding.stream.keep_encoding(previous_choice);
            decoding.retained = None;
        }
        if self.builder.limits.is_out_of_memory {
            decoding.retained = None;
        }
        if change.is_some() {
            let _ = self.resume_with_partial();
            self.feed(&std::mem::take(&mut decoding.deferred));
        }
        if decoding.stream.choice().is_some_and(|choice| choice.confidence == Confidence::Certain) {
            decoding.retained = None;
            self.builder.watches_encoding = false;
        }
        self.decoding = Some(decoding);
    }

    /// Parses the retained bytes again with an empty sink and a new stream. With `is_tentative`, the document may still
    /// change the encoding.
    fn restart(&mut self, sink: S, stream: ByteStream, is_tentative: bool, retained: &[u8]) {
        drop(self.restart_with(sink));
        self.drop_decoded_bom(retained);
        self.builder.watches_encoding = is_tentative;
        let retained_again = is_tentative.then(Vec::new);
        self.decoding = Some(Box::new(DecodingState {
            stream,
            retained: retained_again,
            deferred: String::new(),
        }));
        self.decode_chunk(retained);
    }

    /// Parses the remaining input given as bytes, and returns its encoding; for input given as text, returns
    /// `Choice::irrelevant()`.
    fn finish_bytes(&mut self) -> Choice {
        self.flush_partial_bytes();
        let Some(mut decoding) = self.decoding.take() else { return Choice::irrelevant() };
        let DecodingState { stream, deferred, .. } = &mut *decoding;
        stream.decide_now(|piece| self.feed_or_defer(piece, deferred));
        if self.builder.declared_encoding.is_none() {
            // The encoding declaration may be in waiting text that does not fill a piece, so this text is parsed now.
            let _ = self.flush_partial_text();
        }
        self.apply_encoding_change(decoding);
        let decoding = self.decoding.take();
        let finish =
            |decoding: Box<DecodingState>| decoding.stream.finish(|piece| self.feed(piece));
        decoding.map_or_else(Choice::irrelevant, finish)
    }
}

/// The state of decoding in a parser that is fed bytes.
#[derive(Debug)]
struct DecodingState {
    stream: ByteStream,
    /// All bytes so far, or `None` once they need not be decoded again.
    retained: Option<Vec<u8>>,
    /// Text decoded after an encoding declaration, held until it is known whether the bytes are decoded again.
    deferred: String,
}

impl DecodingState {
    /// Frees the buffered bytes and text.
    pub(super) fn clear(&mut self) {
        (self.retained, self.deferred) = (None, String::new());
    }

    pub(super) fn memory_usage(&self) -> usize {
        self.retained.as_ref().map_or(0, Vec::capacity) + self.deferred.capacity()
    }
}

// Division of input into pieces at offsets that do not depend on the chunks. If memory is limited, its use is checked
// after each piece, so that the limit takes effect at the same offset for all chunkings.

/// Length of a piece in bytes. A piece of text can be up to three bytes shorter, so that no character is split.
const PIECE_LEN: usize = 0x4000;

/// Input that waits to be parsed, because it does not fill a piece yet.
#[derive(Debug, Default)]
struct PartialPiece {
    text: String,
    bytes: Vec<u8>,
}

impl<D: Construction, S: TreeSink> Parser<D, S> {
    /// Parses the pieces that the chunk completes, up to a pause; the input after them waits.
    fn feed_in_pieces(&mut self, chunk: &str) -> Progress {
        let mut unfed = chunk;
        loop {
            let waiting_text = &mut self.partial_piece.text;
            let missing_len = PIECE_LEN.saturating_sub(waiting_text.len());
            let (piece, remaining) = unfed.split_at(unfed.floor_char_boundary(missing_len));
            waiting_text.push_str(piece);
            if remaining.is_empty() && waiting_text.len() < PIECE_LEN {
                return Progress::Ready;
            }
            match self.flush_partial_text() {
                Progress::Ready => unfed = remaining,
                Progress::Paused => {
                    self.partial_piece.text.push_str(remaining);
                    return Progress::Paused;
                }
                Progress::Ended => return Progress::Ended,
            }
        }
    }

    /// Parses the waiting text, even if it does not fill a piece.
    fn flush_partial_text(&mut self) -> Progress {
        if self.partial_piece.text.is_empty() {
            return Progress::Ready;
        }
        let mut piece = std::mem::take(&mut self.partial_piece.text);
        let progress = self.feed_piece(&piece, false);
        piece.clear();
        self.partial_piece.text = piece;
        progress
    }

    /// Resumes after a pause, and continues with the waiting text.
    fn resume_with_partial(&mut self) -> Progress {
        let progress = self.resume();
        if progress != Progress::Ready || self.partial_piece.text.is_empty() {
            return progress;
        }
        let waiting_text = std::mem::take(&mut self.partial_piece.text);
        self.feed_in_pieces(&waiting_text)
    }

    /// Decodes the pieces that the chunk of bytes completes; the bytes after them wait.
    fn decode_in_pieces(&mut self, chunk: &[u8]) {
        let mut unfed = chunk;
        loop {
            let missing_len = PIECE_LEN - self.partial_piece.bytes.len();
            let (piece, remaining) = unfed.split_at(missing_len.min(unfed.len()));
            self.partial_piece.bytes.extend_from_slice(piece);
            if piece.len() < missing_len {
                return;
            }
            self.flush_partial_bytes();
            unfed = remaining;
        }
    }

    /// Decodes the waiting bytes, even if they do not fill a piece.
    fn flush_partial_bytes(&mut self) {
        let mut piece = std::mem::take(&mut self.partial_piece.bytes);
        if !piece.is_empty() {
            self.decode_chunk(&piece);
        }
        piece.clear();
        self.partial_piece.bytes = piece;
    }
}

// Reuse of parsers, which keep the capacity of their lists and of recycled trees. A reused parser gives the results of
// a new one.

/// Moves the capacity of `list` into a new, empty list.
pub(super) fn take_capacity<T>(list: &mut Vec<T>) -> Vec<T> {
    let mut cleared = std::mem::take(list);
    cleared.clear();
    cleared
}

impl<C: Construction, S: TreeSink> Builder<C, S> {
    /// Resets the builder with another sink. Returns the previous builder, without the lists that are reused for their
    /// capacity.
    fn restart_with(&mut self, sink: S, options: &Options) -> Self {
        let (open, mut pointers) = (self.open.take_capacity(), std::mem::take(&mut self.pointers));
        pointers.fill(None);
        let fresh = Self::new(sink, options, open, pointers);
        let mut old = std::mem::replace(self, fresh);
        self.scripts.pauses_at_scripts = old.scripts.pauses_at_scripts;
        self.template_modes = take_capacity(&mut old.template_modes);
        let formatting = std::mem::replace(&mut old.formatting, FormattingList::new());
        old.formatting.steps = formatting.steps;
        self.formatting = formatting.into_empty();
        self.attribute_names = take_capacity(&mut old.attribute_names);
        self.bindings = std::mem::take(&mut old.bindings);
        self.bindings.clear();
        self.adjustments = take_capacity(&mut old.adjustments);
        self.adjusted_names = take_capacity(&mut old.adjusted_names);
        self.text = std::mem::take(&mut old.text);
        self.text.clear();
        old
    }
}

impl<D: Construction> Parser<D> {
    /// Parses a whole input, or the rest of an input that was partly fed, and returns the result. The parser is then
    /// ready for another input, and keeps the capacity of its lists.
    ///
    /// ```
    /// use tabulex::{Options, html};
    ///
    /// let mut parser = html::parser(Options::new());
    /// let mut texts = Vec::new();
    /// for page in ["<p>One", "<p>Two</p>"] {
    ///     let parsed = parser.parse(page);
    ///     texts.push(parsed.tree.root().text());
    ///     parser.recycle(parsed.tree);
    /// }
    /// assert_eq!(texts, ["One", "Two"]);
    /// ```
    pub fn parse(&mut self, input: &str) -> Parsed {
        self.feed_last(input, |_| true);
        self.finish_and_reset()
    }

    /// Parses the remaining input, and returns the result, as [`finish`](Self::finish) does. The parser is then ready
    /// for another input, and keeps the capacity of its lists.
    pub fn finish_and_reset(&mut self) -> Parsed {
        let encoding = self.finish_input();
        let next_tree = self.next_tree();
        self.restart_with(next_tree).into_parsed(encoding)
    }

    /// Returns an empty tree for the next input: a recycled one, if there is one.
    fn next_tree(&mut self) -> Tree {
        self.spare_sinks.pop().unwrap_or_else(|| self.options.tree::<D>(0))
    }

    /// Discards the input so far, and makes the parser ready for another input.
    pub fn reset(&mut self) {
        let next_tree = self.next_tree();
        let previous = self.restart_with(next_tree);
        self.recycle(previous.sink);
    }

    /// Takes a tree that is no longer needed, to reuse its capacity for the next one. The tree is freed instead if the
    /// parser has been fed since it was created or reset, if the tree keeps other positions than the options demand, or
    /// if memory is limited, because the tree's memory must not count for another tree.
    pub fn recycle(&mut self, tree: Tree) {
        let is_usable = !self.options.limits.checks_memory_while_parsing()
            && tree.positions() == self.options.positions;
        if !self.is_new || !is_usable {
            return;
        }
        let mut tree = tree.into_empty(D::KNOWN);
        let spare_tree = if self.context.is_some() {
            self.restart_with(tree).sink.into_empty(D::KNOWN)
        } else {
            tree.limit_nodes(self.options.limits.nodes);
            self.builder.document = tree.document();
            std::mem::replace(&mut self.builder.sink, tree)
        };
        if self.spare_sinks.is_empty() {
            self.spare_sinks.push(spare_tree);
        }
    }
}

impl<D: Construction, S: TreeSink> Parser<D, S> {
    /// Resets the parser with an empty sink, and returns the previous builder. If memory is limited, no capacity is
    /// kept: it would count for the next input, and the result would differ from that of a new parser.
    fn restart_with(&mut self, sink: S) -> Builder<D, S> {
        if self.options.limits.checks_memory_while_parsing() {
            let new = Self { context: self.context.take(), ..Self::with_sink(sink, &self.options) };
            let previous = std::mem::replace(self, new).builder;
            self.begin_fragment();
            return previous;
        }
        let previous = self.builder.restart_with(sink, &self.options);
        self.tokenizer.reset();
        self.tokenizer.registers.keeps_bom = self.options.keeps_bom;
        self.decoding = None;
        (self.is_new, self.is_tail_in_tree) = (true, false);
        self.begin_fragment();
        previous
    }
}

// Pauses at scripts, and text that scripts write. Written text is parsed directly after the script, before the input
// that follows the script.

/// State of a parser that pauses at scripts.
#[derive(Debug)]
pub(super) struct Scripts<N> {
    /// Whether the parser pauses at scripts.
    pub(super) pauses_at_scripts: bool,
    /// The script at which the parser has paused, until the host gets it.
    pub(super) paused_at: Option<N>,
    /// For each text that a script is writing, outermost first, the input that follows the text and is parsed after it.
    deferred_input: Vec<String>,
}

impl<N> Default for Scripts<N> {
    fn default() -> Self {
        Self { pauses_at_scripts: false, paused_at: None, deferred_input: Vec::new() }
    }
}

/// Scripts. A parser that [pauses](Self::pause_at_scripts) returns each script once it is complete, and its host runs
/// it: with a script engine, by changing the tree through [`sink_mut`](Self::sink_mut), and by passing on what the
/// script writes (in HTML, `document.write`).
///
/// A loop over all scripts, with an "engine" that only writes what is in quotation marks:
///
/// ```
/// use tabulex::html::{self, Parser};
/// use tabulex::tree::NodeId;
/// use tabulex::Options;
///
/// fn run(parser: &mut Parser, script: NodeId) {
///     let code = parser.sink().node(script).text();
///     let Some(written) = code.split('"').nth(1).map(str::to_owned) else { return };
///     // Scripts in what is written run before the next one does.
///     let mut inner = parser.write_text(&written);
///     while let Some(script) = inner {
///         run(parser, script);
///         inner = parser.resume_after_script();
///     }
/// }
///
/// let mut parser = html::parser(Options::new().scripting(true));
/// parser.pause_at_scripts(true);
/// for chunk in ["<p>1<script>write(\"<b>2", "<i>\")</script>3</b>"] {
///     let mut script = parser.feed_to_script(chunk);
///     while let Some(node) = script {
///         run(&mut parser, node);
///         script = parser.resume_after_script();
///     }
/// }
/// let tree = parser.finish().tree;
/// let body = tree.document_element().unwrap().last_child().unwrap();
/// assert_eq!(html::serializer().inner(body), "<p>1<script>write(\"<b>2<i>\")</script><b>2<i>3</i></b></p>");
/// ```
///
/// Positions refer to the stream that was parsed, including written text. After written text, they may be off by one if
/// lines end with CR LF.
impl<D: Construction, S: TreeSink> Parser<D, S> {
    /// Sets whether the parser pauses at each complete script; it is then fed by
    /// [`feed_to_script`](Self::feed_to_script). It never pauses in the modes of fragments, in which scripts run later
    /// or never: [`Inert`](crate::ScriptingMode::Inert) and [`Fragment`](crate::ScriptingMode::Fragment). A script in
    /// the contents of a template, or in a node removed from the document, is returned too, although browsers do not
    /// run it.
    ///
    /// Call this before the first chunk: formatting elements that were read earlier are reconstructed without
    /// attributes.
    pub fn pause_at_scripts(&mut self, pauses: bool) {
        let is_fragment_mode =
            matches!(self.options.scripting, ScriptingMode::Inert | ScriptingMode::Fragment);
        self.builder.scripts.pauses_at_scripts = pauses && !is_fragment_mode;
    }

    /// Parses the next chunk up to the first script that it completes, and returns that script, or `None` if there is
    /// none. The remaining input waits for [`resume_after_script`](Self::resume_after_script).
    pub fn feed_to_script(&mut self, chunk: &str) -> Option<S::Node> {
        let progress = self.feed_chunk(chunk, false);
        self.take_script(progress)
    }

    /// Continues parsing after a script, and returns the next complete script, if there is one. After a script in
    /// written text, parsing continues to the end of that text only; the next call continues after the text.
    pub fn resume_after_script(&mut self) -> Option<S::Node> {
        let progress = self.resume_with_partial();
        let script = self.take_script(progress);
        if script.is_none() {
            self.restore_deferred_input();
        }
        script
    }

    /// Parses text written by the script at which the parser has paused, as far as it can be parsed without what
    /// follows. Returns the first script in the text, after which [`resume_after_script`](Self::resume_after_script)
    /// continues; if there is none, the script can write more.
    pub fn write_text(&mut self, text: &str) -> Option<S::Node> {
        self.is_new = false;
        self.release_tail();
        let unconsumed = self.tokenizer.take_unconsumed();
        self.builder.scripts.deferred_input.push(unconsumed);
        // The machine normalizes the line ends, because a CR at the end of the text and an LF at the start of the input
        // after the script form one line end.
        let input = PendingInput::Chunk(text);
        let progress = (self.run)(&mut self.tokenizer, &mut self.builder, input);
        let progress = self.limit_held_bytes(progress);
        let script = self.take_script(progress);
        if script.is_none() {
            self.restore_deferred_input();
        }
        script
    }

    /// Gives the input that follows the written text back to the tokenizer.
    fn restore_deferred_input(&mut self) {
        if let Some(input) = self.builder.scripts.deferred_input.pop() {
            self.release_tail();
            self.tokenizer.carry.push_str(&input);
        }
    }

    /// Returns and clears the script at which the parser has paused, if it has.
    fn take_script(&mut self, progress: Progress) -> Option<S::Node> {
        let script = self.builder.scripts.paused_at.take();
        script.filter(|_| progress == Progress::Paused)
    }
}

// The end of parsing. Positions in the result refer to the input as it was given.

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

impl<S: TreeSink> Parsed<S> {
    /// Sets the encoding of the result, if one is given, and that of its tree.
    fn with_encoding(mut self, encoding: Option<Choice>) -> Self {
        self.encoding = encoding.unwrap_or(self.encoding);
        if let Some(tree) = self.tree.filled_tree_mut() {
            tree.encoding = self.encoding.encoding;
        }
        self
    }
}

impl<C: Construction, S: TreeSink> Builder<C, S> {
    /// Returns the sink, errors and events, with positions mapped to the input as it was given.
    fn into_parsed(mut self, encoding: Choice) -> Parsed<S> {
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
        error::sort(&mut errors);
        Parsed { tree: self.sink, errors, events, steps, encoding }.with_encoding(None)
    }
}
