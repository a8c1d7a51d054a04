//! Adapter from the machine that a dialect shares among all sinks to a [`Builder`]. Fast parsers do not use it: their
//! machine is compiled for their sink.

use super::{Builder, Construction, Feedback, TokenView};
use crate::declared::DeclaredToken;
use crate::dialect::{AnyControl, AnySink, Entry};
use crate::error::ParseError;
use crate::named::Named as _;
use crate::span::Span;
use crate::token::{Comment, Doctype, ProcessingInstruction, ShortEndTag, Tag, Text};
use crate::tree::TreeSink;

/// Forwards the tokens of a machine to a builder.
pub(super) struct AnyTokenSink<'b, C: Construction, S: TreeSink> {
    pub(super) builder: &'b mut Builder<C, S>,
    /// Whether the machine's work counts among the builder's steps.
    pub(super) counts: bool,
}

impl<C: Construction, S: TreeSink> AnyTokenSink<'_, C, S> {
    fn tag(&mut self, tag: Tag<'_>, is_end: bool) -> AnyControl {
        match self.builder.tag(&tag, is_end) {
            Feedback::None => AnyControl::Continue,
            Feedback::Switch(state) => AnyControl::Enter(Entry::State(state)),
            Feedback::SetFlag(flag, value) => {
                AnyControl::Enter(Entry::Flag(u16::from(flag), value))
            }
            Feedback::Declaration if !is_end && self.builder.declares_encoding(tag) => {
                AnyControl::Pause
            }
            Feedback::Declaration => AnyControl::Continue,
            Feedback::Script => AnyControl::Pause,
        }
    }
}

impl<C: Construction, S: TreeSink> AnySink for AnyTokenSink<'_, C, S> {
    fn text(&mut self, text: Text<'_>) -> AnyControl {
        self.builder.characters(text, const { holds_all(C::STOP_BYTES, C::RUN_STOPS) });
        AnyControl::Continue
    }

    fn start_tag(&mut self, tag: Tag<'_>) -> AnyControl {
        self.tag(tag, false)
    }

    fn end_tag(&mut self, tag: Tag<'_>) -> AnyControl {
        self.tag(tag, true)
    }

    fn comment(&mut self, comment: Comment<'_>) -> AnyControl {
        self.builder.token(&TokenView::Comment(comment));
        AnyControl::Continue
    }

    fn doctype(&mut self, doctype: Doctype<'_>) -> AnyControl {
        self.builder.token(&TokenView::Doctype(doctype));
        AnyControl::Continue
    }

    fn short_end_tag(&mut self, tag: ShortEndTag) -> AnyControl {
        self.builder.token(&TokenView::ShortEndTag(tag.span));
        AnyControl::Continue
    }

    fn processing_instruction(&mut self, instruction: ProcessingInstruction<'_>) -> AnyControl {
        let ProcessingInstruction { target, data, span, .. } = instruction;
        self.builder.token(&TokenView::ProcessingInstruction(target, data, span));
        AnyControl::Continue
    }

    fn declared_token(&mut self, token: DeclaredToken<'_>) -> AnyControl {
        self.builder.declared_token(token);
        AnyControl::Continue
    }

    fn end_of_file(&mut self, offset: usize) {
        self.builder.token(&TokenView::EndOfFile(offset));
    }

    fn wants_rows(&self) -> bool {
        self.counts
    }

    fn row(&mut self, _: u16) {
        self.builder.steps += 1;
    }

    fn inspected(&mut self, bytes: usize) {
        self.builder.steps += bytes as u64;
    }

    fn error(&mut self, code: &'static str, span: Span) {
        self.builder.report(ParseError::at(C::Error::ADDRESS, code, span));
    }

    fn flag(&mut self, flag: &'static str) -> u8 {
        self.builder.flag_value(flag)
    }
}

/// Whether all of `bytes` are among `others`.
pub(super) const fn holds_all(others: &[u8], bytes: &[u8]) -> bool {
    let mut index = 0;
    while index < bytes.len() {
        let mut offset = 0;
        while offset < others.len() && others[offset] != bytes[index] {
            offset += 1;
        }
        if offset == others.len() {
            return false;
        }
        index += 1;
    }
    true
}
