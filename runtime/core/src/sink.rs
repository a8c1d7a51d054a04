//! The trait that receives a machine's tokens, and its answers to the machine.

use crate::declared::DeclaredToken;
use crate::error::Error;
use crate::machine::{Machine, StateEnum};
use crate::token::{Comment, Doctype, ProcessingInstruction, ShortEndTag, Tag, Text};

/// Receives tokens and errors in input order. Every method has a default that ignores its arguments.
pub trait Sink<M: Machine> {
    /// Whether errors are reported. If not, the machine is compiled without the code that reports them.
    const ERRORS: bool = true;
    /// Whether [`row`](Self::row) and [`inspected`](Self::inspected) are called.
    const ROWS: bool = false;

    /// Whether text may be passed as written, with line ends, U+0000 and the like not replaced, which takes fewer
    /// steps. Queried only if errors are not wanted.
    #[inline(always)]
    fn text_as_written(&self) -> bool {
        false
    }

    /// Whether the sink does without the data read so far of a token that begins at `start`: a comment, or otherwise a
    /// processing instruction. Called at the end of each chunk within one. Dropped data does not count for the limit on
    /// the length of tokens; the token arrives with the rest alone.
    #[inline(always)]
    fn drops_data(&mut self, start: usize, is_comment: bool) -> bool {
        let _ = (start, is_comment);
        false
    }

    /// Receives a piece of text. Adjacent character tokens arrive in pieces as long as the machine can form without
    /// copying.
    fn text(&mut self, text: Text<'_>) -> Control<M::State> {
        let _ = text;
        Control::Continue
    }

    /// Receives a start tag.
    fn start_tag(&mut self, tag: Tag<'_>) -> Control<M::State> {
        let _ = tag;
        Control::Continue
    }

    /// Receives an end tag, which may have attributes and a self-closing flag; both are errors.
    fn end_tag(&mut self, tag: Tag<'_>) -> Control<M::State> {
        let _ = tag;
        Control::Continue
    }

    /// Receives a comment.
    fn comment(&mut self, comment: Comment<'_>) -> Control<M::State> {
        let _ = comment;
        Control::Continue
    }

    /// Receives a DOCTYPE.
    fn doctype(&mut self, doctype: Doctype<'_>) -> Control<M::State> {
        let _ = doctype;
        Control::Continue
    }

    /// Receives a short end tag, which has no name and closes the current element.
    fn short_end_tag(&mut self, tag: ShortEndTag) -> Control<M::State> {
        let _ = tag;
        Control::Continue
    }

    /// Receives a processing instruction.
    fn processing_instruction(
        &mut self,
        instruction: ProcessingInstruction<'_>,
    ) -> Control<M::State> {
        let _ = instruction;
        Control::Continue
    }

    /// Receives a token of a kind that the table declares.
    fn declared_token(&mut self, token: DeclaredToken<'_>) -> Control<M::State> {
        let _ = token;
        Control::Continue
    }

    /// Receives the end-of-file token at the byte offset where the machine ends.
    fn end_of_file(&mut self, offset: usize) {
        let _ = offset;
    }

    /// Receives a parse error. Called only if [`ERRORS`](Self::ERRORS).
    fn error(&mut self, error: Error<M::Error>) {
        let _ = error;
    }

    /// Returns the value of a flag that the table declares `by host`, as an index of its values; the default is 0. A
    /// flag that rows also set is queried only at the start of a whole input.
    fn flag(&mut self, flag: M::HostFlag) -> u8 {
        let _ = flag;
        0
    }

    /// Applies the host's function of this name to a text; returns `None` if it fails or there is none.
    fn convert(&mut self, function: &str, text: &str) -> Option<String> {
        let _ = (function, text);
        None
    }

    /// Receives the index of a row that was taken, counted from 0 through the whole table. A run of characters taken by
    /// one row is reported once. Called only if [`ROWS`](Self::ROWS).
    fn row(&mut self, row: u16) {
        let _ = row;
    }

    /// Receives the number of bytes inspected by a row, or searched for the next byte that the machine consumes singly.
    /// Rows and bytes together measure the machine's work. Called only if [`ROWS`](Self::ROWS).
    fn inspected(&mut self, bytes: usize) {
        let _ = bytes;
    }
}

/// A sink's instruction to the machine after a token.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Control<S: StateEnum> {
    /// Continue without a change.
    Continue,
    /// Continue in this state, as when tree construction switches the tokenizer.
    Switch(S),
    /// Continue with the flag, which the table declares `by host and rows`, set to the value at this index.
    SetFlag(S::HostFlag, u8),
    /// Pause; the rest of the input is kept until the next call.
    Pause,
}

impl<S: StateEnum> Control<S> {
    /// Combines two instructions given for one row of the table, as when the row emits two tokens or a sink forwards a
    /// token to two others. A pause wins, then the later instruction other than `Continue`.
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

    /// Replaces a switch with `Continue`, for a row that itself sets the next state after the token.
    #[must_use]
    pub fn without_switch(self) -> Self {
        match self {
            Self::Switch(_) => Self::Continue,
            other => other,
        }
    }
}
