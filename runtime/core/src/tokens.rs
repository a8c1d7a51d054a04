//! An iterator over the tokens of a whole input. Texts that occur unchanged in the input are borrowed from it; others
//! are copied.

use crate::construct::{Event, Feedback};
use crate::declared;
use crate::drive::drive;
use crate::error::ParseError;
use crate::machine::{Machine, Reason, Registers};
use crate::named::Named as _;
use crate::registers::slice_or_empty;
use crate::replacement::ReplacementLimits;
use crate::sink::{Control, Entry, MachineSink, Sink};
use crate::span::Span;
use crate::switching::SwitchingTags;
use crate::token;
use std::borrow::Cow;
use std::collections::VecDeque;

/// A token yielded by [`Tokens`].
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Token<'a> {
    /// A text, complete up to the next token of another kind, and its range.
    Text(Cow<'a, str>, Span),
    /// A start tag.
    StartTag(Tag<'a>),
    /// An end tag.
    EndTag(Tag<'a>),
    /// The data of a comment, and its range including delimiters.
    Comment(Cow<'a, str>, Span),
    /// A DOCTYPE.
    Doctype(Doctype<'a>),
    /// The range, including delimiters, of a short end tag, which has no name.
    ShortEndTag(Span),
    /// A processing instruction.
    ProcessingInstruction(ProcessingInstruction<'a>),
    /// A token of a kind that the table declares.
    Declared(DeclaredToken<'a>),
}

/// A token of a kind that the table declares.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct DeclaredToken<'a> {
    /// The name of the kind.
    pub name: &'static str,
    /// The fields in table order.
    pub fields: Vec<DeclaredField<'a>>,
    /// The range of the token.
    pub span: Span,
    /// Whether the token is inside another token or a text.
    pub is_inside: bool,
}

/// A field of a [`DeclaredToken`].
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct DeclaredField<'a> {
    /// The name.
    pub name: &'static str,
    /// The text.
    pub text: Cow<'a, str>,
    /// The input range of the text; empty at the start of the token if nothing was appended to the field.
    pub span: Span,
    /// Whether nothing was set or appended to the field.
    pub is_missing: bool,
}

impl<'a> DeclaredToken<'a> {
    /// Converts a token passed to a sink; `text` converts each text of the token.
    pub(crate) fn of(
        token: declared::DeclaredToken<'_>,
        text: impl Fn(&str) -> Cow<'a, str>,
    ) -> Self {
        let field = |field: declared::DeclaredField<'_>| DeclaredField {
            name: field.name,
            text: text(field.text),
            span: field.span,
            is_missing: field.is_missing,
        };
        let fields = token.fields().map(field).collect();
        Self { name: token.name(), fields, span: token.span(), is_inside: token.is_inside() }
    }
}

/// A processing instruction.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct ProcessingInstruction<'a> {
    /// The target.
    pub target: Cow<'a, str>,
    /// The data.
    pub data: Cow<'a, str>,
    /// The range of the processing instruction, including delimiters.
    pub span: Span,
}

/// A start tag or an end tag.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Tag<'a> {
    /// The tag name.
    pub name: Cow<'a, str>,
    /// The range of the tag name.
    pub name_span: Span,
    /// The attributes in input order, without duplicates.
    pub attributes: Vec<Attribute<'a>>,
    /// Whether the tag is self-closing.
    pub self_closing: bool,
    /// The range of the tag, including delimiters.
    pub span: Span,
}

/// An attribute.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Attribute<'a> {
    /// The name.
    pub name: Cow<'a, str>,
    /// The value; empty if none was written.
    pub value: Cow<'a, str>,
    /// The range of the name.
    pub name_span: Span,
    /// The range of the value without quotes; the empty range after the name if no value was written.
    pub value_span: Span,
}

/// A DOCTYPE.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Doctype<'a> {
    /// The name, unless missing.
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

/// An iterator over the tokens of an input. Between two tokens, the state can be set and errors can be taken.
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
    registers: Registers<M>,
    input: &'a str,
    consumed: usize,
    queue: TokenQueue<'a>,
}

#[derive(Clone, Debug)]
struct TokenQueue<'a> {
    input: &'a str,
    tokens: VecDeque<Token<'a>>,
    errors: Vec<ParseError>,
    flags: Vec<(&'static str, u8)>,
    switching_tags: SwitchingTags,
    /// The flags of tree construction; `None` if the machine does not switch after start tags.
    tree_flags: Option<Vec<(&'static str, u8)>>,
    /// The switch to apply after the start tag at which the machine has paused.
    feedback: Feedback,
    has_ended: bool,
    is_at_end: bool,
}

impl<'a, M: Machine> Tokens<'a, M> {
    /// Creates an iterator that begins in the start state. After start tags the machine switches as the table's modes
    /// require, so that there are no tags inside a script or a title. Input that the standard drops without a token,
    /// such as an incomplete tag at the end or `</>`, is covered by no token but by an error. A byte order mark
    /// (U+FEFF) at the start is dropped.
    ///
    /// Without a tree, the iterator cannot know that an element is foreign (in SVG and MathML, `title`, `style` and
    /// `script` contain markup, and CDATA sections are text), that a tag is ignored in its context (in a frameset,
    /// say), that a line feed right after `<pre>` is dropped, or what a script writes.
    pub fn new(input: &'a str) -> Self {
        let mut tokens = Self::raw(input);
        tokens.registers.keeps_bom = false;
        tokens.queue.tree_flags = Some(Vec::new());
        tokens
    }

    /// Creates an iterator over the machine's own tokens, as test suites of tokenizers expect them: no mode switches
    /// the state, and a byte order mark is a character.
    pub fn raw(input: &'a str) -> Self {
        let queue = TokenQueue {
            input,
            tokens: VecDeque::new(),
            errors: Vec::new(),
            flags: Vec::new(),
            switching_tags: const { SwitchingTags::of::<M>() },
            tree_flags: None,
            feedback: Feedback::None,
            has_ended: false,
            is_at_end: false,
        };
        let mut registers = Registers::new();
        registers.keeps_bom = true;
        Self { registers, input, consumed: 0, queue }
    }

    /// Keeps a byte order mark at the start of the input as a character.
    pub fn keep_byte_order_mark(&mut self) {
        self.registers.keeps_bom = true;
    }

    /// Sets whether scripting is enabled, which decides some switches of the machine; see
    /// [`Options::scripting`](crate::Options::scripting).
    #[must_use]
    pub fn scripting(self, scripting: bool) -> Self {
        self.tree_flag("scripting", u8::from(scripting))
    }

    /// Sets a flag of tree construction that the table declares `by host`, by the index of its value.
    #[must_use]
    pub fn tree_flag(mut self, name: &'static str, value: u8) -> Self {
        if let Some(flags) = &mut self.queue.tree_flags {
            flags.retain(|(other, _)| *other != name);
            flags.push((name, value));
        }
        self
    }

    /// Limits the text that the input may insert into itself; text beyond the limits is reported as an error.
    #[must_use]
    pub fn with_replacement_limits(mut self, limits: ReplacementLimits) -> Self {
        self.registers.set_replacement_limits(limits);
        self
    }

    /// Returns the state that consumes the next character.
    pub fn state(&self) -> M::State {
        self.registers.state
    }

    /// Switches to a state, as tree construction does after a start tag.
    pub fn set_state(&mut self, state: M::State) {
        self.registers.state = state;
    }

    /// Switches to the state or flag value that `entry` names. An entry of another dialect has no effect.
    pub fn enter(&mut self, entry: Entry) {
        match entry {
            Entry::State(_) => self.registers.enter(entry),
            Entry::Flag(index, value) => {
                if let Some(&flag) = M::HostFlag::ALL.get(usize::from(index)) {
                    self.set_flag(flag, value);
                }
            }
        }
    }

    /// Sets the name of the last start tag, as for a fragment.
    pub fn set_last_start_tag(&mut self, name: &str) {
        self.registers.set_last_start_tag(name);
    }

    /// Sets a flag that the host sets, by the index of its value.
    pub fn set_flag(&mut self, flag: M::HostFlag, value: u8) {
        self.queue.flags.retain(|(other, _)| *other != flag.name());
        self.queue.flags.push((flag.name(), value));
        self.registers.set_flag(flag, value);
    }

    /// Whether the end of the input was reached. It is `false` until all tokens have been read, and if the machine
    /// refused the input.
    pub fn is_at_end(&self) -> bool {
        self.queue.is_at_end
    }

    /// Returns the errors found since the last call.
    pub fn take_errors(&mut self) -> Vec<ParseError> {
        self.registers.search_input(&mut self.queue, self.input, self.consumed);
        std::mem::take(&mut self.queue.errors)
    }

    /// Returns the events of limits reached so far. The limits are the default ones; a [`Tokenizer`](crate::Tokenizer)
    /// accepts others.
    pub fn events(&self) -> impl Iterator<Item = Event> + use<'a, M> {
        self.registers.events()
    }
}

impl<'a, M: Machine> Iterator for Tokens<'a, M> {
    type Item = Token<'a>;

    fn next(&mut self) -> Option<Token<'a>> {
        // A text is complete only once the next token or the end is known.
        loop {
            let is_complete = match self.queue.tokens.front() {
                Some(Token::Text(..)) => self.queue.tokens.len() > 1 || self.queue.has_ended,
                Some(_) => true,
                None => self.queue.has_ended,
            };
            if is_complete {
                return self.queue.tokens.pop_front();
            }
            let queue = &mut self.queue;
            let stop = drive(&mut self.registers, self.input, self.consumed, true, queue);
            self.consumed = stop.consumed;
            self.queue.has_ended |= stop.reason != Reason::Pause;
            if let Some(entry) = std::mem::take(&mut self.queue.feedback).entry() {
                self.registers.enter(entry);
            }
        }
    }
}

/// Returns the offset of `text` in `input` by address; meaningless if `text` is not a slice of `input`.
#[inline]
pub(crate) fn offset_in(input: &str, text: &str) -> usize {
    (text.as_ptr() as usize).wrapping_sub(input.as_ptr() as usize)
}

/// Joins two slices of the input; `None` if the second does not directly follow the first, or the first is a copy.
fn join_adjacent<'a>(input: &'a str, before: &Cow<'a, str>, after: &str) -> Option<&'a str> {
    let Cow::Borrowed(before) = before else { return None };
    let start = offset_in(input, before);
    let end = start.wrapping_add(before.len());
    input.get(start..end.wrapping_add(after.len())).filter(|_| offset_in(input, after) == end)
}

impl<'a> TokenQueue<'a> {
    /// Returns the text, borrowed if its address shows that it is a slice of the input, otherwise copied.
    #[inline]
    fn borrow(&self, text: &str) -> Cow<'a, str> {
        let offset = offset_in(self.input, text);
        if offset <= self.input.len() && text.len() <= self.input.len() - offset {
            return Cow::Borrowed(slice_or_empty(self.input, offset, offset + text.len()));
        }
        Cow::Owned(text.to_owned())
    }

    /// Borrows the text at a range of the input.
    #[inline]
    fn slice(&self, span: Span) -> Cow<'a, str> {
        Cow::Borrowed(slice_or_empty(self.input, span.start, span.end))
    }

    #[inline]
    fn tag(&self, tag: token::Tag<'_>) -> Tag<'a> {
        let attributes = match tag.verbatim_attributes() {
            Some(records) => records
                .iter()
                .map(|record| Attribute {
                    name: self.slice(record.name),
                    value: self.slice(record.value),
                    name_span: record.name,
                    value_span: record.value,
                })
                .collect(),
            None => self.copy_attributes(tag),
        };
        Tag {
            name: match tag.verbatim_name() {
                Some(span) => self.slice(span),
                None => self.borrow(tag.name()),
            },
            name_span: tag.name_span(),
            attributes,
            self_closing: tag.self_closing(),
            span: tag.span(),
        }
    }

    /// Returns the attributes of a tag that are not all known to equal their input ranges.
    #[cold]
    #[inline(never)]
    fn copy_attributes(&self, tag: token::Tag<'_>) -> Vec<Attribute<'a>> {
        let attribute = |attribute: token::Attribute<'_>| Attribute {
            name: self.borrow(attribute.name),
            value: self.borrow(attribute.value),
            name_span: attribute.name_span,
            value_span: attribute.value_span,
        };
        tag.attributes().map(attribute).collect()
    }
}

impl MachineSink for TokenQueue<'_> {}

impl Sink for TokenQueue<'_> {
    #[inline]
    fn text(&mut self, text: token::Text<'_>) -> Control {
        match self.tokens.back_mut() {
            Some(Token::Text(before, span)) => {
                match join_adjacent(self.input, before, text.text) {
                    Some(joined) => *before = Cow::Borrowed(joined),
                    None => before.to_mut().push_str(text.text),
                }
                span.end = text.span.end;
            }
            _ => {
                let piece = self.borrow(text.text);
                self.tokens.push_back(Token::Text(piece, text.span));
            }
        }
        Control::Continue
    }

    #[inline]
    fn start_tag(&mut self, tag: token::Tag<'_>) -> Control {
        if let Some(flags) = &self.tree_flags
            && self.switching_tags.may_have(tag.name_bytes())
        {
            self.feedback = (self.switching_tags.after)(tag.name(), flags);
        }
        let tag = self.tag(tag);
        self.tokens.push_back(Token::StartTag(tag));
        Control::Pause
    }

    #[inline]
    fn end_tag(&mut self, tag: token::Tag<'_>) -> Control {
        let tag = self.tag(tag);
        self.tokens.push_back(Token::EndTag(tag));
        Control::Pause
    }

    #[inline]
    fn comment(&mut self, comment: token::Comment<'_>) -> Control {
        let data = self.borrow(comment.data);
        self.tokens.push_back(Token::Comment(data, comment.span));
        Control::Pause
    }

    fn doctype(&mut self, doctype: token::Doctype<'_>) -> Control {
        let token = Doctype {
            name: doctype.name().map(|text| self.borrow(text)),
            public_identifier: doctype.public_identifier().map(|text| self.borrow(text)),
            system_identifier: doctype.system_identifier().map(|text| self.borrow(text)),
            force_quirks: doctype.force_quirks(),
            span: doctype.span(),
        };
        self.tokens.push_back(Token::Doctype(token));
        Control::Pause
    }

    fn short_end_tag(&mut self, tag: token::ShortEndTag) -> Control {
        self.tokens.push_back(Token::ShortEndTag(tag.span));
        Control::Pause
    }

    fn processing_instruction(&mut self, instruction: token::ProcessingInstruction<'_>) -> Control {
        let (target, data) = (self.borrow(instruction.target), self.borrow(instruction.data));
        let instruction = ProcessingInstruction { target, data, span: instruction.span };
        self.tokens.push_back(Token::ProcessingInstruction(instruction));
        Control::Pause
    }

    fn declared_token(&mut self, token: declared::DeclaredToken<'_>) -> Control {
        let token = DeclaredToken::of(token, |text| self.borrow(text));
        self.tokens.push_back(Token::Declared(token));
        Control::Pause
    }

    #[inline]
    fn end_of_file(&mut self, offset: usize) {
        let _ = offset;
        self.has_ended = true;
        self.is_at_end = true;
    }

    fn error(&mut self, error: ParseError) {
        self.errors.push(error);
    }

    fn flag(&mut self, flag: &'static str) -> u8 {
        self.flags.iter().find(|(other, _)| *other == flag).map_or(0, |&(_, value)| value)
    }
}
