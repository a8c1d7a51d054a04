//! Running of a machine over an input and over the replacement texts that rows insert. A replacement text is read to its
//! end before the input after its reference, and everything in it has the range of the reference. When a text is entered
//! or left, all registers are copied out of the previous one, so that none borrows from it.

use crate::declarations::EntityList;
use crate::machine::{Machine, Reason, Registers, Stop};
use crate::registers::SourceText;
use crate::replacement::{INSERTED, Replacement, escape_as_references, original};
use crate::sink::MachineSink;
use crate::span::Span;
use crate::token::Text;

impl<M: Machine> Registers<M> {
    /// Whether a replacement text is being read.
    #[inline]
    pub fn is_replacing(&self) -> bool {
        M::INSERTS && self.replacements.is_active()
    }

    /// Whether a token with the range `span` comes from a replacement text: one that is being read, or the last one
    /// read, if the token starts at that text's reference. One comparison suffices in a document without such texts.
    #[inline(always)]
    pub(crate) fn is_inserted(&self, span: Span) -> bool {
        M::INSERTS && self.replacements.origin.end != 0 && self.is_inserted_slow(span)
    }

    /// Slow path of [`is_inserted`](Self::is_inserted), for documents with replacement texts.
    #[cold]
    #[inline(never)]
    fn is_inserted_slow(&self, span: Span) -> bool {
        let origin = self.replacements.origin;
        self.is_replacing() || span.start == origin.start && origin.start < origin.end
    }

    /// Returns the chunk as the source of the texts of a token with the range `span`. If part of the token was
    /// inserted, copies the texts of all registers first.
    #[inline(always)]
    pub(crate) fn source_of<'a>(&mut self, input: &'a str, span: Span) -> SourceText<'a> {
        let source = self.source(input);
        if self.is_inserted(span) {
            self.settle(input);
            return source.as_inserted();
        }
        source
    }

    /// Creates a text token that was not passed in bulk.
    #[inline(always)]
    pub(crate) fn text<'a>(&self, text: &'a str, span: Span, is_verbatim: bool) -> Text<'a> {
        Text { text, span, is_verbatim, is_bulk: false, is_inserted: self.is_inserted(span) }
    }

    /// Maps a range to the input: offsets in a replacement text become those of its reference.
    #[inline(always)]
    pub(crate) fn original(&self, span: Span) -> Span {
        // Outside of replacement texts every offset is an input offset.
        if self.is_replacing() { original(span, self.replacements.origin) } else { span }
    }

    /// Records that a reference began one byte before `offset` in the chunk.
    #[inline]
    pub(crate) fn begin_reference(&mut self, offset: usize) {
        self.replacements.reference_start = (self.base + offset).saturating_sub(1);
    }

    /// Returns the entity name in the temporary buffer: the buffer's text after the first character.
    fn entity_name<'a>(&'a self, source: SourceText<'a>) -> &'a str {
        let mut characters = self.temporary_buffer.text(source).chars();
        characters.next();
        characters.as_str()
    }

    /// Whether the list has the entity named in the temporary buffer.
    #[inline(never)]
    pub fn is_declared(&self, list: EntityList, source: SourceText<'_>) -> bool {
        self.declarations.entity(list, self.entity_name(source)).is_some()
    }

    /// Whether the limits allow the value of the entity named in the temporary buffer to be inserted at `offset` of the
    /// chunk; if not, counts a refused text.
    #[inline(never)]
    pub fn is_insertable(
        &mut self,
        list: EntityList,
        source: SourceText<'_>,
        offset: usize,
    ) -> bool {
        let length =
            self.declarations.entity(list, self.entity_name(source)).map_or(0, |v| v.len());
        let offset = self.base + offset;
        let consumed = self.original(Span::new(offset, offset)).start;
        let is_allowed =
            self.replacements.allows_nesting() && self.replacements.allows_bytes(length, consumed);
        if !is_allowed {
            self.replacements.refuse(consumed);
        }
        is_allowed
    }

    /// Schedules the value of the entity named in the temporary buffer to be read next, with the characters in `escape`
    /// written as numeric character references. `from` is the chunk offset at which the reference begins; `None` means
    /// one byte before the call of the active procedure.
    #[inline(never)]
    pub fn insert(
        &mut self,
        (list, escape): (EntityList, &str),
        source: SourceText<'_>,
        from: Option<usize>,
        here: usize,
    ) {
        let Some(value) = self.declarations.entity(list, self.entity_name(source)) else { return };
        let text = escape_as_references(value, escape);
        let start = from.map_or(self.replacements.reference_start, |from| self.base + from);
        if !self.replacements.is_active() {
            self.replacements.origin = Span::new(start, self.base + here);
            // If the open tag began in an earlier replacement text, it may continue in this one, so the start of the
            // earlier reference is kept, too.
            if self.tag.last_reference_start == Some(self.mark) {
                self.tag.earlier_reference_start = self.tag.last_reference_start;
            }
            self.tag.last_reference_start = Some(start);
            self.replacements.reported_codes.clear();
        }
        self.replacements.inserted_bytes += text.len() as u64;
        self.replacements.pending = Some(text);
    }

    /// Whether a replacement text is scheduled to be read next.
    #[inline]
    pub fn has_insertion(&self) -> bool {
        self.replacements.pending.is_some()
    }

    /// Collapses spaces in the current tag's values as declared, and adds the declared attributes that the tag lacks,
    /// if it is a start tag. Returns `false` if the limits do not allow these attributes.
    #[inline]
    pub fn complete_tag(&mut self, source: SourceText<'_>, here: usize) -> bool {
        if self.tag.is_end {
            return true;
        }
        match self.declarations.declared_bytes(&self.tag, source) {
            None => true,
            Some(bytes) => self.add_declared_attributes(source, here, bytes),
        }
    }

    /// Slow path of [`complete_tag`](Self::complete_tag), for a tag name that may have declared attributes.
    #[cold]
    fn add_declared_attributes(
        &mut self,
        source: SourceText<'_>,
        here: usize,
        bytes: usize,
    ) -> bool {
        let offset = self.base + here;
        let offset = self.original(Span::new(offset, offset)).end;
        self.declarations.collapse_values(&mut self.tag, source);
        let is_allowed = self.replacements.allows_bytes(bytes, offset);
        if is_allowed {
            self.replacements.inserted_bytes += bytes as u64;
            self.declarations.add_defaults(&mut self.tag, source, offset);
        } else {
            self.replacements.refuse(offset);
        }
        is_allowed
    }

    /// Copies the texts of all registers out of `text` and maps their ranges to the input.
    #[cold]
    pub(crate) fn settle(&mut self, text: &str) {
        let (source, origin) = (self.source(text), self.replacements.origin);
        self.tag.settle(source, origin);
        let texts = [&mut self.temporary_buffer, &mut self.comment];
        let doctype = &mut self.doctype;
        let doctype_texts =
            [&mut doctype.name, &mut doctype.public_identifier, &mut doctype.system_identifier];
        let instruction_texts =
            [&mut self.processing_instruction.target, &mut self.processing_instruction.data];
        let doctype_texts = doctype_texts.into_iter().map(|optional| &mut optional.text);
        for text in texts.into_iter().chain(doctype_texts).chain(instruction_texts) {
            text.settle(source, origin);
        }
        self.declarations.settle(source, origin);
        self.declared.settle(source, origin);
        self.detach_last_start_tag(source);
        self.mark = original(Span::new(self.mark, self.mark), origin).start;
        let start = self.replacements.reference_start;
        self.replacements.reference_start = original(Span::new(start, start), origin).start;
    }
}

/// Runs the machine over the input and over the replacement texts that rows insert.
#[inline]
pub(crate) fn drive<M: Machine, K: MachineSink + ?Sized>(
    registers: &mut Registers<M>,
    input: &str,
    from: usize,
    is_last: bool,
    sink: &mut K,
) -> Stop {
    let mut from = from;
    if K::ROWS {
        registers.reports_rows = sink.wants_rows();
    }
    let drops_bom = M::BYTE_ORDER_MARK_DROPPED || !registers.keeps_bom;
    if registers.base + from == 0 && drops_bom {
        if input.starts_with('\u{FEFF}') {
            from = '\u{FEFF}'.len_utf8();
            registers.skip_to(from);
        } else if input.is_empty() && !is_last {
            // The machine must not start before it is known whether the input begins with a byte order mark.
            return Stop { reason: Reason::Input, consumed: from };
        }
    }
    let stop = if M::INSERTS {
        drive_with_replacements(registers, input, from, is_last, sink)
    } else {
        M::run(registers, input, from, is_last, sink)
    };
    if K::ROWS && registers.reports_rows {
        sink.inspected(std::mem::take(&mut registers.lexer.inspected));
    }
    stop
}

fn drive_with_replacements<M: Machine, K: MachineSink + ?Sized>(
    registers: &mut Registers<M>,
    input: &str,
    mut from: usize,
    is_last: bool,
    sink: &mut K,
) -> Stop {
    let base = registers.base;
    loop {
        if let Some(text) = registers.replacements.pending.take() {
            registers.replacements.texts.push(Replacement { text, consumed: 0, scanned: (0, 0) });
        }
        let replacement = registers.replacements.texts.last().cloned();
        let (text, at, is_last) = match &replacement {
            Some(replacement) => (&*replacement.text, replacement.consumed, false),
            None => (input, from, is_last),
        };
        let scanned_before = registers.scanned;
        if let Some(replacement) = &replacement {
            (registers.base, registers.scanned) = (INSERTED, replacement.scanned);
        }
        let stop = M::run(registers, text, at, is_last, sink);
        let scanned_after = registers.scanned;
        if replacement.is_some() {
            registers.settle(text);
            registers.scanned = scanned_before;
        } else {
            from = stop.consumed;
            if stop.reason == Reason::Insert {
                if K::ERRORS {
                    registers.search_input(sink, input, from);
                }
                registers.settle(text);
            }
        }
        registers.base = base;
        match (stop.reason, registers.replacements.texts.last_mut()) {
            (Reason::Insert | Reason::Pause, Some(replacement)) => {
                (replacement.consumed, replacement.scanned) = (stop.consumed, scanned_after);
            }
            (Reason::Input, Some(_)) => drop(registers.replacements.texts.pop()),
            _ => {}
        }
        let continues =
            stop.reason == Reason::Insert || stop.reason == Reason::Input && replacement.is_some();
        if !continues {
            return Stop { reason: stop.reason, consumed: from };
        }
    }
}
