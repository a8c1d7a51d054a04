//! Tokens one by one, lent: a loop over a whole input without an allocation for each token. It owns no token. Invariant: the tokens
//! are those of [`Tokens`](crate::Tokens), and what a token borrows ends with the next one.

mod tape;

use crate::construct::Event;
use crate::drive::drive;
use crate::error::Error;
use crate::machine::{Machine, Reason, Registers};
use crate::owned;
use crate::replacement::ReplacementLimits;
use crate::span::Span;
use crate::token::{Attribute, Comment, ProcessingInstruction};
use tape::{Kind, Recorder, Tape};

/// A token that a [`TokenReader`] lends.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub enum TokenRef<'t> {
    /// Text, all that is between two other tokens, and its range.
    Text(&'t str, Span),
    /// A start tag.
    StartTag(TagRef<'t>),
    /// An end tag.
    EndTag(TagRef<'t>),
    /// A comment.
    Comment(Comment<'t>),
    /// A DOCTYPE.
    Doctype(&'t owned::Doctype<'t>),
    /// A short end tag, which has no name: its range with the delimiters.
    ShortEndTag(Span),
    /// A processing instruction.
    ProcessingInstruction(ProcessingInstruction<'t>),
    /// A token of a kind that the table declares.
    Declared(&'t owned::DeclaredToken<'t>),
}

/// A tag that a [`TokenReader`] lends. Its attributes are read when they are asked for.
#[derive(Clone, Copy, Debug)]
pub struct TagRef<'t> {
    tape: &'t Tape<'t>,
    record: &'t tape::Record,
}

impl<'t> TagRef<'t> {
    /// The tag name.
    #[inline]
    pub fn name(&self) -> &'t str {
        self.tape.text(self.record.text)
    }

    /// The range of the tag name.
    pub fn name_span(&self) -> Span {
        self.record.name_span
    }

    /// The range of the tag, delimiters included.
    #[inline]
    pub fn span(&self) -> Span {
        self.record.span
    }

    /// Whether the self-closing flag is set.
    pub fn self_closing(&self) -> bool {
        self.record.self_closing
    }

    /// Whether it comes from a text that a row has inserted, see [`Text::is_inserted`](crate::Text::is_inserted).
    pub fn is_inserted(&self) -> bool {
        self.record.is_inserted
    }

    /// Whether an attribute was left out because an earlier one has its name.
    pub fn had_duplicate_attributes(&self) -> bool {
        self.record.had_duplicates
    }

    /// The attributes in the order of the input, duplicates left out.
    #[inline]
    pub fn attributes(&self) -> impl ExactSizeIterator<Item = Attribute<'t>> + use<'t> {
        let tape = self.tape;
        tape.attributes(self.record).iter().map(|attribute| tape.attribute(attribute))
    }

    /// The value of the attribute of this name.
    pub fn attribute(&self, name: &str) -> Option<&'t str> {
        let found = self.attributes().find(|attribute| attribute.name == name);
        found.map(|attribute| attribute.value)
    }
}

/// The tokens of an input, each lent until the next one is asked for.
///
/// | layer | for what |
/// | --- | --- |
/// | [`Tokens`](crate::Tokens) | an iterator whose tokens are yours; between two of them the state can be set |
/// | [`TokenReader`] | a loop over a whole input, for speed: nothing is allocated for a token |
/// | [`Tokenizer`](crate::Tokenizer) and [`Sink`](crate::Sink) | chunks, pauses, hosts that decide how it goes on |
/// | [`Parser`](crate::Parser) | trees, of [`Tree`](crate::tree::Tree) or one's own |
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
/// Errors are collected only by a reader that was made for it:
///
/// ```
/// use tabulex::TokenReader;
/// use tabulex::html::{ErrorCode, Html};
///
/// let mut tokens = TokenReader::<Html, true>::new("<p =>");
/// while tokens.next_token().is_some() {}
/// let codes: Vec<_> = tokens.take_errors().into_iter().map(|error| error.code).collect();
/// assert_eq!(codes, [ErrorCode::UnexpectedEqualsSignBeforeAttributeName]);
/// ```
#[derive(Clone, Debug)]
pub struct TokenReader<'a, M: Machine, const ERRORS: bool = false> {
    core: Registers<M>,
    consumed: usize,
    recorder: Recorder<'a, M, ERRORS>,
    /// The next token on the tape.
    next: usize,
}

impl<'a, M: Machine, const ERRORS: bool> TokenReader<'a, M, ERRORS> {
    /// The tokens of the input, from the start state on. After a start tag the machine goes on as the rows of the table's
    /// modes say: see [`Tokens::new`](crate::Tokens::new), also for what only a tree knows. A byte order mark at the
    /// beginning, U+FEFF, is left out.
    pub fn new(input: &'a str) -> Self {
        let recorder = Recorder::new(input, Some(Vec::new()));
        Self { core: Registers::new(), consumed: 0, recorder, next: 0 }
    }

    /// The tokens of the machine alone: see [`Tokens::raw`](crate::Tokens::raw).
    pub fn raw(input: &'a str) -> Self {
        let recorder = Recorder::new(input, None);
        let mut core = Registers::new();
        core.keeps_mark = true;
        Self { core, consumed: 0, recorder, next: 0 }
    }

    /// Whether scripting is enabled for what makes the machine switch, as [`Options::scripting`](crate::Options::scripting)
    /// does for trees.
    #[must_use]
    pub fn scripting(self, scripting: bool) -> Self {
        self.tree_flag("scripting", u8::from(scripting))
    }

    /// The value, by index, of a flag of tree construction that the table declares `by host`.
    #[must_use]
    pub fn tree_flag(mut self, name: &'static str, value: u8) -> Self {
        self.recorder.set_tree_flag(name, value);
        self
    }

    /// Limits the text that the input may put into itself; what is more is reported as an error.
    #[must_use]
    pub fn with_replacement_limits(mut self, limits: ReplacementLimits) -> Self {
        self.core.set_replacement_limits(limits);
        self
    }

    /// The next token; none after the last one.
    #[inline]
    pub fn next_token(&mut self) -> Option<TokenRef<'_>> {
        if self.next == self.recorder.tape.records.len() && !self.read_more() {
            return None;
        }
        let index = self.next;
        self.next += 1;
        Some(self.recorder.tape.token(index))
    }

    /// Records more tokens. Whether there are any.
    #[inline(never)]
    fn read_more(&mut self) -> bool {
        self.next = 0;
        self.recorder.tape.clear();
        // A row may emit text after the tag at which the machine stops: the text goes on then.
        while self.recorder.tape.records.last().is_none_or(|last| last.kind == Kind::Text) {
            if self.recorder.has_ended {
                return !self.recorder.tape.records.is_empty();
            }
            let input = self.recorder.tape.input;
            let stop = drive(&mut self.core, input, self.consumed, true, &mut self.recorder);
            self.consumed = stop.consumed;
            if ERRORS {
                self.core.search_input(&mut self.recorder, input, stop.consumed);
            }
            self.recorder.has_ended |= stop.reason != Reason::Pause;
        }
        true
    }

    /// Whether the end of the input was reached. It is not before all tokens were asked for, nor where the machine
    /// refuses the input.
    pub fn is_at_end(&self) -> bool {
        self.recorder.is_at_end && self.next == self.recorder.tape.records.len()
    }

    /// The errors that have been met since the last call; the machine may be some tokens ahead. Always none if `ERRORS` is
    /// not set.
    pub fn take_errors(&mut self) -> Vec<Error<M::Error>> {
        std::mem::take(&mut self.recorder.errors)
    }

    /// What was left out so far because of limits, which are the default ones: a tokenizer with others is
    /// [`Tokenizer`](crate::Tokenizer).
    pub fn events(&self) -> impl Iterator<Item = Event> + use<'a, M, ERRORS> {
        self.core.events()
    }
}

impl<'t> Tape<'t> {
    /// The token that was recorded at this place.
    #[inline]
    fn token(&'t self, index: usize) -> TokenRef<'t> {
        let record = &self.records[index];
        let tag = TagRef { tape: self, record };
        match record.kind {
            Kind::Text => TokenRef::Text(self.text(record.text), record.span),
            Kind::StartTag => TokenRef::StartTag(tag),
            Kind::EndTag => TokenRef::EndTag(tag),
            Kind::Comment => TokenRef::Comment(Comment {
                data: self.text(record.text),
                span: record.span,
                is_inserted: record.is_inserted,
            }),
            Kind::Doctype => TokenRef::Doctype(&self.doctypes[record.first]),
            Kind::Declared => TokenRef::Declared(&self.declared[record.first]),
            Kind::ShortEndTag => TokenRef::ShortEndTag(record.span),
            Kind::ProcessingInstruction => TokenRef::ProcessingInstruction(ProcessingInstruction {
                target: self.text(record.text),
                data: self.text(self.data[record.first]),
                span: record.span,
                is_inserted: record.is_inserted,
            }),
        }
    }
}
