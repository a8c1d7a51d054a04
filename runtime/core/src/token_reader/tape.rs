//! Tokens recorded in batches, so that a machine need not stop at each of them. Texts are stored as ranges of the
//! input, or of a buffer of copies where the input does not have them.

use crate::construct::Feedback;
use crate::declared::DeclaredToken;
use crate::error::Error;
use crate::machine::Machine;
use crate::named::Named;
use crate::owned;
use crate::sink::{Control, Sink};
use crate::span::Span;
use crate::switching::feedback_after;
use crate::token::{self, Attribute};
use crate::tokens::offset_in;
use std::borrow::Cow;

/// The number of tokens after which the machine pauses.
const FULL: usize = 64;

/// Offsets from here on are in the buffer of copies.
const COPIED: usize = 1 << (usize::BITS - 1);

/// The range of a text in the input or in the buffer of copies.
pub(super) type TapeRange = Span;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    Text,
    StartTag,
    EndTag,
    Comment,
    Doctype,
    ShortEndTag,
    ProcessingInstruction,
    Declared,
}

/// A recorded token.
#[derive(Clone, Copy, Debug)]
pub(super) struct Record {
    pub(super) kind: Kind,
    pub(super) self_closing: bool,
    pub(super) had_duplicates: bool,
    pub(super) is_inserted: bool,
    /// The text, the name of a tag, or the target of a processing instruction.
    pub(super) text: TapeRange,
    pub(super) name_span: Span,
    pub(super) span: Span,
    /// The index of the first attribute in the common list; for other tokens, an index in the list of their further
    /// data.
    pub(super) first: usize,
    count: usize,
}

/// A recorded attribute.
#[derive(Clone, Copy, Debug)]
pub(super) struct AttributePlace {
    name: TapeRange,
    value: TapeRange,
    /// The input ranges of name and value, if they differ from the places.
    spans: Option<(Span, Span)>,
}

/// A batch of recorded tokens.
#[derive(Clone, Debug)]
pub(super) struct Tape<'a> {
    pub(super) input: &'a str,
    pub(super) records: Vec<Record>,
    attributes: Vec<AttributePlace>,
    copied: String,
    pub(super) doctypes: Vec<owned::Doctype<'a>>,
    pub(super) data: Vec<TapeRange>,
    pub(super) declared: Vec<owned::DeclaredToken<'a>>,
}

impl<'a> Tape<'a> {
    pub(super) fn clear(&mut self) {
        self.records.clear();
        self.attributes.clear();
        self.copied.clear();
        self.doctypes.clear();
        self.data.clear();
        self.declared.clear();
    }

    /// Returns the text at a place.
    #[inline]
    pub(super) fn text(&self, place: TapeRange) -> &str {
        if place.start < COPIED {
            return &self.input[place.start..place.end];
        }
        &self.copied[place.start - COPIED..place.end - COPIED]
    }

    #[inline]
    pub(super) fn attributes(&self, record: &Record) -> &[AttributePlace] {
        &self.attributes[record.first..record.first + record.count]
    }

    #[inline]
    pub(super) fn attribute(&self, place: &AttributePlace) -> Attribute<'_> {
        let (name_span, value_span) = place.spans.unwrap_or((place.name, place.value));
        let (name, value) = (self.text(place.name), self.text(place.value));
        Attribute { name, value, name_span, value_span }
    }

    /// Returns the place of a text, which is copied unless its address shows that it is part of the input.
    #[inline]
    fn place(&mut self, text: &str) -> TapeRange {
        let offset = offset_in(self.input, text);
        if offset <= self.input.len() && text.len() <= self.input.len() - offset {
            return Span::new(offset, offset + text.len());
        }
        self.copy(text)
    }

    #[cold]
    #[inline(never)]
    fn copy(&mut self, text: &str) -> TapeRange {
        let start = COPIED + self.copied.len();
        self.copied.push_str(text);
        Span::new(start, start + text.len())
    }

    #[inline]
    fn push(&mut self, kind: Kind, text: TapeRange, span: Span) -> &mut Record {
        self.records.push(Record {
            kind,
            self_closing: false,
            had_duplicates: false,
            is_inserted: false,
            text,
            name_span: text,
            span,
            first: 0,
            count: 0,
        });
        let last = self.records.len() - 1;
        &mut self.records[last]
    }

    /// Appends a piece to the text recorded last.
    #[inline]
    fn extend_text(&mut self, index: usize, piece: &str, end: usize) {
        let place = self.place(piece);
        let record = &mut self.records[index];
        record.span.end = end;
        if record.text.end == place.start {
            record.text.end = place.end;
            return;
        }
        let before = record.text;
        self.join(index, before, place);
    }

    /// Joins two pieces that are not adjacent. As this is the text recorded last, its copy is at the end of the buffer.
    #[cold]
    #[inline(never)]
    fn join(&mut self, index: usize, before: TapeRange, after: TapeRange) {
        let start = if before.start < COPIED {
            let copy = self.copied.len();
            let piece = self.text(after).to_owned();
            // The piece may have been copied already, in which case that copy is left unused.
            self.copied.push_str(&self.input[before.start..before.end]);
            self.copied.push_str(&piece);
            COPIED + copy
        } else {
            // A piece of the input after copied ones.
            self.copied.push_str(&self.input[after.start..after.end]);
            before.start
        };
        self.records[index].text = Span::new(start, COPIED + self.copied.len());
    }
}

/// The sink that records a machine's tokens.
#[derive(Clone, Debug)]
pub(super) struct Recorder<'a, M: Machine, const ERRORS: bool> {
    pub(super) tape: Tape<'a>,
    pub(super) errors: Vec<Error<M::Error>>,
    /// The flags of tree construction; `None` if the machine does not switch after start tags.
    switches: Option<Vec<(&'static str, u8)>>,
    pub(super) has_ended: bool,
    pub(super) is_at_end: bool,
}

impl<'a, M: Machine, const ERRORS: bool> Recorder<'a, M, ERRORS> {
    pub(super) fn new(input: &'a str, switches: Option<Vec<(&'static str, u8)>>) -> Self {
        let tape = Tape {
            input,
            records: Vec::with_capacity(FULL + 1),
            attributes: Vec::new(),
            copied: String::new(),
            doctypes: Vec::new(),
            data: Vec::new(),
            declared: Vec::new(),
        };
        Self { tape, errors: Vec::new(), switches, has_ended: false, is_at_end: false }
    }

    pub(super) fn set_tree_flag(&mut self, name: &'static str, value: u8) {
        if let Some(flags) = &mut self.switches {
            flags.retain(|(other, _)| *other != name);
            flags.push((name, value));
        }
    }

    /// Returns a pause once the batch is full.
    #[inline]
    fn control(&self) -> Control<M::State> {
        if self.tape.records.len() >= FULL { Control::Pause } else { Control::Continue }
    }

    #[inline]
    fn tag(&mut self, kind: Kind, tag: token::Tag<'_>) {
        let first = self.tape.attributes.len();
        for attribute in tag.attributes() {
            let (name, value) = (self.tape.place(attribute.name), self.tape.place(attribute.value));
            let spans = (attribute.name_span, attribute.value_span);
            let spans = (spans != (name, value)).then_some(spans);
            self.tape.attributes.push(AttributePlace { name, value, spans });
        }
        let count = self.tape.attributes.len() - first;
        let name = self.tape.place(tag.name());
        let record = self.tape.push(kind, name, tag.span());
        record.name_span = tag.name_span();
        record.self_closing = tag.self_closing();
        record.had_duplicates = tag.had_duplicate_attributes();
        record.is_inserted = tag.is_inserted();
        (record.first, record.count) = (first, count);
    }
}

impl<M: Machine, const ERRORS: bool> Sink<M> for Recorder<'_, M, ERRORS> {
    const ERRORS: bool = ERRORS;

    #[inline]
    fn text(&mut self, text: token::Text<'_>) -> Control<M::State> {
        let last = self.tape.records.len().wrapping_sub(1);
        match self.tape.records.get(last) {
            Some(record) if record.kind == Kind::Text => {
                self.tape.extend_text(last, text.text, text.span.end);
            }
            _ => {
                let place = self.tape.place(text.text);
                self.tape.push(Kind::Text, place, text.span);
            }
        }
        Control::Continue
    }

    #[inline]
    fn start_tag(&mut self, tag: token::Tag<'_>) -> Control<M::State> {
        self.tag(Kind::StartTag, tag);
        let feedback = match &self.switches {
            Some(flags) => feedback_after::<M>(tag.name(), flags),
            None => Feedback::None,
        };
        match feedback {
            Feedback::None | Feedback::Declaration | Feedback::Script => self.control(),
            Feedback::Switch(state) => Control::Switch(M::State::ALL[usize::from(state)]),
            Feedback::SetFlag(flag, value) => {
                Control::SetFlag(M::HostFlag::ALL[usize::from(flag)], value)
            }
        }
    }

    #[inline]
    fn end_tag(&mut self, tag: token::Tag<'_>) -> Control<M::State> {
        self.tag(Kind::EndTag, tag);
        self.control()
    }

    fn comment(&mut self, comment: token::Comment<'_>) -> Control<M::State> {
        let place = self.tape.place(comment.data);
        let record = self.tape.push(Kind::Comment, place, comment.span);
        record.is_inserted = comment.is_inserted();
        self.control()
    }

    fn doctype(&mut self, doctype: token::Doctype<'_>) -> Control<M::State> {
        let owned = |text: &str| Cow::Owned(text.to_owned());
        let token = owned::Doctype {
            name: doctype.name().map(owned),
            public_identifier: doctype.public_identifier().map(owned),
            system_identifier: doctype.system_identifier().map(owned),
            force_quirks: doctype.force_quirks(),
            span: doctype.span(),
        };
        let first = self.tape.doctypes.len();
        self.tape.push(Kind::Doctype, Span::new(0, 0), token.span).first = first;
        self.tape.doctypes.push(token);
        self.control()
    }

    fn short_end_tag(&mut self, tag: token::ShortEndTag) -> Control<M::State> {
        self.tape.push(Kind::ShortEndTag, Span::new(0, 0), tag.span);
        self.control()
    }

    fn processing_instruction(
        &mut self,
        instruction: token::ProcessingInstruction<'_>,
    ) -> Control<M::State> {
        let target = self.tape.place(instruction.target);
        let data = self.tape.place(instruction.data);
        let first = self.tape.data.len();
        let record = self.tape.push(Kind::ProcessingInstruction, target, instruction.span);
        (record.first, record.is_inserted) = (first, instruction.is_inserted());
        self.tape.data.push(data);
        self.control()
    }

    fn declared_token(&mut self, token: DeclaredToken<'_>) -> Control<M::State> {
        let first = self.tape.declared.len();
        self.tape.push(Kind::Declared, Span::new(0, 0), token.span()).first = first;
        let owned = |text: &str| Cow::Owned(text.to_owned());
        self.tape.declared.push(owned::DeclaredToken::of(token, owned));
        self.control()
    }

    fn end_of_file(&mut self, _: usize) {
        (self.has_ended, self.is_at_end) = (true, true);
    }

    fn error(&mut self, error: Error<M::Error>) {
        self.errors.push(error);
    }
}
