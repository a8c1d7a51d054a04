//! Pending table characters: characters inside a table that are held until it is known where they are inserted.

use super::{Builder, Construction, TokenView};
use crate::span::Span;
use crate::token::Text;
use crate::tree::TreeSink;

/// The pending table characters.
#[derive(Clone, Debug, Default)]
pub(super) struct PendingCharacters {
    text: String,
    parts: Vec<PendingPart>,
}

/// A part of the pending characters, with its range in the input.
#[derive(Clone, Copy, Debug)]
struct PendingPart {
    /// Byte offset in the pending text at which the part ends.
    end: usize,
    /// The range of the part in the input.
    span: Span,
    /// Whether the characters occur byte for byte in the input at `span`.
    is_verbatim: bool,
}

impl PendingCharacters {
    pub(super) fn memory_usage(&self) -> usize {
        self.text.capacity() + self.parts.capacity() * size_of::<PendingPart>()
    }
}

impl<C: Construction, S: TreeSink> Builder<C, S> {
    /// Empties the list of pending table characters.
    pub fn clear_pending(&mut self) {
        self.pending.text.clear();
        self.pending.parts.clear();
    }

    /// Appends the token's characters to the pending table characters.
    pub fn append_to_pending(&mut self, token: &TokenView<'_>) {
        let TokenView::Text(text) = token else { return };
        self.pending.text.push_str(text.text);
        let (end, span, is_verbatim) = (self.pending.text.len(), text.span, text.is_verbatim);
        if let Some(last) = self.pending.parts.last_mut()
            && last.is_verbatim
            && is_verbatim
            && last.span.end == span.start
        {
            (last.end, last.span.end) = (end, span.end);
            return;
        }
        self.pending.parts.push(PendingPart { end, span, is_verbatim });
    }

    /// Whether any pending table character does not satisfy `is_member`.
    pub fn has_pending_other_than(&self, is_member: impl Fn(char) -> bool) -> bool {
        !self.pending.text.chars().all(is_member)
    }

    /// Inserts the pending table characters at the appropriate place, and empties the list.
    pub fn insert_pending(&mut self) {
        self.for_each_pending(|builder, text| builder.put_text(text.text, text.span));
    }

    /// Calls `act` with each pending table character as a token, and empties the list.
    pub fn for_each_pending_character(&mut self, mut act: impl FnMut(&mut Self, &TokenView<'_>)) {
        self.for_each_pending(|builder, text| {
            for (offset, character) in text.text.char_indices() {
                act(builder, &TokenView::Text(text.part(offset, offset + character.len_utf8())));
            }
        });
    }

    /// Runs the mode's `else` row for the pending table characters, and empties the list.
    pub fn process_pending(&mut self, mode: C::Mode) {
        let collects_errors = self.collects_errors();
        self.for_each_pending(|builder, text| {
            let mut offset = 0;
            while offset < text.text.len() {
                builder.steps += 1;
                let part_end =
                    offset + C::else_run(mode, builder.mode, &text.text[offset..], collects_errors);
                C::else_row(mode, builder, &TokenView::Text(text.part(offset, part_end)));
                // Pending characters are not the current token, so a request to reprocess them is dropped.
                builder.take_reprocess_request();
                offset = part_end;
            }
        });
    }

    /// Calls `act` with each part of the pending table characters, and empties the list.
    fn for_each_pending(&mut self, mut act: impl FnMut(&mut Self, Text<'_>)) {
        let pending = std::mem::take(&mut self.pending);
        let mut start = 0;
        for &PendingPart { end, span, is_verbatim } in &pending.parts {
            act(self, Text::piece(&pending.text[start..end], span, is_verbatim, false));
            start = end;
        }
        self.pending = pending;
        self.clear_pending();
    }
}
