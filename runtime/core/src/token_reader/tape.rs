//! The tape on which tokens are recorded in batches, so that the machine need not stop at each token. Texts are stored
//! as ranges of the input, or of a buffer of copies if they are not in the input.

use crate::construct::set_flag;
use crate::error::ParseError;
use crate::machine::Machine;
use crate::registers::{TagAttribute, slice_or_empty};
use crate::sink::{Control, Entry, MachineSink, Sink, SwitchingTags};
use crate::span::Span;
use crate::token::{self, Attribute, DeclaredToken};
use crate::token_reader::{OwnedDeclaredToken, OwnedDoctype, OwnedTag, Token};
use std::borrow::Cow;

/// The number of tokens after which the machine pauses, unless it pauses after each.
const BATCH_LEN: usize = 64;

/// The lowest offset in a [`TapeRange`] that refers to the buffer of copies.
const COPIES_START: usize = 1 << (usize::BITS - 1);

/// The range of a text in the input or in the buffer of copies.
pub(super) type TapeRange = Span;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum RecordKind {
    Text,
    StartTag,
    EndTag,
    Comment,
    Other,
}

#[derive(Clone, Copy, Debug)]
pub(super) struct TokenRecord {
    pub(super) kind: RecordKind,
    pub(super) self_closing: bool,
    pub(super) had_duplicates: bool,
    pub(super) is_inserted: bool,
    /// The text of a text or comment, or the name of a tag.
    pub(super) text: TapeRange,
    /// The input range of the name of a tag.
    pub(super) name_span: Span,
    pub(super) span: Span,
    /// The index of a tag's first attribute, or of another token in `others`.
    pub(super) data_index: u32,
    attribute_count: u32,
}

#[derive(Clone, Debug)]
pub(super) struct Tape<'a> {
    pub(super) input: &'a str,
    pub(super) records: Vec<TokenRecord>,
    attributes: Vec<TagAttribute>,
    /// The tape ranges of the name and value of each attribute whose name or value may differ from its input range.
    attribute_ranges: Vec<[TapeRange; 2]>,
    copies: String,
    /// The tokens other than texts, tags and comments.
    pub(super) others: Vec<Token<'a>>,
}

impl<'a> Tape<'a> {
    /// Clears the tape except for the record at index `next`, if there is one; it must be the last record, and a text.
    pub(super) fn keep_last_text(&mut self, next: usize) {
        let mut last_record = self.records.get(next).copied();
        match &mut last_record {
            // The copy of the last text is at the end of the buffer, so all copies before it can be dropped.
            Some(TokenRecord { text, .. }) if text.start >= COPIES_START => {
                self.copies.drain(..text.start - COPIES_START);
                *text = Span::new(COPIES_START, COPIES_START + self.copies.len());
            }
            _ => self.copies.clear(),
        }
        self.records.clear();
        self.records.extend(last_record);
        self.attributes.clear();
        self.attribute_ranges.clear();
        self.others.clear();
    }

    #[inline]
    pub(super) fn text(&self, range: TapeRange) -> &str {
        if range.start < COPIES_START {
            return slice_or_empty(self.input, range.start, range.end);
        }
        &self.copies[range.start - COPIES_START..range.end - COPIES_START]
    }

    /// Returns the text of a range, borrowed if the range is in the input.
    #[inline]
    fn to_cow(&self, range: TapeRange) -> Cow<'a, str> {
        match range.start < COPIES_START {
            true => self.borrow(range),
            false => Cow::Owned(self.text(range).to_owned()),
        }
    }

    #[inline]
    fn borrow(&self, span: Span) -> Cow<'a, str> {
        Cow::Borrowed(slice_or_empty(self.input, span.start, span.end))
    }

    /// Returns the token at `index`, which must not be read again, because it may have been moved out.
    #[inline]
    pub(super) fn take_token(&mut self, index: usize) -> Token<'a> {
        let record = self.records[index];
        match record.kind {
            RecordKind::Text => Token::Text(self.to_cow(record.text), record.span),
            RecordKind::StartTag => Token::StartTag(self.to_tag(&record)),
            RecordKind::EndTag => Token::EndTag(self.to_tag(&record)),
            RecordKind::Comment => Token::Comment(self.to_cow(record.text), record.span),
            RecordKind::Other => {
                let other = &mut self.others[record.data_index as usize];
                std::mem::replace(other, Token::ShortEndTag(record.span))
            }
        }
    }

    #[inline]
    fn to_tag(&self, record: &TokenRecord) -> OwnedTag<'a> {
        let attributes = self.attributes(record).iter().map(|attribute| {
            // `to_cow` alone would suffice, but owned tokens of web pages would then take 4 % more instructions.
            let ranges = self.ranges_of(attribute);
            let [name, value] = match attribute.is_verbatim() {
                true => ranges.map(|range| self.borrow(range)),
                false => ranges.map(|range| self.to_cow(range)),
            };
            Attribute { name, value, name_span: attribute.name, value_span: attribute.value }
        });
        OwnedTag {
            name: self.to_cow(record.text),
            name_span: record.name_span,
            attributes: attributes.collect(),
            self_closing: record.self_closing,
            span: record.span,
        }
    }

    #[inline]
    pub(super) fn attributes(&self, record: &TokenRecord) -> &[TagAttribute] {
        let first = record.data_index as usize;
        &self.attributes[first..first + record.attribute_count as usize]
    }

    /// Returns the tape ranges of the name and value of an attribute.
    #[inline(always)]
    fn ranges_of(&self, record: &TagAttribute) -> [TapeRange; 2] {
        match record.copies_index() {
            None => [record.name, record.value],
            Some(index) => self.attribute_ranges[index],
        }
    }

    #[inline(always)]
    pub(super) fn attribute(&self, record: &TagAttribute) -> Attribute<&str> {
        let [name, value] = self.ranges_of(record).map(|range| self.text(range));
        Attribute { name, value, name_span: record.name, value_span: record.value }
    }

    /// Returns the tape range of a text; copies the text unless its address shows that it is a slice of the input.
    #[inline]
    fn range_of(&mut self, text: &str) -> TapeRange {
        match span_in(self.input, text) {
            Some(span) => span,
            None => self.copy(text),
        }
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
            name_span: Span::default(),
            span,
            data_index: 0,
            attribute_count: 0,
        });
        let last = self.records.len() - 1;
        &mut self.records[last]
    }

    /// Records a token that is no text, tag or comment.
    fn push_other(&mut self, token: Token<'a>, span: Span) {
        let data_index = self.others.len() as u32;
        self.push(RecordKind::Other, Span::new(0, 0), span).data_index = data_index;
        self.others.push(token);
    }

    /// Records the attributes of a tag that are not all known to equal their input ranges.
    #[cold]
    #[inline(never)]
    fn add_attributes(&mut self, tag: token::Tag<'_>) {
        for (record, attribute) in tag.attribute_records().0.iter().zip(tag.attributes()) {
            let mut record = *record;
            if !record.is_verbatim() {
                record.set_copies_index(self.attribute_ranges.len());
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
        let old_range = last.text;
        let start = if old_range.start < COPIES_START {
            let copy_offset = self.copies.len();
            // The text is copied to the end of the buffer. If the piece is a copy, it is copied again, to follow the
            // text.
            self.copies.push_str(&self.input[old_range.start..old_range.end]);
            COPIES_START + copy_offset
        } else {
            old_range.start
        };
        if piece.start < COPIES_START {
            self.copies.push_str(&self.input[piece.start..piece.end]);
        } else {
            self.copies.extend_from_within(piece.start - COPIES_START..piece.end - COPIES_START);
        }
        last.text = Span::new(start, COPIES_START + self.copies.len());
    }
}

/// Returns the range of `text` in `input` if its address shows that it is a slice of the input.
#[inline]
fn span_in(input: &str, text: &str) -> Option<Span> {
    let offset = (text.as_ptr() as usize).wrapping_sub(input.as_ptr() as usize);
    let is_in_input = offset <= input.len() && text.len() <= input.len() - offset;
    is_in_input.then(|| Span::new(offset, offset + text.len()))
}

/// Returns `text`, borrowed from `input` if it is a slice of the input.
fn borrow_from<'a>(input: &'a str, text: &str) -> Cow<'a, str> {
    match span_in(input, text) {
        Some(span) => Cow::Borrowed(slice_or_empty(input, span.start, span.end)),
        None => Cow::Owned(text.to_owned()),
    }
}

/// The sink that records a machine's tokens on a tape.
#[derive(Clone, Debug)]
pub(super) struct Recorder<'a, const ERRORS: bool> {
    pub(super) tape: Tape<'a>,
    /// The number of tokens after which the machine pauses.
    pub(super) batch_len: usize,
    pub(super) errors: Vec<ParseError>,
    /// The state or flag value to switch to after the last start tag, if the machine has stopped there.
    pub(super) pending_entry: Option<Entry>,
    /// The names of the flags that the host has set, each with the index of the flag's value.
    flags: Vec<(&'static str, u8)>,
    /// The names of the flags of tree construction that have been set, each with the index of the flag's value; `None`
    /// if the machine does not switch after start tags.
    tree_flags: Option<Vec<(&'static str, u8)>>,
    switching_tags: SwitchingTags,
    pub(super) has_ended: bool,
    pub(super) is_at_end: bool,
}

impl<'a, const ERRORS: bool> Recorder<'a, ERRORS> {
    /// Creates a recorder. If `is_raw`, the machine does not switch after start tags, and stops after each token.
    pub(super) fn new<M: Machine>(input: &'a str, is_raw: bool) -> Self {
        let tape = Tape {
            input,
            records: Vec::with_capacity(BATCH_LEN + 1),
            attributes: Vec::new(),
            attribute_ranges: Vec::new(),
            copies: String::new(),
            others: Vec::new(),
        };
        Self {
            tape,
            batch_len: if is_raw { 1 } else { BATCH_LEN },
            pending_entry: None,
            errors: Vec::new(),
            flags: Vec::new(),
            tree_flags: (!is_raw).then(Vec::new),
            switching_tags: const { SwitchingTags::of::<M>() },
            has_ended: false,
            is_at_end: false,
        }
    }

    pub(super) fn set_flag(&mut self, name: &'static str, value: u8) {
        set_flag(&mut self.flags, name, value);
    }

    pub(super) fn set_tree_flag(&mut self, name: &'static str, value: u8) {
        if let Some(flags) = &mut self.tree_flags {
            set_flag(flags, name, value);
        }
    }

    /// Returns [`Control::Pause`] if the batch is full, else [`Control::Continue`].
    #[inline]
    fn control(&self) -> Control {
        if self.tape.records.len() >= self.batch_len { Control::Pause } else { Control::Continue }
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
        let (text, name_span) = match tag.tag.name.verbatim() {
            Some(name) => (name, name),
            None => (self.tape.range_of(tag.name()), tag.name_span()),
        };
        self.tape.records.push(TokenRecord {
            kind,
            self_closing: tag.self_closing(),
            had_duplicates: tag.had_duplicate_attributes(),
            is_inserted: tag.is_inserted(),
            text,
            name_span,
            span: tag.span(),
            data_index: data_index as u32,
            attribute_count: attribute_count as u32,
        });
    }
}

impl<const ERRORS: bool> MachineSink for Recorder<'_, ERRORS> {
    const ERRORS: bool = ERRORS;
}

impl<const ERRORS: bool> Sink for Recorder<'_, ERRORS> {
    #[inline]
    fn text(&mut self, text: token::Text<'_>) -> Control {
        // A text passed in bulk equals its input range, unless it is inserted, so its address need not be compared.
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
            Some(flags) if self.switching_tags.may_switch_after(tag.tag.name.bytes(tag.source)) => {
                match (self.switching_tags.after)(tag.name(), flags) {
                    Some(entry) if self.batch_len > 1 => Control::Enter(entry),
                    entry => {
                        self.pending_entry = entry;
                        self.control()
                    }
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
        record.is_inserted = comment.is_inserted;
        self.control()
    }

    fn doctype(&mut self, doctype: token::Doctype<'_>) -> Control {
        let input = self.tape.input;
        let to_cow = |text: &str| borrow_from(input, text);
        let token = OwnedDoctype {
            name: doctype.name().map(to_cow),
            public_identifier: doctype.public_identifier().map(to_cow),
            system_identifier: doctype.system_identifier().map(to_cow),
            force_quirks: doctype.force_quirks(),
            span: doctype.span(),
        };
        self.tape.push_other(Token::Doctype(token), doctype.span());
        self.control()
    }

    fn short_end_tag(&mut self, tag: token::ShortEndTag) -> Control {
        self.tape.push_other(Token::ShortEndTag(tag.span), tag.span);
        self.control()
    }

    fn processing_instruction(
        &mut self,
        instruction: token::ProcessingInstruction<&str>,
    ) -> Control {
        let token::ProcessingInstruction { target, data, span, is_inserted } = instruction;
        let [target, data] = [target, data].map(|text| borrow_from(self.tape.input, text));
        let token = token::ProcessingInstruction { target, data, span, is_inserted };
        self.tape.push_other(Token::ProcessingInstruction(token), span);
        self.control()
    }

    fn declared_token(&mut self, token: DeclaredToken<'_>) -> Control {
        let (input, span) = (self.tape.input, token.span());
        let token = OwnedDeclaredToken::of(token, |text| borrow_from(input, text));
        self.tape.push_other(Token::Declared(token), span);
        self.control()
    }

    fn end_of_file(&mut self, _: usize) {
        (self.has_ended, self.is_at_end) = (true, true);
    }

    fn error(&mut self, error: ParseError) {
        self.errors.push(error);
    }

    fn flag(&mut self, flag: &'static str) -> u8 {
        self.flags.iter().find(|(other, _)| *other == flag).map_or(0, |&(_, value)| value)
    }
}
