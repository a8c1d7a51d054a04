//! Tokens as an iterator over a whole input: the easiest way, and the one that owns what it must. It is not the fastest:
//! a sink is. Invariant: texts that the input holds unchanged are borrowed from it.

use crate::construct::{Event, Feedback};
use crate::declared;
use crate::drive::drive;
use crate::error::Error;
use crate::machine::{Machine, Reason, Registers};
use crate::replacement::ReplacementLimits;
use crate::sink::{Control, Sink};
use crate::span::Span;
use crate::switching::feedback_after;
use crate::token;
use std::borrow::Cow;
use std::collections::VecDeque;

/// A token that an iterator yields.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Token<'a> {
    /// Text, all that is between two other tokens.
    Text(Cow<'a, str>, Span),
    /// A start tag.
    StartTag(Tag<'a>),
    /// An end tag.
    EndTag(Tag<'a>),
    /// A comment: its data, and its range with the delimiters.
    Comment(Cow<'a, str>, Span),
    /// A DOCTYPE.
    Doctype(Doctype<'a>),
    /// A short end tag, which has no name: its range with the delimiters.
    ShortEndTag(Span),
    /// A processing instruction.
    ProcessingInstruction(ProcessingInstruction<'a>),
    /// A token of a kind that the table declares.
    Declared(DeclaredToken<'a>),
}

/// A token of a declared kind that an iterator yields.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct DeclaredToken<'a> {
    /// The name of its kind.
    pub name: &'static str,
    /// Its fields in the table's order.
    pub fields: Vec<DeclaredField<'a>>,
    /// The range of the token.
    pub span: Span,
    /// Whether it is part of another token, or of a text.
    pub is_inside: bool,
}

/// A field of such a token.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct DeclaredField<'a> {
    /// Its name.
    pub name: &'static str,
    /// Its text.
    pub text: Cow<'a, str>,
    /// The range that the text comes from; where nothing was added to it, the place at which the token begins.
    pub span: Span,
}

impl<'a> DeclaredToken<'a> {
    /// The token with what the function makes of its texts.
    pub(crate) fn of(
        token: declared::DeclaredToken<'_>,
        text: impl Fn(&str) -> Cow<'a, str>,
    ) -> Self {
        let field = |field: declared::DeclaredField<'_>| DeclaredField {
            name: field.name,
            text: text(field.text),
            span: field.span,
        };
        let fields = token.fields().map(field).collect();
        Self { name: token.name(), fields, span: token.span(), is_inside: token.is_inside() }
    }
}

/// A processing instruction that an iterator yields.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct ProcessingInstruction<'a> {
    /// Its target.
    pub target: Cow<'a, str>,
    /// Its data.
    pub data: Cow<'a, str>,
    /// The range of the processing instruction, delimiters included.
    pub span: Span,
}

/// A tag that an iterator yields.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Tag<'a> {
    /// The tag name.
    pub name: Cow<'a, str>,
    /// The range of the tag name.
    pub name_span: Span,
    /// The attributes in the order of the input, duplicates left out.
    pub attributes: Vec<Attribute<'a>>,
    /// Whether the self-closing flag is set.
    pub self_closing: bool,
    /// The range of the tag, delimiters included.
    pub span: Span,
}

/// An attribute that an iterator yields.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Attribute<'a> {
    /// Its name.
    pub name: Cow<'a, str>,
    /// Its value; empty if none was written.
    pub value: Cow<'a, str>,
    /// The range of the name.
    pub name_span: Span,
    /// The range of the value, quotes left out; the empty range after the name if no value was written.
    pub value_span: Span,
}

/// A DOCTYPE that an iterator yields.
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
    /// The range of the DOCTYPE, delimiters included.
    pub span: Span,
}

/// The tokens of an input. Between two tokens, the state can be set and errors can be taken.
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
    core: Registers<M>,
    input: &'a str,
    consumed: usize,
    queue: Queue<'a, M>,
}

#[derive(Clone, Debug)]
struct Queue<'a, M: Machine> {
    input: &'a str,
    tokens: VecDeque<Token<'a>>,
    errors: Vec<Error<M::Error>>,
    flags: Vec<(M::HostFlag, u8)>,
    /// The flags of tree construction, if the machine goes on after start tags as that would make it.
    switches: Option<Vec<(&'static str, u8)>>,
    /// What is to be done about the start tag at which the machine has paused.
    feedback: Feedback,
    has_ended: bool,
    is_at_end: bool,
}

impl<'a, M: Machine> Tokens<'a, M> {
    /// The tokens of the input, from the start state on. After a start tag the machine goes on as the rows of the table's
    /// modes say, so that there are no tags in what a script or a title holds. No token covers what the standard makes none
    /// of: a tag that the input ends in, and `</>`; errors do. A byte order mark at the beginning, U+FEFF,
    /// is left out.
    ///
    /// What only a tree knows is left to a parser: that an element is foreign (in SVG and MathML `title`, `style` and
    /// `script` hold markup, and CDATA sections are text), that a tag is ignored where it stands (in a frameset, say),
    /// that a line feed right after `<pre>` is dropped, and what a script writes.
    pub fn new(input: &'a str) -> Self {
        let mut tokens = Self::raw(input);
        tokens.core.keeps_mark = false;
        tokens.queue.switches = Some(Vec::new());
        tokens
    }

    /// The tokens of the machine alone, as suites for tokenizers have them: no row of modes makes it switch, and a byte
    /// order mark is a character.
    pub fn raw(input: &'a str) -> Self {
        let queue = Queue {
            input,
            tokens: VecDeque::new(),
            errors: Vec::new(),
            flags: Vec::new(),
            switches: None,
            feedback: Feedback::None,
            has_ended: false,
            is_at_end: false,
        };
        let mut core = Registers::new();
        core.keeps_mark = true;
        Self { core, input, consumed: 0, queue }
    }

    /// Takes a byte order mark at the beginning of the input for a character.
    pub fn keep_byte_order_mark(&mut self) {
        self.core.keeps_mark = true;
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
        if let Some(flags) = &mut self.queue.switches {
            flags.retain(|(other, _)| *other != name);
            flags.push((name, value));
        }
        self
    }

    /// Limits the text that the input may put into itself; what is more is reported as an error.
    #[must_use]
    pub fn with_replacement_limits(mut self, limits: ReplacementLimits) -> Self {
        self.core.set_replacement_limits(limits);
        self
    }

    /// The state that the next character will be consumed in.
    pub fn state(&self) -> M::State {
        self.core.state
    }

    /// Switches to the state, as tree construction does after a start tag.
    pub fn set_state(&mut self, state: M::State) {
        self.core.state = state;
    }

    /// Makes this the name of the last start tag, as for a fragment.
    pub fn set_last_start_tag(&mut self, name: &str) {
        self.core.set_last_start_tag(name);
    }

    /// Sets a flag of the host to one of its values, by index.
    pub fn set_flag(&mut self, flag: M::HostFlag, value: u8) {
        self.queue.flags.retain(|(other, _)| *other != flag);
        self.queue.flags.push((flag, value));
        self.core.set_flag(flag, value);
    }

    /// Whether the end of the input was reached. It is not before all tokens were asked for, nor where the machine
    /// refuses the input.
    pub fn is_at_end(&self) -> bool {
        self.queue.is_at_end
    }

    /// The errors that have been met since the last call.
    pub fn take_errors(&mut self) -> Vec<Error<M::Error>> {
        std::mem::take(&mut self.queue.errors)
    }

    /// What was left out so far because of limits, which are the default ones: a tokenizer with others is
    /// [`Tokenizer`](crate::Tokenizer).
    pub fn events(&self) -> impl Iterator<Item = Event> + use<'a, M> {
        self.core.events()
    }
}

impl<'a, M: Machine> Iterator for Tokens<'a, M> {
    type Item = Token<'a>;

    fn next(&mut self) -> Option<Token<'a>> {
        // A text is complete only when the next token, or the end, is there.
        loop {
            let complete = match self.queue.tokens.front() {
                Some(Token::Text(..)) => self.queue.tokens.len() > 1 || self.queue.has_ended,
                Some(_) => true,
                None => self.queue.has_ended,
            };
            if complete {
                return self.queue.tokens.pop_front();
            }
            let queue = &mut self.queue;
            let stop = drive(&mut self.core, self.input, self.consumed, true, queue);
            self.consumed = stop.consumed;
            self.core.search_input(&mut self.queue, self.input, stop.consumed);
            self.queue.has_ended |= stop.reason != Reason::Pause;
            self.core.heed(std::mem::take(&mut self.queue.feedback));
        }
    }
}

/// Where a text stands in the input, if it is a part of it: its address shows it.
#[inline]
pub(crate) fn offset_in(input: &str, text: &str) -> usize {
    (text.as_ptr() as usize).wrapping_sub(input.as_ptr() as usize)
}

/// Two pieces of the input as one, if the second follows the first there.
fn joined<'a>(input: &'a str, before: &Cow<'a, str>, after: &Cow<'a, str>) -> Option<&'a str> {
    let (Cow::Borrowed(before), Cow::Borrowed(after)) = (before, after) else { return None };
    let start = offset_in(input, before);
    let end = start.wrapping_add(before.len());
    input.get(start..end.wrapping_add(after.len())).filter(|_| offset_in(input, after) == end)
}

impl<'a, M: Machine> Queue<'a, M> {
    /// The text, borrowed from the input if it is there.
    fn borrow(&self, text: &str) -> Cow<'a, str> {
        let offset = offset_in(self.input, text);
        match self.input.get(offset..offset.wrapping_add(text.len())) {
            Some(same) if same == text => Cow::Borrowed(same),
            _ => Cow::Owned(text.to_owned()),
        }
    }

    fn tag(&self, tag: token::Tag<'_>) -> Tag<'a> {
        let attribute = |attribute: token::Attribute<'_>| Attribute {
            name: self.borrow(attribute.name),
            value: self.borrow(attribute.value),
            name_span: attribute.name_span,
            value_span: attribute.value_span,
        };
        Tag {
            name: self.borrow(tag.name()),
            name_span: tag.name_span(),
            attributes: tag.attributes().map(attribute).collect(),
            self_closing: tag.self_closing(),
            span: tag.span(),
        }
    }
}

impl<M: Machine> Sink<M> for Queue<'_, M> {
    fn text(&mut self, text: token::Text<'_>) -> Control<M::State> {
        let piece = self.borrow(text.text);
        match self.tokens.back_mut() {
            Some(Token::Text(before, span)) => {
                match joined(self.input, before, &piece) {
                    Some(joined) => *before = Cow::Borrowed(joined),
                    None => before.to_mut().push_str(&piece),
                }
                span.end = text.span.end;
            }
            _ => self.tokens.push_back(Token::Text(piece, text.span)),
        }
        Control::Continue
    }

    fn start_tag(&mut self, tag: token::Tag<'_>) -> Control<M::State> {
        if let Some(flags) = &self.switches {
            self.feedback = feedback_after::<M>(tag.name(), flags);
        }
        let tag = self.tag(tag);
        self.tokens.push_back(Token::StartTag(tag));
        Control::Pause
    }

    fn end_tag(&mut self, tag: token::Tag<'_>) -> Control<M::State> {
        let tag = self.tag(tag);
        self.tokens.push_back(Token::EndTag(tag));
        Control::Pause
    }

    fn comment(&mut self, comment: token::Comment<'_>) -> Control<M::State> {
        let data = self.borrow(comment.data);
        self.tokens.push_back(Token::Comment(data, comment.span));
        Control::Pause
    }

    fn doctype(&mut self, doctype: token::Doctype<'_>) -> Control<M::State> {
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

    fn short_end_tag(&mut self, tag: token::ShortEndTag) -> Control<M::State> {
        self.tokens.push_back(Token::ShortEndTag(tag.span));
        Control::Pause
    }

    fn processing_instruction(
        &mut self,
        instruction: token::ProcessingInstruction<'_>,
    ) -> Control<M::State> {
        let (target, data) = (self.borrow(instruction.target), self.borrow(instruction.data));
        let instruction = ProcessingInstruction { target, data, span: instruction.span };
        self.tokens.push_back(Token::ProcessingInstruction(instruction));
        Control::Pause
    }

    fn declared_token(&mut self, token: declared::DeclaredToken<'_>) -> Control<M::State> {
        let token = DeclaredToken::of(token, |text| self.borrow(text));
        self.tokens.push_back(Token::Declared(token));
        Control::Pause
    }

    fn end_of_file(&mut self, offset: usize) {
        let _ = offset;
        self.has_ended = true;
        self.is_at_end = true;
    }

    fn error(&mut self, error: Error<M::Error>) {
        self.errors.push(error);
    }

    fn flag(&mut self, flag: M::HostFlag) -> u8 {
        self.flags.iter().find(|(other, _)| *other == flag).map_or(0, |&(_, value)| value)
    }
}
