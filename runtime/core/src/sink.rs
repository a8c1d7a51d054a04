//! What receives the tokens of a machine. It is not a tree and keeps nothing. Invariant: calls come in the order of the
//! input, and what a call borrows ends with the call.

use crate::declared::DeclaredToken;
use crate::error::Error;
use crate::machine::{Machine, StateEnum};
use crate::token::{Comment, Doctype, ProcessingInstruction, ShortEndTag, Tag, Text};

/// Receives tokens and errors. Every method has a default that ignores what it is given, so that later additions break
/// no implementation.
pub trait Sink<M: Machine> {
    /// Whether errors are wanted; without them the machine is compiled without any trace of them.
    const ERRORS: bool = true;
    /// Whether [`row`](Self::row) is wanted.
    const ROWS: bool = false;

    /// Whether a piece of text may be what the input has: line ends, U+0000 and whatever else is text by a row of its own, as
    /// they are written. That takes fewer steps. Asked only if errors are not wanted.
    #[inline(always)]
    fn text_as_written(&self) -> bool {
        false
    }

    /// A piece of text. Character tokens that follow one another arrive in pieces as long as the machine can make them
    /// without copying.
    fn text(&mut self, text: Text<'_>) -> Control<M::State> {
        let _ = text;
        Control::Continue
    }

    /// A start tag.
    fn start_tag(&mut self, tag: Tag<'_>) -> Control<M::State> {
        let _ = tag;
        Control::Continue
    }

    /// An end tag; it can have attributes and a self-closing flag, which are errors.
    fn end_tag(&mut self, tag: Tag<'_>) -> Control<M::State> {
        let _ = tag;
        Control::Continue
    }

    /// A comment.
    fn comment(&mut self, comment: Comment<'_>) -> Control<M::State> {
        let _ = comment;
        Control::Continue
    }

    /// A DOCTYPE.
    fn doctype(&mut self, doctype: Doctype<'_>) -> Control<M::State> {
        let _ = doctype;
        Control::Continue
    }

    /// A short end tag, which has no name and ends whatever is open.
    fn short_end_tag(&mut self, tag: ShortEndTag) -> Control<M::State> {
        let _ = tag;
        Control::Continue
    }

    /// A processing instruction.
    fn processing_instruction(
        &mut self,
        instruction: ProcessingInstruction<'_>,
    ) -> Control<M::State> {
        let _ = instruction;
        Control::Continue
    }

    /// A token of a kind that the table declares.
    fn declared_token(&mut self, token: DeclaredToken<'_>) -> Control<M::State> {
        let _ = token;
        Control::Continue
    }

    /// The end of the input, at this byte offset; of a machine that ends before, where it does.
    fn end_of_file(&mut self, offset: usize) {
        let _ = offset;
    }

    /// A parse error. Called only if [`ERRORS`](Self::ERRORS).
    fn error(&mut self, error: Error<M::Error>) {
        let _ = error;
    }

    /// The value of a flag that the table declares `by host`, as the index of one of its values; the first is 0. One
    /// that rows set as well is asked for at the beginning only, where a whole input is tokenized.
    fn flag(&mut self, flag: M::HostFlag) -> u8 {
        let _ = flag;
        0
    }

    /// A row of the table was taken; rows are counted from 0 through the whole table, and a run of characters that one
    /// row takes is reported once. Called only if [`ROWS`](Self::ROWS).
    fn row(&mut self, row: u16) {
        let _ = row;
    }

    /// `bytes` bytes were examined together: a row takes them all, or they were searched for the next byte that the
    /// machine treats by itself. With the rows, that is how much work the machine does. Called only if
    /// [`ROWS`](Self::ROWS).
    fn looked_at(&mut self, bytes: usize) {
        let _ = bytes;
    }
}

/// What the machine does after a token.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Control<S: StateEnum> {
    /// It goes on.
    Continue,
    /// It goes on in this state, as when tree construction switches the tokenizer.
    Switch(S),
    /// It goes on with this flag, which the table declares `by host and rows`, at the value of this index.
    SetFlag(S::HostFlag, u8),
    /// It pauses; what follows in the input is kept until the next call.
    Pause,
}

impl<S: StateEnum> Control<S> {
    /// What holds after two answers to one row of the table, as where it emits two tokens, or where a sink hands a token
    /// on to two others: a pause wins, then the later of two that do not continue.
    ///
    /// ```
    /// use tabulex::Control;
    /// use tabulex::html::State;
    ///
    /// let script = Control::Switch(State::ScriptData);
    /// assert_eq!(Control::Continue.and_then(script), script);
    /// assert_eq!(script.and_then(Control::Continue), script);
    /// assert_eq!(script.and_then(Control::Pause), Control::<State>::Pause);
    /// ```
    #[must_use]
    pub fn and_then(self, later: Self) -> Self {
        match (self, later) {
            (Self::Pause, _) | (_, Self::Pause) => Self::Pause,
            (switch, Self::Continue) => switch,
            (_, switch) => switch,
        }
    }

    /// What is left of an answer when the row itself goes to another state after the token: no switch.
    #[must_use]
    pub fn without_switch(self) -> Self {
        match self {
            Self::Switch(_) => Self::Continue,
            other => other,
        }
    }
}
