//! Emission of the tokens that few tables use: declared tokens, the last start tag's name as text, short end tags and
//! processing instructions; and the stack of states. The common emissions are in `machine`.

use crate::machine::{Machine, Registers};
use crate::sink::{MachineSink, Request};
use crate::span::Span;
use crate::token::{ProcessingInstruction, ShortEndTag};

impl<M: Machine> Registers<M> {
    /// Creates a token of the kind at index `kind`, beginning at `offset` in the chunk.
    #[inline]
    pub fn create_declared(&mut self, kind: usize, offset: usize) {
        self.declared.create(kind, &M::TOKENS[kind], self.base + offset);
    }

    /// Emits the current token of the kind at index `kind`. If `is_inside`, the range of the enclosing token or text
    /// continues.
    #[inline(never)]
    pub fn emit_declared<K: MachineSink + ?Sized>(
        &mut self,
        sink: &mut K,
        input: &str,
        kind: usize,
        (here, is_inside): (usize, bool),
    ) -> Request<M::State> {
        let end = self.base + here;
        let span = Span::new(self.declared.start(kind).min(end), end);
        let span = self.original(span);
        if !is_inside {
            self.mark = end;
        }
        let source = self.source_of(input, span);
        let form = (kind, &M::TOKENS[kind]);
        let token = self.declared.token(form, source, span, is_inside);
        let control = sink.declared_token(token);
        self.apply_control(control)
    }

    /// Emits the name of the last start tag as text.
    #[inline(never)]
    pub fn emit_last_start_tag<K: MachineSink + ?Sized>(
        &mut self,
        sink: &mut K,
        input: &str,
        here: usize,
    ) -> Request<M::State> {
        if self.last_start_tag(input).is_empty() {
            return Request::Continue;
        }
        let span = self.take_span(here);
        let name = self.last_start_tag(input);
        let control = sink.text(self.text(name, span, Self::is_verbatim_character(name, span)));
        self.apply_control(control)
    }

    /// Emits a short end tag token.
    #[inline(never)]
    pub fn emit_short_end_tag<K: MachineSink + ?Sized>(
        &mut self,
        sink: &mut K,
        here: usize,
    ) -> Request<M::State> {
        let span = self.take_span(here);
        let is_inserted = self.is_inserted(span);
        let control = sink.short_end_tag(ShortEndTag { span, is_inserted });
        self.apply_control(control)
    }

    /// Emits the current processing instruction token.
    #[inline(never)]
    pub fn emit_processing_instruction<K: MachineSink + ?Sized>(
        &mut self,
        sink: &mut K,
        input: &str,
        here: usize,
    ) -> Request<M::State> {
        let span = self.take_span(here);
        let (source, instruction) = (self.source(input), &self.processing_instruction);
        let (target, data) = (instruction.target.text(source), instruction.data.text(source));
        let is_inserted = self.is_inserted(span);
        let instruction = ProcessingInstruction { target, data, span, is_inserted };
        let control = sink.processing_instruction(instruction);
        self.apply_control(control)
    }

    /// Pops the return state into `popped_state`, which becomes the start state if the stack is empty.
    #[inline]
    pub fn pop_state(&mut self) {
        self.popped_state = self.pushed.pop().unwrap_or(M::START);
    }
}
