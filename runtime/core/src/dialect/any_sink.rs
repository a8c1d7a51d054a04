//! A dyn-compatible sink for the machine of any dialect, and the adapter to [`Sink`]. Each machine is compiled once for
//! the adapter, whichever sink it forwards to.

use super::{Entry, MachineEntry, resolve_entry};
use crate::declared::DeclaredToken;
use crate::error::Error;
use crate::machine::Machine;
use crate::named::Named;
use crate::sink::{Control, Sink};
use crate::span::Span;
use crate::token::{Comment, Doctype, ProcessingInstruction, ShortEndTag, Tag, Text};

/// Receives the tokens and errors of any dialect; [`Sink`] receives those of a single one.
pub trait AnySink {
    /// Receives a piece of text.
    fn text(&mut self, text: Text<'_>) -> AnyControl {
        let _ = text;
        AnyControl::Continue
    }

    /// Receives a start tag.
    fn start_tag(&mut self, tag: Tag<'_>) -> AnyControl {
        let _ = tag;
        AnyControl::Continue
    }

    /// Receives an end tag.
    fn end_tag(&mut self, tag: Tag<'_>) -> AnyControl {
        let _ = tag;
        AnyControl::Continue
    }

    /// Receives a comment.
    fn comment(&mut self, comment: Comment<'_>) -> AnyControl {
        let _ = comment;
        AnyControl::Continue
    }

    /// Receives a DOCTYPE.
    fn doctype(&mut self, doctype: Doctype<'_>) -> AnyControl {
        let _ = doctype;
        AnyControl::Continue
    }

    /// Receives a short end tag, which has no name and closes the current element.
    fn short_end_tag(&mut self, tag: ShortEndTag) -> AnyControl {
        let _ = tag;
        AnyControl::Continue
    }

    /// Receives a processing instruction.
    fn processing_instruction(&mut self, instruction: ProcessingInstruction<'_>) -> AnyControl {
        let _ = instruction;
        AnyControl::Continue
    }

    /// Receives a token of a kind that the table declares.
    fn declared_token(&mut self, token: DeclaredToken<'_>) -> AnyControl {
        let _ = token;
        AnyControl::Continue
    }

    /// Receives the end-of-file token at the byte offset where the machine ends.
    fn end_of_file(&mut self, offset: usize) {
        let _ = offset;
    }

    /// Receives a parse error: its code and range.
    fn error(&mut self, code: &'static str, span: Span) {
        let _ = (code, span);
    }

    /// Returns the value of the host's flag called `flag`, as an index of its values.
    fn flag(&mut self, flag: &'static str) -> u8 {
        let _ = flag;
        0
    }

    /// Whether [`row`](Self::row) and [`inspected`](Self::inspected) are called.
    fn wants_rows(&self) -> bool {
        false
    }

    /// Receives the index of a row that was taken, counted from 0 through the whole table.
    fn row(&mut self, row: u16) {
        let _ = row;
    }

    /// Receives the number of bytes inspected; see [`Sink::inspected`]. Called only if rows are wanted.
    fn inspected(&mut self, bytes: usize) {
        let _ = bytes;
    }
}

/// A sink's instruction to the machine after a token.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum AnyControl {
    /// Continue.
    Continue,
    /// Continue in this state, or with this value of a flag.
    Enter(Entry),
    /// Pause; the rest of the input is kept until the next call.
    Pause,
}

/// Forwards the calls of a machine to a sink of any dialect.
pub(crate) struct Erased<'a> {
    sink: &'a mut dyn AnySink,
    wants_rows: bool,
}

impl<'a> Erased<'a> {
    /// Creates an adapter to `sink`.
    pub(crate) fn new(sink: &'a mut dyn AnySink) -> Self {
        let wants_rows = sink.wants_rows();
        Self { sink, wants_rows }
    }
}

fn control<M: Machine>(control: AnyControl) -> Control<M::State> {
    match control {
        AnyControl::Continue => Control::Continue,
        AnyControl::Pause => Control::Pause,
        AnyControl::Enter(entry) => match resolve_entry::<M>(entry) {
            Some(MachineEntry::State(state)) => Control::Switch(state),
            Some(MachineEntry::Flag(flag, value)) => Control::SetFlag(flag, value),
            None => Control::Continue,
        },
    }
}

impl<M: Machine> Sink<M> for Erased<'_> {
    // Decided at run time by `wants_rows`, so that counting rows needs no further instance of the machine.
    const ROWS: bool = true;

    fn text(&mut self, text: Text<'_>) -> Control<M::State> {
        control::<M>(self.sink.text(text))
    }

    fn start_tag(&mut self, tag: Tag<'_>) -> Control<M::State> {
        control::<M>(self.sink.start_tag(tag))
    }

    fn end_tag(&mut self, tag: Tag<'_>) -> Control<M::State> {
        control::<M>(self.sink.end_tag(tag))
    }

    fn comment(&mut self, comment: Comment<'_>) -> Control<M::State> {
        control::<M>(self.sink.comment(comment))
    }

    fn doctype(&mut self, doctype: Doctype<'_>) -> Control<M::State> {
        control::<M>(self.sink.doctype(doctype))
    }

    fn short_end_tag(&mut self, tag: ShortEndTag) -> Control<M::State> {
        control::<M>(self.sink.short_end_tag(tag))
    }

    fn processing_instruction(
        &mut self,
        instruction: ProcessingInstruction<'_>,
    ) -> Control<M::State> {
        control::<M>(self.sink.processing_instruction(instruction))
    }

    fn declared_token(&mut self, token: DeclaredToken<'_>) -> Control<M::State> {
        control::<M>(self.sink.declared_token(token))
    }

    fn end_of_file(&mut self, offset: usize) {
        self.sink.end_of_file(offset);
    }

    fn error(&mut self, error: Error<M::Error>) {
        self.sink.error(error.code.name(), error.span);
    }

    fn flag(&mut self, flag: M::HostFlag) -> u8 {
        self.sink.flag(flag.name())
    }

    fn row(&mut self, row: u16) {
        if self.wants_rows {
            self.sink.row(row);
        }
    }

    fn inspected(&mut self, bytes: usize) {
        if self.wants_rows {
            self.sink.inspected(bytes);
        }
    }
}
