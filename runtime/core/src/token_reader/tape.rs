//! The tape on which tokens are recorded in batches, so that the machine need not stop at each token. Texts are stored
//! as ranges of the input, or of a buffer of copies if they are not in the input.

use crate::declared::DeclaredToken;
use crate::error::ParseError;
use crate::machine::Machine;
use crate::owned;
use crate::registers::{TagAttribute, slice_or_empty};
use crate::sink::{Control, MachineSink, Sink};
use crate::span::Span;
use crate::switching::SwitchingTags;
use crate::token::{self, Attribute};
use crate::tokens::offset_in;
use std::borrow::Cow;

/// The number of tokens after which the machine pauses.
const BATCH_LEN: usize = 64;

/// The lowest offset that refers to the buffer of copies.
const COPIES_START: usize = 1 << (usize::BITS - 1);

/// The range of a text in the input or in the buffer of copies.
pub(super) type TapeRange = Span;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum RecordKind {
    Text,
    StartTag,
    EndTag,
    Comment,
    Doctype,
    ShortEndTag,
    ProcessingInstruction,
    Declared,
}

#[derive(Clone, Copy, Debug)]
pub(super) struct TokenRecord {
    pub(super) kind: RecordKind,
    pub(super) self_closing: bool,
    pub(super) had_duplicates: bool,
    pub(super) is_inserted: bool,
    /// The text, the name of a tag, or the target of a processing instruction.
    pub(super) text: TapeRange,
    pub(super) span: Span,
    /// The index of a tag's first attribute, or of another token's further data: in `doctypes`, `data` or `declared`.
    pub(super) data_index: u32,
    attribute_count: u32,
    /// The index in `data` of the input range of a tag name that differs from that range; otherwise [`VERBATIM`].
    name_span: u32,
}

/// The `name_span` of a tag with a name that equals its input range.
const VERBATIM: u32 = u32::MAX;

#[derive(Clone, Debug)]
pub(super) struct Tape<'a> {
    pub(super) input: &'a str,
    pub(super) records: Vec<TokenRecord>,
    attributes: Vec<TagAttribute>,
    /// The tape ranges of the name and value of each attribute with a text that differs from its input range.
    attribute_ranges: Vec<[TapeRange; 2]>,
    copies: String,
    pub(super) doctypes: Vec<owned::Doctype<'a>>,
    /// The data of processing instructions, and the input ranges of tag names that differ from these ranges.
    pub(super) data: Vec<TapeRange>,
    pub(super) declared: Vec<owned::DeclaredToken<'a>>,
}

impl<'a> Tape<'a> {
    pub(super) fn clear(&mut self) {
        self.records.clear();
        self.attributes.clear();
        self.attribute_ranges.clear();
        self.copies.clear();
        self.doctypes.clear();
        self.data.clear();
        self.declared.clear();
    }

    #[inline]
    pub(super) fn text(&self, range: TapeRange) -> &str {
        if range.start < COPIES_START {
            return slice_or_empty(self.input, range.start, range.end);
        }
        &self.copies[range.start - COPIES_START..range.end - COPIES_START]
    }

    #[inline]
    pub(super) fn attributes(&self, record: &TokenRecord) -> &[TagAttribute] {
        let first = record.data_index as usize;
        &self.attributes[first..first + record.attribute_count as usize]
    }

    /// Returns the input range of the name of a tag.
    pub(super) fn name_span(&self, record: &TokenRecord) -> Span {
        self.data.get(record.name_span as usize).copied().unwrap_or(record.text)
    }

    #[inline(always)]
    pub(super) fn attribute(&self, record: &TagAttribute) -> Attribute<'_> {
        let (name_span, value_span) = (record.name, record.value);
        let [name, value] = match record.copies() {
            None => {
                [name_span, value_span].map(|span| slice_or_empty(self.input, span.start, span.end))
            }
            Some(index) => self.attribute_ranges[index].map(|range| self.text(range)),
        };
        Attribute { name, value, name_span, value_span }
    }

    /// Returns the tape range of a text; copies the text unless its address shows that it is a slice of the input.
    #[inline]
    fn range_of(&mut self, text: &str) -> TapeRange {
        let offset = offset_in(self.input, text);
        if offset <= self.input.len() && text.len() <= self.input.len() - offset {
            return Span::new(offset, offset + text.len());
        }
        self.copy(text)
    }

    #[cold]
    #[inline(never)]
    fn copy(&mut self, text: &str) -> TapeRange {
        let start = COPIES_START + self.copies.len();
        self.copies.push_str(text);
        Span::new(start, start + text.len())
    }

    #[inline]
    fn push(&mut self, kind: RecordKind, text: TapeRange, span: Span) -> &mut TokenRecord {
        self.records.push(TokenRecord {
            kind,
            self_closing: false,
            had_duplicates: false,
            is_inserted: false,
            text,
            span,
            data_index: 0,
            attribute_count: 0,
            name_span: VERBATIM,
        });
        let last = self.records.len() - 1;
        &mut self.records[last]
    }

    /// Records a tag name that is not known to equal its input range; returns its tape range and the index of the input
    /// range in `data`.
    #[cold]
    #[inline(never)]
    fn add_name(&mut self, tag: token::Tag<'_>) -> (TapeRange, u32) {
        self.data.push(tag.name_span());
        (self.range_of(tag.name()), self.data.len() as u32 - 1)
    }

    /// Records the attributes of a tag that are not all known to equal their input ranges.
    #[cold]
    #[inline(never)]
    fn add_attributes(&mut self, tag: token::Tag<'_>) {
        for (record, attribute) in tag.attribute_records().0.iter().zip(tag.attributes()) {
            let mut record = *record;
            if !record.is_verbatim() {
                record.set_copies(self.attribute_ranges.len());
                let ranges = [attribute.name, attribute.value].map(|text| self.range_of(text));
                self.attribute_ranges.push(ranges);
            }
            self.attributes.push(record);
        }
    }

    /// Appends a piece of text to the last recorded text, which the piece does not directly follow. If that text is a
    /// copy, the copy is at the end of the buffer.
    #[cold]
    #[inline(never)]
    fn extend_last_text(&mut self, piece: TapeRange) {
        let Some(last) = self.records.last_mut() else { return };
        let before = last.text;
        let start = if before.start < COPIES_START {
            let copy = self.copies.len();
            // If the piece is a copy, it is copied once more, to follow the text.
            self.copies.push_str(&self.input[before.start..before.end]);
            COPIES_START + copy
        } else {
            before.start
        };
        if piece.start < COPIES_START {
            self.copies.push_str(&self.input[piece.start..piece.end]);
        } else {
            self.copies.extend_from_within(piece.start - COPIES_START..piece.end - COPIES_START);
        }
        last.text = Span::new(start, COPIES_START + self.copies.len());
    }
}

/// The sink that records a machine's tokens.
#[derive(Clone, Debug)]
pub(super) struct Recorder<'a, const ERRORS: bool> {
    pub(super) tape: Tape<'a>,
    pub(super) errors: Vec<ParseError>,
    /// The flags of tree construction; `None` if the machine does not switch after start tags.
    tree_flags: Option<Vec<(&'static str, u8)>>,
    switching_tags: SwitchingTags,
    pub(super) has_ended: bool,
    pub(super) is_at_end: bool,
}

impl<'a, const ERRORS: bool> Recorder<'a, ERRORS> {
    pub(super) fn new<M: Machine>(
        input: &'a str,
        tree_flags: Option<Vec<(&'static str, u8)>>,
    ) -> Self {
        let tape = Tape {
            input,
            records: Vec::with_capacity(BATCH_LEN + 1),
            attributes: Vec::new(),
            attribute_ranges: Vec::new(),
            copies: String::new(),
            doctypes: Vec::new(),
            data: Vec::new(),
            declared: Vec::new(),
        };
        let switching_tags = const { SwitchingTags::of::<M>() };
        let (errors, has_ended, is_at_end) = (Vec::new(), false, false);
        Self { tape, errors, tree_flags, switching_tags, has_ended, is_at_end }
    }

    pub(super) fn set_tree_flag(&mut self, name: &'static str, value: u8) {
        if let Some(flags) = &mut self.tree_flags {
            flags.retain(|(other, _)| *other != name);
            flags.push((name, value));
        }
    }

    /// Returns a pause once the batch is full.
    #[inline]
    fn control(&self) -> Control {
        if self.tape.records.len() >= BATCH_LEN { Control::Pause } else { Control::Continue }
    }

    #[inline]
    fn tag(&mut self, kind: RecordKind, tag: token::Tag<'_>) {
        let data_index = self.tape.attributes.len();
        if tag.is_verbatim() {
            self.tape.attributes.extend(tag.attribute_records().0);
        } else {
            self.tape.add_attributes(tag);
        }
        let attribute_count = self.tape.attributes.len() - data_index;
        let (text, name_span) = match tag.verbatim_name() {
            Some(name) => (name, VERBATIM),
            None => self.tape.add_name(tag),
        };
        self.tape.records.push(TokenRecord {
            kind,
            self_closing: tag.self_closing(),
            had_duplicates: tag.had_duplicate_attributes(),
            is_inserted: tag.is_inserted(),
            text,
            span: tag.span(),
            data_index: data_index as u32,
            attribute_count: attribute_count as u32,
            name_span,
        });
    }
}

impl<const ERRORS: bool> MachineSink for Recorder<'_, ERRORS> {
    const ERRORS: bool = ERRORS;
}

impl<const ERRORS: bool> Sink for Recorder<'_, ERRORS> {
    #[inline]
    fn text(&mut self, text: token::Text<'_>) -> Control {
        // A text passed in bulk equals its input range.
        let range = match text.is_bulk && !text.is_inserted {
            true => text.span,
            false => self.tape.range_of(text.text),
        };
        match self.tape.records.last_mut() {
            Some(last) if last.kind == RecordKind::Text => {
                last.span.end = text.span.end;
                match last.text.end == range.start {
                    true => last.text.end = range.end,
                    false => self.tape.extend_last_text(range),
                }
            }
            _ => {
                self.tape.push(RecordKind::Text, range, text.span);
            }
        }
        Control::Continue
    }

    #[inline]
    fn start_tag(&mut self, tag: token::Tag<'_>) -> Control {
        self.tag(RecordKind::StartTag, tag);
        match &self.tree_flags {
            Some(flags) if self.switching_tags.may_have(tag.name_bytes()) => {
                match (self.switching_tags.after)(tag.name(), flags).entry() {
                    Some(entry) => Control::Enter(entry),
                    None => self.control(),
                }
            }
            _ => self.control(),
        }
    }

    #[inline]
    fn end_tag(&mut self, tag: token::Tag<'_>) -> Control {
        self.tag(RecordKind::EndTag, tag);
        self.control()
    }

    fn comment(&mut self, comment: token::Comment<'_>) -> Control {
        let range = self.tape.range_of(comment.data);
        let record = self.tape.push(RecordKind::Comment, range, comment.span);
        record.is_inserted = comment.is_inserted();
        self.control()
    }

    fn doctype(&mut self, doctype: token::Doctype<'_>) -> Control {
        let owned = |text: &str| Cow::Owned(text.to_owned());
        let token = owned::Doctype {
            name: doctype.name().map(owned),
            public_identifier: doctype.public_identifier().map(owned),
            system_identifier: doctype.system_identifier().map(owned),
            force_quirks: doctype.force_quirks(),
            span: doctype.span(),
        };
        let data_index = self.tape.doctypes.len() as u32;
        self.tape.push(RecordKind::Doctype, Span::new(0, 0), token.span).data_index = data_index;
        self.tape.doctypes.push(token);
        self.control()
    }

    fn short_end_tag(&mut self, tag: token::ShortEndTag) -> Control {
        self.tape.push(RecordKind::ShortEndTag, Span::new(0, 0), tag.span);
        self.control()
    }

    fn processing_instruction(&mut self, instruction: token::ProcessingInstruction<'_>) -> Control {
        let target = self.tape.range_of(instruction.target);
        let data = self.tape.range_of(instruction.data);
        let data_index = self.tape.data.len() as u32;
        let record = self.tape.push(RecordKind::ProcessingInstruction, target, instruction.span);
        (record.data_index, record.is_inserted) = (data_index, instruction.is_inserted());
        self.tape.data.push(data);
        self.control()
    }

    fn declared_token(&mut self, token: DeclaredToken<'_>) -> Control {
        let data_index = self.tape.declared.len() as u32;
        self.tape.push(RecordKind::Declared, Span::new(0, 0), token.span()).data_index = data_index;
        let owned = |text: &str| Cow::Owned(text.to_owned());
        self.tape.declared.push(owned::DeclaredToken::of(token, owned));
        self.control()
    }

    fn end_of_file(&mut self, _: usize) {
        (self.has_ended, self.is_at_end) = (true, true);
    }

    fn error(&mut self, error: ParseError) {
        self.errors.push(error);
    }
}
