//! A lending reader of tokens, for loops over a whole input without an allocation per token. It reads the same tokens
//! as [`Tokens`](crate::Tokens).

mod tape;

use crate::construct::Event;
use crate::drive::drive;
use crate::error::ParseError;
use crate::machine::{Machine, Reason, Registers};
use crate::replacement::ReplacementLimits;
use crate::span::Span;
use crate::token::{Attribute, Comment, ProcessingInstruction};
use crate::tokens::{OwnedDeclaredToken, OwnedDoctype};
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
    ProcessingInstruction(ProcessingInstruction<'t>),
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
        self.tape.name_span(self.record)
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
    pub fn attributes(&self) -> impl ExactSizeIterator<Item = Attribute<'t>> + use<'t> {
        let tape = self.tape;
        tape.attributes(self.record).iter().map(|attribute| tape.attribute(attribute))
    }

    /// Returns the value of the attribute called `name`, or `None` if the tag has no such attribute.
    pub fn attribute(&self, name: &str) -> Option<&'t str> {
        let attribute = self.attributes().find(|attribute| attribute.name == name);
        attribute.map(|attribute| attribute.value)
    }
}

/// A lending iterator over the tokens of an input: each token is borrowed until the next one is read.
///
/// | layer | use |
/// | --- | --- |
/// | [`Tokens`](crate::Tokens) | an iterator of owned tokens; the state can be set between two of them |
/// | [`TokenReader`] | a fast loop over a whole input, without an allocation per token |
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
    pub(crate) registers: Registers<M>,
    pub(crate) consumed: usize,
    pub(crate) recorder: Recorder<'a, ERRORS>,
    /// The index of the next token on the tape.
    next: usize,
}

impl<'a, M: Machine, const ERRORS: bool> TokenReader<'a, M, ERRORS> {
    /// Creates a reader that begins in the start state. After start tags the machine switches as the table's modes
    /// require; see [`Tokens::new`](crate::Tokens::new), also for the switches that only a tree determines. A byte
    /// order mark (U+FEFF) at the start is dropped.
    pub fn new(input: &'a str) -> Self {
        let recorder = Recorder::new::<M>(input, Some(Vec::new()));
        Self { registers: Registers::new(), consumed: 0, recorder, next: 0 }
    }

    /// Creates a reader of the machine's own tokens; see [`Tokens::raw`](crate::Tokens::raw).
    pub fn raw(input: &'a str) -> Self {
        let recorder = Recorder::new::<M>(input, None);
        let mut registers = Registers::new();
        registers.keeps_bom = true;
        Self { registers, consumed: 0, recorder, next: 0 }
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
    pub(crate) fn next_index(&mut self) -> Option<usize> {
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
            let stop = drive(&mut self.registers, input, self.consumed, true, &mut self.recorder);
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
            RecordKind::Doctype => TokenRef::Doctype(&self.doctypes[record.data_index as usize]),
            RecordKind::Declared => TokenRef::Declared(&self.declared[record.data_index as usize]),
            RecordKind::ShortEndTag => TokenRef::ShortEndTag(record.span),
            RecordKind::ProcessingInstruction => {
                TokenRef::ProcessingInstruction(ProcessingInstruction {
                    target: self.text(record.text),
                    data: self.text(self.data[record.data_index as usize]),
                    span: record.span,
                    is_inserted: record.is_inserted,
                })
            }
        }
    }
}
