//! An iterator over the tokens of a whole input. Texts that occur unchanged in the input are borrowed from it; others
//! are copied.

use crate::construct::Event;
use crate::declared;
use crate::error::ParseError;
use crate::machine::{Machine, Registers};
use crate::named::Named as _;
use crate::replacement::ReplacementLimits;
use crate::sink::Entry;
use crate::span::Span;
use crate::token_reader::TokenReader;
use std::borrow::Cow;

/// A token yielded by [`Tokens`].
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
    ProcessingInstruction(OwnedProcessingInstruction<'a>),
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
    pub fields: Vec<OwnedDeclaredField<'a>>,
    /// The range of the token.
    pub span: Span,
    /// Whether the token is inside another token or a text.
    pub is_inside: bool,
}

/// A field of an [`OwnedDeclaredToken`].
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct OwnedDeclaredField<'a> {
    /// The name of the field.
    pub name: &'static str,
    /// The text of the field; empty if the field is missing.
    pub text: Cow<'a, str>,
    /// The input range of the text; the empty range at the start of the token if the field is missing.
    pub span: Span,
    /// Whether nothing was set or appended to the field.
    pub is_missing: bool,
}

impl<'a> OwnedDeclaredToken<'a> {
    /// Converts a token passed to a sink; `to_cow` converts each text of the token.
    pub(crate) fn of(
        token: declared::DeclaredToken<'_>,
        to_cow: impl Fn(&str) -> Cow<'a, str>,
    ) -> Self {
        let convert_field = |field: declared::DeclaredField<'_>| OwnedDeclaredField {
            name: field.name,
            text: to_cow(field.text),
            span: field.span,
            is_missing: field.is_missing,
        };
        let fields = token.fields().map(convert_field).collect();
        Self { name: token.name(), fields, span: token.span(), is_inside: token.is_inside() }
    }
}

/// A processing instruction.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct OwnedProcessingInstruction<'a> {
    /// The target of the instruction.
    pub target: Cow<'a, str>,
    /// The data of the instruction.
    pub data: Cow<'a, str>,
    /// The range of the processing instruction, including delimiters.
    pub span: Span,
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
    pub attributes: Vec<OwnedAttribute<'a>>,
    /// Whether the tag is self-closing.
    pub self_closing: bool,
    /// The range of the tag, including delimiters.
    pub span: Span,
}

/// An attribute.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct OwnedAttribute<'a> {
    /// The name of the attribute.
    pub name: Cow<'a, str>,
    /// The value; empty if none was written.
    pub value: Cow<'a, str>,
    /// The range of the name; for a default attribute that the document declares, the empty range at the end of the
    /// tag.
    pub name_span: Span,
    /// The range of the value without quotes; the empty range after the name if no value was written.
    pub value_span: Span,
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

/// An iterator over the tokens of an input. After [`stop_after_each`](Self::stop_after_each), the state can be set
/// between two tokens.
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
#[derive(Clone, Debug)]
pub struct Tokens<'a, M: Machine> {
    reader: TokenReader<'a, M, true>,
}

impl<'a, M: Machine> Tokens<'a, M> {
    /// Creates an iterator that begins in the start state. After start tags the machine switches as the table's modes
    /// require, so that there are no tags inside a script or a title. Input that the standard drops without a token,
    /// such as an incomplete tag at the end or `</>`, is covered by no token but by an error. A byte order mark
    /// (U+FEFF) at the start is dropped.
    ///
    /// The machine reads some tokens ahead, so states and flags are set before the first token is read.
    ///
    /// Without a tree, the iterator cannot know that an element is foreign (in SVG and MathML, `title`, `style` and
    /// `script` contain markup, and CDATA sections are text), that a tag is ignored in its context (in a frameset,
    /// say), that a line feed right after `<pre>` is dropped, or what a script writes.
    pub fn new(input: &'a str) -> Self {
        Self { reader: TokenReader::new(input) }
    }

    /// Creates an iterator over the machine's own tokens, as test suites of tokenizers expect them: no mode switches
    /// the state, and a byte order mark is a character. The machine [stops after each](Self::stop_after_each).
    pub fn raw(input: &'a str) -> Self {
        let mut tokens = Self { reader: TokenReader::raw(input) };
        tokens.stop_after_each();
        tokens
    }

    /// Makes the machine stop after each token other than a text, instead of reading tokens ahead, so that the state
    /// can be set between two tokens.
    ///
    /// # Panics
    /// If tokens have been read ahead.
    pub fn stop_after_each(&mut self) {
        self.assert_not_ahead();
        self.reader.recorder.batch_len = 1;
    }

    /// Keeps a byte order mark at the start of the input as a character, unless the table drops it.
    ///
    /// # Panics
    /// If tokens have been read ahead, unless the machine [stops after each](Self::stop_after_each).
    pub fn keep_byte_order_mark(&mut self) {
        self.registers().keeps_bom = true;
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
        self.reader = self.reader.host_flag(name, value);
        self
    }

    /// Limits the text that the input may insert into itself; text beyond the limits is reported as an error.
    #[must_use]
    pub fn with_replacement_limits(mut self, limits: ReplacementLimits) -> Self {
        self.reader = self.reader.with_replacement_limits(limits);
        self
    }

    /// Returns the state that consumes the next character. Unless the machine [stops](Self::stop_after_each), it may be
    /// some tokens ahead.
    pub fn state(&self) -> M::State {
        self.reader.registers.state
    }

    /// Switches to a state, as tree construction does after a start tag.
    ///
    /// # Panics
    /// If tokens have been read ahead, unless the machine [stops after each](Self::stop_after_each).
    pub fn set_state(&mut self, state: M::State) {
        self.registers().state = state;
    }

    /// Switches to the state, or sets the flag to the value, that `entry` names. `entry` must come from the same
    /// dialect, because it holds indices into the dialect's table.
    ///
    /// # Panics
    /// If tokens have been read ahead, unless the machine [stops after each](Self::stop_after_each).
    pub fn enter(&mut self, entry: Entry) {
        match entry {
            Entry::State(_) => self.registers().enter(entry),
            Entry::Flag(index, value) => {
                if let Some(&flag) = M::HostFlag::ALL.get(usize::from(index)) {
                    self.set_flag(flag, value);
                }
            }
        }
    }

    /// Sets the name of the last start tag, as for a fragment.
    ///
    /// # Panics
    /// If tokens have been read ahead, unless the machine [stops after each](Self::stop_after_each).
    pub fn set_last_start_tag(&mut self, name: &str) {
        self.registers().set_last_start_tag(name);
    }

    /// Sets a flag that the table declares `by host`, or `by host and rows`, to the value with index `value`.
    ///
    /// # Panics
    /// If tokens have been read ahead, unless the machine [stops after each](Self::stop_after_each).
    pub fn set_flag(&mut self, flag: M::HostFlag, value: u8) {
        self.registers().set_flag(flag, value);
        self.reader.recorder.set_flag(flag.name(), value);
    }

    /// Returns the registers, to change them between two tokens.
    fn registers(&mut self) -> &mut Registers<M> {
        self.assert_not_ahead();
        &mut self.reader.registers
    }

    #[track_caller]
    fn assert_not_ahead(&self) {
        let is_ahead = self.reader.consumed > 0 && self.reader.recorder.batch_len > 1;
        assert!(
            !is_ahead,
            "tokens have been read ahead; call `stop_after_each` before the first one"
        );
    }

    /// Whether the end of the input was reached. It is `false` until all tokens have been read, and if the machine
    /// refused the input.
    pub fn is_at_end(&self) -> bool {
        self.reader.is_at_end()
    }

    /// Returns the errors found since the last call. Unless the machine [stops](Self::stop_after_each), it may be some
    /// tokens ahead.
    pub fn take_errors(&mut self) -> Vec<ParseError> {
        self.reader.take_errors()
    }

    /// Returns an event for each limit reached so far. The limit on attributes is the default one; a
    /// [`Tokenizer`](crate::Tokenizer) accepts others.
    pub fn events(&self) -> impl Iterator<Item = Event> + use<'a, M> {
        self.reader.events()
    }
}

impl<'a, M: Machine> Iterator for Tokens<'a, M> {
    type Item = Token<'a>;

    #[inline]
    fn next(&mut self) -> Option<Token<'a>> {
        let index = self.reader.next_index()?;
        Some(self.reader.recorder.tape.take_token(index))
    }
}
