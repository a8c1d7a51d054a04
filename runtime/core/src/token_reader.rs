//! A reader of tokens, for loops over a whole input, which lends each token or yields owned ones.

mod tape;

use crate::construct::Event;
use crate::error::{Named as _, ParseError};
use crate::machine::{Machine, Reason, Registers, Stop, drive};
use crate::registers::ReplacementLimits;
use crate::sink::{Entry, Sink};
use crate::span::Span;
use crate::token::{Attribute, Comment, DeclaredField, DeclaredToken, ProcessingInstruction};
use std::borrow::Cow;
use tape::{RecordKind, Recorder, Tape};

/// A token borrowed from a [`TokenReader`].
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub enum TokenRef<'t> {
    /// A text, complete up to the next token of another kind, and its range.
    Text(&'t str, Span),
    /// A start tag.
    StartTag(TagRef<'t>),
    /// An end tag.
    EndTag(TagRef<'t>),
    /// A comment.
    Comment(Comment<'t>),
    /// A DOCTYPE.
    Doctype(&'t OwnedDoctype<'t>),
    /// The range, including delimiters, of a short end tag, which has no name.
    ShortEndTag(Span),
    /// A processing instruction.
    ProcessingInstruction(&'t ProcessingInstruction<Cow<'t, str>>),
    /// A token of a kind that the table declares.
    Declared(&'t OwnedDeclaredToken<'t>),
}

/// A tag borrowed from a [`TokenReader`]. The attributes are built on access.
#[derive(Clone, Copy, Debug)]
pub struct TagRef<'t> {
    tape: &'t Tape<'t>,
    record: &'t tape::TokenRecord,
}

impl<'t> TagRef<'t> {
    /// Returns the tag name.
    #[inline]
    pub fn name(&self) -> &'t str {
        self.tape.text(self.record.text)
    }

    /// Returns the range of the tag name.
    pub fn name_span(&self) -> Span {
        self.record.name_span
    }

    /// Returns the range of the tag, including delimiters.
    #[inline]
    pub fn span(&self) -> Span {
        self.record.span
    }

    /// Whether the tag is self-closing.
    pub fn self_closing(&self) -> bool {
        self.record.self_closing
    }

    /// Whether the tag comes from inserted text; see [`Text::is_inserted`](crate::Text::is_inserted).
    pub fn is_inserted(&self) -> bool {
        self.record.is_inserted
    }

    /// Whether an attribute was dropped because an earlier attribute has the same name.
    pub fn had_duplicate_attributes(&self) -> bool {
        self.record.had_duplicates
    }

    /// Returns the attributes in input order, without duplicates.
    #[inline]
    pub fn attributes(&self) -> impl ExactSizeIterator<Item = Attribute<&'t str>> + use<'t> {
        let tape = self.tape;
        tape.attributes(self.record).iter().map(|attribute| tape.attribute(attribute))
    }

    /// Returns the value of the attribute called `name`, or `None` if the tag has no such attribute.
    pub fn attribute(&self, name: &str) -> Option<&'t str> {
        let attribute = self.attributes().find(|attribute| attribute.name == name);
        attribute.map(|attribute| attribute.value)
    }
}

/// A reader of the tokens of an input. [`next_token`](Self::next_token) lends each token until the next one is read; as
/// an iterator, it yields owned tokens.
///
/// | layer | use |
/// | --- | --- |
/// | [`TokenReader`] | a loop over a whole input, in which `next_token` allocates nothing per token; the state can be set between two tokens |
/// | [`Tokenizer`](crate::Tokenizer) and [`Sink`](crate::Sink) | chunks, pauses, hosts that switch states |
/// | [`Parser`](crate::Parser) | trees: [`Tree`](crate::tree::Tree) or a type of your own |
///
/// ```
/// use tabulex::{TokenRef, html};
///
/// let mut links = Vec::new();
/// let mut tokens = html::read_tokens("<p><a href=/one>One</a> <a name=x>");
/// while let Some(token) = tokens.next_token() {
///     if let TokenRef::StartTag(tag) = token && tag.name() == "a" {
///         links.extend(tag.attribute("href").map(str::to_owned));
///     }
/// }
/// assert_eq!(links, ["/one"]);
/// ```
///
/// Methods that set the state of the machine panic if tokens have been read ahead, unless the machine [stops after
/// each](Self::stop_after_each).
///
/// Errors are collected only if `ERRORS` is set:
///
/// ```
/// use tabulex::TokenReader;
/// use tabulex::html::Html;
///
/// let mut tokens = TokenReader::<Html, true>::new("<p =>");
/// while tokens.next_token().is_some() {}
/// let codes: Vec<_> = tokens.take_errors().into_iter().map(|error| error.code).collect();
/// assert_eq!(codes, ["unexpected-equals-sign-before-attribute-name"]);
/// ```
#[derive(Clone, Debug)]
pub struct TokenReader<'a, M: Machine, const ERRORS: bool = false> {
    registers: Registers<M>,
    consumed: usize,
    recorder: Recorder<'a, ERRORS>,
    /// The index of the next token on the tape.
    next: usize,
    run: Run<M, ERRORS>,
}

/// A function that runs the machine from an offset of the recorder's input.
type Run<M, const ERRORS: bool> = fn(&mut Registers<M>, usize, &mut Recorder<'_, ERRORS>) -> Stop;

/// Runs the machine that is compiled for the recorder.
fn run<M: Machine, const ERRORS: bool>(
    registers: &mut Registers<M>,
    from: usize,
    recorder: &mut Recorder<'_, ERRORS>,
) -> Stop {
    drive(registers, recorder.tape.input, from, true, recorder)
}

/// Runs the machine that all sinks share.
fn run_shared<M: Machine, const ERRORS: bool>(
    registers: &mut Registers<M>,
    from: usize,
    recorder: &mut Recorder<'_, ERRORS>,
) -> Stop {
    drive(registers, recorder.tape.input, from, true, recorder as &mut dyn Sink)
}

impl<'a, M: Machine, const ERRORS: bool> TokenReader<'a, M, ERRORS> {
    /// Creates a reader that begins in the start state. After start tags the machine switches as the table's modes
    /// require, so that there are no tags inside a script or a title. Input that the standard drops without a token,
    /// such as an incomplete tag at the end or `</>`, is covered by no token but by an error. A byte order mark
    /// (U+FEFF) at the start is dropped.
    ///
    /// The machine reads some tokens ahead, so states and flags are set before the first token is read.
    ///
    /// Without a tree, the reader cannot know that an element is foreign (in SVG and MathML, `title`, `style` and
    /// `script` contain markup, and CDATA sections are text), that a tag is ignored in its context (in a frameset,
    /// say), that a line feed right after `<pre>` is dropped, or what a script writes.
    pub fn new(input: &'a str) -> Self {
        Self::with_run(input, false, run)
    }

    /// Creates a reader of the machine's own tokens, as test suites of tokenizers expect them: no mode switches the
    /// state, and a byte order mark is a character. The machine [stops after each](Self::stop_after_each).
    pub fn raw(input: &'a str) -> Self {
        Self::with_run(input, true, run)
    }

    /// Creates a reader that runs the machine that all sinks share, so that no other is compiled.
    pub(crate) fn shared(input: &'a str, is_raw: bool) -> Self {
        Self::with_run(input, is_raw, run_shared)
    }

    fn with_run(input: &'a str, is_raw: bool, run: Run<M, ERRORS>) -> Self {
        let recorder = Recorder::new::<M>(input, is_raw);
        let mut registers = Registers::new();
        registers.keeps_bom = is_raw;
        Self { registers, consumed: 0, recorder, next: 0, run }
    }

    /// Sets whether scripting is enabled, which affects the states that some start tags switch to; see
    /// [`Options::scripting`](crate::Options::scripting).
    #[must_use]
    pub fn scripting(self, scripting: bool) -> Self {
        self.host_flag("scripting", u8::from(scripting))
    }

    /// Sets the flag of tree construction called `name`, which the table declares `by host`, to the value with index
    /// `value`.
    #[must_use]
    pub fn host_flag(mut self, name: &'static str, value: u8) -> Self {
        self.recorder.set_tree_flag(name, value);
        self
    }

    /// Limits the text that the input may insert into itself; text beyond the limits is reported as an error.
    #[must_use]
    pub fn with_replacement_limits(mut self, limits: ReplacementLimits) -> Self {
        self.registers.set_replacement_limits(limits);
        self
    }

    /// Returns the next token, or `None` after the last one.
    #[inline]
    pub fn next_token(&mut self) -> Option<TokenRef<'_>> {
        let index = self.next_index()?;
        Some(self.recorder.tape.token(index))
    }

    /// Advances to the next token, and returns its index on the tape; `None` after the last token.
    #[inline]
    fn next_index(&mut self) -> Option<usize> {
        if self.next + 1 >= self.recorder.tape.records.len() && !self.complete_next() {
            return None;
        }
        self.next += 1;
        Some(self.next - 1)
    }

    /// Runs the machine until the next token is on the tape. A text must also be complete, because later text may
    /// extend it. Returns whether there is a next token.
    #[inline(never)]
    fn complete_next(&mut self) -> bool {
        loop {
            match self.recorder.tape.records.get(self.next..).unwrap_or_default() {
                [] if self.recorder.has_ended => return false,
                [] => {}
                [text] if text.kind == RecordKind::Text && !self.recorder.has_ended => {}
                _ => return true,
            }
            self.recorder.tape.keep_last_text(self.next);
            self.next = 0;
            let input = self.recorder.tape.input;
            let stop = (self.run)(&mut self.registers, self.consumed, &mut self.recorder);
            self.consumed = stop.consumed;
            if let Some(entry) = self.recorder.pending_entry.take() {
                self.registers.enter(entry);
            }
            if ERRORS {
                self.registers.search_input(&mut self.recorder, input, stop.consumed);
            }
            self.recorder.has_ended |= stop.reason != Reason::Pause;
        }
    }

    /// Makes the machine stop after each token other than a text, instead of reading tokens ahead, so that the state
    /// can be set between two tokens.
    pub fn stop_after_each(&mut self) {
        self.assert_not_ahead();
        self.recorder.batch_len = 1;
    }

    /// Keeps a byte order mark at the start of the input as a character, unless the table drops it.
    pub fn keep_byte_order_mark(&mut self) {
        self.registers_between_tokens().keeps_bom = true;
    }

    /// Returns the state that consumes the next character. Unless the machine [stops](Self::stop_after_each), it may be
    /// some tokens ahead.
    pub fn state(&self) -> M::State {
        self.registers.state
    }

    /// Switches to a state, as tree construction does after a start tag.
    pub fn set_state(&mut self, state: M::State) {
        self.registers_between_tokens().state = state;
    }

    /// Switches to the state, or sets the flag to the value, that `entry` names. `entry` must come from the same
    /// dialect, because it holds indices into the dialect's table.
    pub fn enter(&mut self, entry: Entry) {
        match entry {
            Entry::State(_) => self.registers_between_tokens().enter(entry),
            Entry::Flag(index, value) => {
                if let Some(&flag) = M::HostFlag::ALL.get(usize::from(index)) {
                    self.set_flag(flag, value);
                }
            }
        }
    }

    /// Sets the name of the last start tag, as for a fragment.
    pub fn set_last_start_tag(&mut self, name: &str) {
        self.registers_between_tokens().set_last_start_tag(name);
    }

    /// Sets a flag that the table declares `by host`, or `by host and rows`, to the value with index `value`.
    pub fn set_flag(&mut self, flag: M::HostFlag, value: u8) {
        self.registers_between_tokens().set_flag(flag, value);
        self.recorder.set_flag(flag.name(), value);
    }

    /// Returns the registers, to change them between two tokens.
    fn registers_between_tokens(&mut self) -> &mut Registers<M> {
        self.assert_not_ahead();
        &mut self.registers
    }

    #[track_caller]
    fn assert_not_ahead(&self) {
        let is_ahead = self.consumed > 0 && self.recorder.batch_len > 1;
        assert!(
            !is_ahead,
            "tokens have been read ahead; call `stop_after_each` before the first one"
        );
    }

    /// Whether the end of the input was reached. It is `false` until all tokens have been read, and if the machine
    /// refused the input.
    pub fn is_at_end(&self) -> bool {
        self.recorder.is_at_end && self.next == self.recorder.tape.records.len()
    }

    /// Returns the errors found since the last call; the machine may be some tokens ahead. Empty unless `ERRORS` is
    /// set.
    pub fn take_errors(&mut self) -> Vec<ParseError> {
        std::mem::take(&mut self.recorder.errors)
    }

    /// Returns an event for each limit reached so far. The limit on attributes is the default one; a
    /// [`Tokenizer`](crate::Tokenizer) accepts others.
    pub fn events(&self) -> impl Iterator<Item = Event> + use<'a, M, ERRORS> {
        self.registers.events()
    }
}

impl<'a, M: Machine, const ERRORS: bool> Iterator for TokenReader<'a, M, ERRORS> {
    type Item = Token<'a>;

    #[inline]
    fn next(&mut self) -> Option<Token<'a>> {
        let index = self.next_index()?;
        Some(self.recorder.tape.take_token(index))
    }
}

impl<'t> Tape<'t> {
    /// Returns the token at `index`, borrowed from the tape.
    #[inline]
    fn token(&'t self, index: usize) -> TokenRef<'t> {
        let record = &self.records[index];
        let tag = TagRef { tape: self, record };
        match record.kind {
            RecordKind::Text => TokenRef::Text(self.text(record.text), record.span),
            RecordKind::StartTag => TokenRef::StartTag(tag),
            RecordKind::EndTag => TokenRef::EndTag(tag),
            RecordKind::Comment => TokenRef::Comment(Comment {
                data: self.text(record.text),
                span: record.span,
                is_inserted: record.is_inserted,
            }),
            RecordKind::Other => match &self.others[record.data_index as usize] {
                Token::Doctype(doctype) => TokenRef::Doctype(doctype),
                Token::ProcessingInstruction(instruction) => {
                    TokenRef::ProcessingInstruction(instruction)
                }
                Token::Declared(token) => TokenRef::Declared(token),
                _ => TokenRef::ShortEndTag(record.span),
            },
        }
    }
}

// Owned tokens. Texts that occur unchanged in the input are borrowed from it; others are copied.

/// An owned token, as a [`TokenReader`] yields it.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Token<'a> {
    /// A text, complete up to the next token of another kind, and its range.
    Text(Cow<'a, str>, Span),
    /// A start tag.
    StartTag(OwnedTag<'a>),
    /// An end tag.
    EndTag(OwnedTag<'a>),
    /// The data of a comment, and its range including delimiters.
    Comment(Cow<'a, str>, Span),
    /// A DOCTYPE.
    Doctype(OwnedDoctype<'a>),
    /// The range, including delimiters, of a short end tag, which has no name.
    ShortEndTag(Span),
    /// A processing instruction.
    ProcessingInstruction(ProcessingInstruction<Cow<'a, str>>),
    /// A token of a kind that the table declares.
    Declared(OwnedDeclaredToken<'a>),
}

/// A token of a kind that the table declares.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct OwnedDeclaredToken<'a> {
    /// The name of the kind.
    pub name: &'static str,
    /// The fields in table order.
    pub fields: Vec<DeclaredField<Cow<'a, str>>>,
    /// The range of the token.
    pub span: Span,
    /// Whether the token is inside another token or a text.
    pub is_inside: bool,
}

impl<'a> OwnedDeclaredToken<'a> {
    /// Converts a token passed to a sink; `to_cow` converts each text of the token.
    pub(crate) fn of(token: DeclaredToken<'_>, to_cow: impl Fn(&str) -> Cow<'a, str>) -> Self {
        let convert_field = |field: DeclaredField<&str>| DeclaredField {
            name: field.name,
            text: to_cow(field.text),
            span: field.span,
            is_missing: field.is_missing,
        };
        let fields = token.fields().map(convert_field).collect();
        Self { name: token.name(), fields, span: token.span(), is_inside: token.is_inside() }
    }
}

/// A start tag or an end tag.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct OwnedTag<'a> {
    /// The tag name.
    pub name: Cow<'a, str>,
    /// The range of the tag name.
    pub name_span: Span,
    /// The attributes in input order, without duplicates.
    pub attributes: Vec<Attribute<Cow<'a, str>>>,
    /// Whether the tag is self-closing.
    pub self_closing: bool,
    /// The range of the tag, including delimiters.
    pub span: Span,
}

/// A DOCTYPE.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct OwnedDoctype<'a> {
    /// The name of the document type, unless missing.
    pub name: Option<Cow<'a, str>>,
    /// The public identifier, unless missing.
    pub public_identifier: Option<Cow<'a, str>>,
    /// The system identifier, unless missing.
    pub system_identifier: Option<Cow<'a, str>>,
    /// Whether the force-quirks flag is on.
    pub force_quirks: bool,
    /// The range of the DOCTYPE, including delimiters.
    pub span: Span,
}

/// An iterator over the tokens of an input. It is a [`TokenReader`] that collects errors; after
/// [`stop_after_each`](TokenReader::stop_after_each), the state can be set between two tokens.
///
/// ```
/// use tabulex::html::{self, Token};
///
/// let mut names = Vec::new();
/// for token in html::tokens("<p class=a>Hello <b>world</b>") {
///     if let Token::StartTag(tag) = token {
///         names.push(tag.name);
///     }
/// }
/// assert_eq!(names, ["p", "b"]);
/// ```
pub type Tokens<'a, M> = TokenReader<'a, M, true>;
