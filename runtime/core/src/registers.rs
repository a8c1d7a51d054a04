//! The registers of a machine that hold text: its current comment, DOCTYPE, processing instruction and declared tokens,
//! and the last start tag's name; also the stack of pushed states. The current tag is in `tag`. A text is a range of
//! the current chunk for as long as it equals that range; it is copied when other text is appended or the chunk is
//! dropped.

mod tag;

use crate::lexeme::{Normalization, normalize};
use crate::names::{LocalName, NameLookup, Names};
use crate::setters::setters;
use crate::span::Span;
use crate::token::{DeclaredToken, TokenForm};
use std::borrow::Cow;
use std::fmt;
use std::sync::Arc;
pub(crate) use tag::{TagAttribute, TagRegister, name_bit};

/// The chunk that the machine reads, with its input offset.
#[derive(Clone, Copy, Debug)]
pub struct SourceText<'a> {
    /// The text of the chunk.
    pub text: &'a str,
    /// The input offset of the chunk's first byte.
    pub base: usize,
}

impl<'a> SourceText<'a> {
    /// Whether the source is inserted text, or that of a token with inserted parts.
    #[inline]
    pub(crate) fn is_inserted(self) -> bool {
        self.base >= INSERTED
    }

    /// Returns the text at an input range of this chunk; empty if the range is not in the chunk.
    #[inline(always)]
    fn slice(self, span: Span) -> &'a str {
        slice_or_empty(
            self.text,
            span.start.wrapping_sub(self.base),
            span.end.wrapping_sub(self.base),
        )
    }

    /// Creates the interner's lookup of the name at an input range of this chunk.
    #[inline(always)]
    fn name_lookup(self, span: Span) -> NameLookup<'a> {
        let [start, end] = [span.start, span.end].map(|offset| offset.wrapping_sub(self.base));
        NameLookup::in_text(self.text.as_bytes(), start, end)
    }

    /// Interns the text at an input range of this chunk as a local name.
    #[inline(always)]
    pub(crate) fn local_name(self, span: Span, names: &mut Names) -> LocalName {
        let [start, end] = [span.start, span.end].map(|offset| offset.wrapping_sub(self.base));
        names.local_in(self.text, start, end)
    }

    /// Returns the bytes at an input range of this chunk; empty if the range is not in the chunk.
    #[inline]
    fn bytes(self, span: Span) -> &'a [u8] {
        let bytes = self.text.as_bytes();
        bytes
            .get(span.start.wrapping_sub(self.base)..span.end.wrapping_sub(self.base))
            .unwrap_or_default()
    }
}

/// Returns the text between two offsets, or an empty text if they are not a valid range. A range that ends before the
/// text does, the common case, is sliced inline.
#[inline(always)]
pub(crate) fn slice_or_empty(text: &str, start: usize, end: usize) -> &str {
    let bytes = text.as_bytes();
    let is_boundary = |offset: usize| (bytes[offset] as i8) >= -0x40;
    if start <= end && end < bytes.len() && is_boundary(start) && is_boundary(end) {
        text.get(start..end).unwrap_or_else(empty_text)
    } else {
        slice_or_empty_slow(text, start, end)
    }
}

/// Returns the empty text; never called, because [`slice_or_empty`] has checked the range.
#[cold]
#[inline(never)]
fn empty_text<'a>() -> &'a str {
    ""
}

/// Slow path of [`slice_or_empty`], for invalid ranges and ranges at the end of the text.
#[cold]
#[inline(never)]
fn slice_or_empty_slow(text: &str, start: usize, end: usize) -> &str {
    text.get(start..end).unwrap_or_default()
}

/// The start of the range of a text to which nothing has been appended.
const UNSET: usize = usize::MAX;

/// The range of a text to which nothing has been appended.
pub(crate) const UNSET_SPAN: Span = Span { start: UNSET, end: UNSET };

/// The end of the range of a text that has been copied. No run begins at this offset, so that `append_run` needs no
/// further check for copied texts.
const COPIED: usize = usize::MAX - 1;

/// A growable text that borrows from the input while it can.
#[derive(Clone, Debug)]
pub struct TextRegister {
    /// The input range of the text. The start is `UNSET` while nothing has been appended; the end is `COPIED` if the
    /// text has been copied.
    span: Span,
    /// The actual end of the range of a copied text.
    end: usize,
    /// The text, if it has been copied; otherwise a buffer to reuse.
    copy: String,
}

impl Default for TextRegister {
    fn default() -> Self {
        Self { span: UNSET_SPAN, end: UNSET, copy: String::new() }
    }
}

impl TextRegister {
    pub(crate) fn memory_usage(&self) -> usize {
        self.copy.capacity()
    }

    /// Empties the text and unsets its range.
    #[inline]
    pub fn clear(&mut self) {
        self.span = UNSET_SPAN;
    }

    /// Whether the text is in `copy` rather than borrowed from the chunk.
    #[inline(always)]
    fn is_copied(&self) -> bool {
        self.span.end == COPIED
    }

    #[inline(always)]
    fn range(&self) -> Span {
        if self.is_copied() { Span::new(self.span.start, self.end) } else { self.span }
    }

    /// Returns the text; empty if nothing has been appended.
    #[inline]
    pub fn text<'a>(&'a self, source: SourceText<'a>) -> &'a str {
        if self.is_copied() { &self.copy } else { source.slice(self.span) }
    }

    /// Returns the text, or `None` if nothing was set or appended.
    #[inline]
    pub(crate) fn text_if_set<'a>(&'a self, source: SourceText<'a>) -> Option<&'a str> {
        self.is_set().then(|| self.text(source))
    }

    /// Returns the input range of the text, or `None` if the text is unset or copied.
    #[inline(always)]
    pub(crate) fn verbatim(&self) -> Option<Span> {
        // If the text is unset or copied, its end is larger than any input offset.
        (self.span.end <= usize::MAX / 2).then_some(self.span)
    }

    /// Returns the input range of the text, [`UNSET_SPAN`] if the text is unset; `None` if it is copied or from a
    /// replacement text.
    #[inline(always)]
    pub(crate) fn uncopied_span(&self) -> Option<Span> {
        // The addition wraps around for an unset text.
        (self.span.end.wrapping_add(1) <= INSERTED).then_some(self.span)
    }

    /// Whether the text is empty or unset.
    #[inline]
    pub fn is_empty(&self) -> bool {
        if self.is_copied() { self.copy.is_empty() } else { self.span.start == self.span.end }
    }

    /// Whether the text is `expected`. The lengths are compared first, as most texts differ in length.
    #[inline(always)]
    pub fn is<const N: usize>(&self, source: SourceText<'_>, expected: &[u8; N]) -> bool {
        match self.is_copied() {
            true => self.copy.as_bytes() == expected,
            false => self.span.end - self.span.start == N && source.bytes(self.span) == expected,
        }
    }

    /// Returns the bytes of the text.
    #[inline]
    pub fn bytes<'a>(&'a self, source: SourceText<'a>) -> &'a [u8] {
        if self.is_copied() { self.copy.as_bytes() } else { source.bytes(self.span) }
    }

    #[inline(always)]
    pub(crate) fn local_name(&self, source: SourceText<'_>, names: &mut Names) -> LocalName {
        if self.is_copied() {
            return names.local(&self.copy);
        }
        source.local_name(self.span, names)
    }

    /// Returns the input range of the text, or the empty range at `offset` if the text is unset.
    #[inline]
    pub(crate) fn span_or(&self, offset: usize) -> Span {
        if self.span.start == UNSET { Span::new(offset, offset) } else { self.range() }
    }

    /// Returns the input range of the text, or `None` if the text is unset.
    #[inline]
    fn span_if_set(&self) -> Option<Span> {
        (self.span.start != UNSET).then_some(self.range())
    }

    /// If the text is unset, sets it to the empty range at `offset` in the chunk.
    #[inline]
    pub fn open(&mut self, base: usize, offset: usize) {
        if self.span.start == UNSET {
            self.span = Span::new(base + offset, base + offset);
        }
    }

    /// Sets the text, which has just been cleared, to the empty range at `offset` in the chunk.
    #[inline(always)]
    pub fn begin(&mut self, base: usize, offset: usize) {
        self.span = Span::new(base + offset, base + offset);
    }

    /// Appends the bytes of the chunk from `from` to `to`.
    #[inline(always)]
    pub fn append_run(&mut self, source: SourceText<'_>, from: usize, to: usize) {
        let (start, end) = (source.base + from, source.base + to);
        if self.span.end == start {
            self.span.end = end;
        } else if self.span.start == UNSET {
            self.span = Span::new(start, end);
        } else {
            self.append_slice(source.text, source.base, from, to);
        }
    }

    /// Sets the text, which has just been cleared, to the bytes of the chunk from `from` to `to`.
    #[inline(always)]
    pub fn begin_run(&mut self, base: usize, from: usize, to: usize) {
        self.span = Span::new(base + from, base + to);
    }

    /// Slow path of [`append_run`](Self::append_run), for bytes that do not directly follow the range. The chunk is
    /// passed as text and base, in CPU registers, so that no caller has to keep a `SourceText` in memory.
    #[cold]
    #[inline(never)]
    fn append_slice(&mut self, text: &str, base: usize, from: usize, to: usize) {
        self.append_text(SourceText { text, base }, &text[from..to], from, to);
    }

    /// Appends a range of the chunk after applying `normalization`.
    #[inline]
    pub fn append_part(
        &mut self,
        source: SourceText<'_>,
        range: std::ops::Range<usize>,
        normalization: Normalization,
    ) {
        match normalize(&source.text[range.clone()], normalization) {
            Cow::Borrowed(_) => self.append_run(source, range.start, range.end),
            Cow::Owned(text) => self.append_text(source, &text, range.start, range.end),
        }
    }

    /// Appends a text that differs from its input range, `from..to` of the chunk.
    #[cold]
    #[inline(never)]
    pub fn append_text(&mut self, source: SourceText<'_>, text: &str, from: usize, to: usize) {
        self.append_copy(source, text, from, to);
    }

    /// Inlined [`append_text`](Self::append_text).
    #[inline(always)]
    fn append_copy(&mut self, source: SourceText<'_>, text: &str, from: usize, to: usize) {
        if !self.is_copied() {
            self.begin_copy(source, from);
        }
        self.copy.push_str(text);
        self.end = source.base + to;
    }

    /// Copies the text so that more can be appended; the range of an unset text begins at the chunk's offset `from`.
    #[inline(always)]
    fn begin_copy(&mut self, source: SourceText<'_>, from: usize) {
        self.copy.clear();
        if self.span.start == UNSET {
            self.span.start = source.base + from;
        } else if self.span.start != self.span.end {
            self.copy.push_str(source.slice(self.span));
        }
        self.span.end = COPIED;
    }

    /// Appends the bytes of the chunk from `from` to `to` with ASCII letters in lower case.
    #[cold]
    #[inline(never)]
    pub fn append_lower_case(&mut self, source: SourceText<'_>, from: usize, to: usize) {
        let bytes = &source.text.as_bytes()[from..to];
        if !bytes.iter().any(u8::is_ascii_uppercase) {
            return self.append_run(source, from, to);
        }
        let text = slice_or_empty(source.text, from, to);
        let start = self.text(source).len();
        self.append_copy(source, text, from, to);
        self.copy[start..].make_ascii_lowercase();
    }

    /// Appends the literal `text`, without a copy if the chunk has an equal text directly before `offset` that
    /// continues or begins the range.
    #[inline(never)]
    pub fn append_before(&mut self, source: SourceText<'_>, text: &str, offset: usize, to: usize) {
        let start = offset.checked_sub(text.len());
        let is_equal =
            start.is_some_and(|start| source.text.as_bytes()[start..offset] == *text.as_bytes());
        match start {
            Some(start) if is_equal && self.span.end == source.base + start => {
                self.span.end = source.base + offset;
            }
            Some(start) if is_equal && self.span.start == UNSET => {
                self.span = Span::new(source.base + start, source.base + offset);
            }
            _ => self.append_copy(source, text, to, to),
        }
    }

    /// Appends the text of another register, without a copy if the other register's range directly follows this one's
    /// and ends at `to`.
    #[inline(never)]
    pub fn append_register(
        &mut self,
        source: SourceText<'_>,
        other: &Self,
        from: usize,
        to: usize,
    ) {
        let is_adjacent = self.span.end == other.span.start && other.span.end == source.base + to;
        if is_adjacent && self.span.start != UNSET {
            self.span.end = other.span.end;
        } else {
            self.append_copy(source, other.text(source), from, to);
        }
    }

    /// Appends the text of another register, without a copy if this text is empty or the other one's range follows.
    /// Only for texts whose ranges no token exposes; an unset text becomes the empty range at `to`.
    #[inline(always)]
    pub fn join(&mut self, source: &SourceText<'_>, other: &Self, to: usize) {
        match other.verbatim() {
            Some(span) if span.start == self.span.end => self.span.end = span.end,
            Some(span) if !self.is_set() => self.span = span,
            _ => self.join_slow(source, other, to),
        }
    }

    /// Slow path of [`join`](Self::join), for a text that does not follow this one in the chunk.
    #[inline(never)]
    fn join_slow(&mut self, source: &SourceText<'_>, other: &Self, to: usize) {
        if self.is_copied() {
            self.copy.push_str(other.text(*source));
        } else if other.is_empty() {
            self.open(source.base, to);
        } else if self.is_empty() && !other.is_copied() {
            self.span = other.span;
        } else {
            self.append_copy(*source, other.text(*source), to, to);
        }
    }

    /// Appends the literal `text`, without a copy if the chunk has an equal text after this one or, if this text is
    /// empty, before offset `at`. Only for texts whose ranges no token exposes.
    #[inline(always)]
    pub fn join_literal(&mut self, source: &SourceText<'_>, text: &str, at: usize) {
        let bytes = source.text.as_bytes();
        if self.is_empty() {
            if bytes[..at].ends_with(text.as_bytes()) {
                self.begin_run(source.base, at - text.len(), at);
                return;
            }
        } else if let Some(Span { end, .. }) = self.verbatim()
            && bytes[end - source.base..].starts_with(text.as_bytes())
        {
            self.span.end += text.len();
            return;
        }
        self.append_text(*source, text, at, at);
    }

    /// Drops the last occurrence of an ASCII character and all text after it; all text if there is no occurrence. Only
    /// for texts whose ranges no token exposes.
    #[inline(never)]
    pub fn cut_from_last(&mut self, source: SourceText<'_>, from: u8) {
        let length = self.bytes(source).iter().rposition(|&byte| byte == from).unwrap_or(0);
        if self.is_copied() {
            self.copy.truncate(length);
        } else if self.is_set() {
            self.span.end = self.span.start + length;
        }
    }

    /// Returns the chunk offset at which the text begins, or `offset` if it is unset or copied.
    #[inline]
    pub fn start_or(&self, base: usize, offset: usize) -> usize {
        self.verbatim().map_or(offset, |span| span.start - base)
    }

    /// Sets the text to `text`, and its range to the empty range at offset `to` of the chunk.
    pub fn set(&mut self, source: SourceText<'_>, text: &str, to: usize) {
        self.clear();
        if text.is_empty() {
            self.open(source.base, to);
        } else {
            self.append_text(source, text, to, to);
        }
    }

    /// Like [`set`](Self::set), but keeps the buffer of `text` instead of copying it.
    pub(crate) fn set_owned(&mut self, source: SourceText<'_>, text: String, to: usize) {
        self.clear();
        if text.is_empty() {
            self.open(source.base, to);
        } else {
            let offset = source.base + to;
            (self.span, self.end, self.copy) = (Span::new(offset, COPIED), offset, text);
        }
    }

    /// Returns an empty buffer for a text to be set: that of this register, if its text is not in it.
    pub(crate) fn take_free_buffer(&mut self) -> String {
        let mut buffer = String::new();
        if !self.is_copied() {
            std::mem::swap(&mut buffer, &mut self.copy);
            buffer.clear();
        }
        buffer
    }

    /// Whether anything was set or appended.
    #[inline]
    pub fn is_set(&self) -> bool {
        self.span.start != UNSET
    }

    /// Copies the text if it is borrowed from the chunk, which is about to be dropped.
    #[inline]
    pub(crate) fn detach_from_chunk(&mut self, source: SourceText<'_>) {
        if !self.is_copied() && self.span.start != UNSET {
            let end = self.span.end;
            self.begin_copy(source, 0);
            self.end = end;
        }
    }

    /// Empties the text but keeps its range, if it has one.
    pub(crate) fn drop_text(&mut self) {
        if self.is_set() {
            let end = self.range().end;
            self.copy.clear();
            (self.span.end, self.end) = (COPIED, end);
        }
    }

    /// Copies the text out of the source and maps its range to the input.
    pub(crate) fn settle(&mut self, source: SourceText<'_>, origin: Span) {
        if self.span.start != UNSET {
            self.detach_from_chunk(source);
            let Span { start, end } = original(self.range(), origin);
            (self.span.start, self.end) = (start, end);
        }
    }

    /// Sets the text and its range to those of `other`, or to an empty text if `other` is unset.
    #[inline]
    pub(crate) fn copy_from(&mut self, other: &Self) {
        self.span = other.span;
        if other.is_copied() {
            self.end = other.end;
            self.copy.clone_from(&other.copy);
        }
        self.open(0, 0);
    }

    /// Sets the text to a copy of `text`, which has no input range: its range is empty, at the start of the input.
    pub(crate) fn set_copy(&mut self, text: &str) {
        (self.span, self.end) = (Span::new(0, COPIED), 0);
        self.copy.clear();
        self.copy.push_str(text);
    }

    #[inline]
    fn copied_text(&self) -> Option<&str> {
        self.is_copied().then_some(&*self.copy)
    }
}

/// Writes a number in a radix from 10 to 16, with lowercase digits, to the end of `buffer`; returns its digits.
#[inline(never)]
pub fn digits(number: u32, radix: u32, buffer: &mut [u8; 10]) -> &str {
    let (mut start, mut rest) = (buffer.len(), number);
    loop {
        start -= 1;
        buffer[start] = b"0123456789abcdef"[(rest % radix) as usize];
        rest /= radix;
        if rest == 0 {
            return std::str::from_utf8(&buffer[start..]).unwrap_or_default();
        }
    }
}

/// The current DOCTYPE token.
#[derive(Clone, Debug, Default)]
pub struct DoctypeRegister {
    /// The name of the document type; unset if it is missing.
    pub name: TextRegister,
    /// The public identifier; unset if it is missing.
    pub public_identifier: TextRegister,
    /// The system identifier; unset if it is missing.
    pub system_identifier: TextRegister,
    /// The force-quirks flag.
    pub force_quirks: bool,
}

impl DoctypeRegister {
    pub(crate) fn memory_usage(&self) -> usize {
        [&self.name, &self.public_identifier, &self.system_identifier]
            .map(TextRegister::memory_usage)
            .iter()
            .sum()
    }

    /// Creates a new DOCTYPE token, with all texts missing and the force-quirks flag off.
    pub fn create(&mut self) {
        self.name.clear();
        self.public_identifier.clear();
        self.system_identifier.clear();
        self.force_quirks = false;
    }
}

/// The current processing instruction token.
#[derive(Clone, Debug, Default)]
pub struct ProcessingInstructionRegister {
    /// The target of the processing instruction.
    pub target: TextRegister,
    /// The data of the processing instruction.
    pub data: TextRegister,
}

impl ProcessingInstructionRegister {
    pub(crate) fn memory_usage(&self) -> usize {
        self.target.memory_usage() + self.data.memory_usage()
    }

    /// Creates a new processing instruction token, with target and data unset.
    pub fn create(&mut self) {
        self.target.clear();
        self.data.clear();
    }
}

/// The fields of declared tokens: an array, so that generated code reads each at a constant offset.
pub trait FieldRegisters:
    AsRef<[TextRegister]> + AsMut<[TextRegister]> + Clone + fmt::Debug + Send + Sync + 'static
{
    /// Creates fields that are all missing.
    fn new() -> Self;
}

impl<const N: usize> FieldRegisters for [TextRegister; N] {
    fn new() -> Self {
        std::array::from_fn(|_| TextRegister::default())
    }
}

/// The maximum number of kinds of tokens that a table declares.
const MAX_KINDS: usize = 48;

/// The current tokens of declared kinds.
#[derive(Clone, Debug)]
pub struct DeclaredTokenRegisters<F> {
    /// The input offset at which the current token of each kind begins.
    starts: [usize; MAX_KINDS],
    /// The fields of all kinds, concatenated.
    pub fields: F,
}

impl<F: FieldRegisters> DeclaredTokenRegisters<F> {
    pub(crate) fn new() -> Self {
        Self { starts: [0; _], fields: F::new() }
    }

    pub(crate) fn memory_usage(&self) -> usize {
        self.fields.as_ref().iter().map(TextRegister::memory_usage).sum()
    }

    /// Creates a token of the kind at index `kind`, beginning at input offset `start`.
    #[inline]
    pub(crate) fn create(&mut self, kind: usize, form: &TokenForm, start: usize) {
        self.starts[kind] = start;
        let fields = &mut self.fields.as_mut()[form.first..][..form.fields.len()];
        fields.iter_mut().for_each(TextRegister::clear);
    }

    /// Creates a token with the fields at the given ranges of a text, which is at `offset` in the input, before the
    /// machine starts.
    pub(crate) fn preset_token(&mut self, form: &TokenForm, ranges: &[Span], offset: usize) {
        let registers = &mut self.fields.as_mut()[form.first..][..form.fields.len()];
        for (register, &Span { start, end }) in registers.iter_mut().zip(ranges) {
            register.span = Span { start, end };
            if offset != 0 {
                // The range of a missing field stays unset.
                let [start, end] = [start, end].map(|at| at.saturating_add(offset));
                register.span = Span { start, end };
            }
        }
    }

    /// Clears the tokens of all kinds, of which there are `kind_count`.
    pub(crate) fn clear(&mut self, kind_count: usize) {
        self.fields.as_mut().iter_mut().for_each(TextRegister::clear);
        self.starts[..kind_count].fill(0);
    }

    /// Appends the text of the field at index `other`, unless that field is missing, to the field at index `index`.
    #[inline(always)]
    pub fn append_field(
        &mut self,
        source: &SourceText<'_>,
        (index, other): (usize, usize),
        to: usize,
    ) {
        let fields = self.fields.as_mut();
        if let Ok([field, other]) = fields.get_disjoint_mut([index, other]) {
            if other.is_set() {
                field.join(source, other, to);
            }
        } else if fields[index].is_set() {
            let text = fields[index].text(*source).to_owned();
            fields[index].append_text(*source, &text, to, to);
        }
    }

    /// Returns the input offset at which the current token of the kind at index `kind` begins.
    pub(crate) fn start(&self, kind: usize) -> usize {
        self.starts[kind]
    }

    pub(crate) fn token<'a>(
        &'a self,
        (kind, form): (usize, &'static TokenForm),
        source: SourceText<'a>,
        span: Span,
        is_inside: bool,
    ) -> DeclaredToken<'a> {
        let fields = &self.fields.as_ref()[form.first..][..form.fields.len()];
        DeclaredToken { form, fields, source, span, kind, is_inside }
    }

    /// Copies the fields out of the source and maps all ranges of the `kind_count` kinds to the input.
    pub(crate) fn settle(&mut self, source: SourceText<'_>, origin: Span, kind_count: usize) {
        self.fields.as_mut().iter_mut().for_each(|field| field.settle(source, origin));
        for start in &mut self.starts[..kind_count] {
            *start = original(Span::new(*start, *start), origin).start;
        }
    }
}

/// A bounded stack of states to return to.
#[derive(Clone, Debug)]
pub struct PushedStates<S> {
    states: Vec<S>,
    /// The number of states on top of the stack that were only counted, because it was full.
    excess: u32,
}

impl<S> Default for PushedStates<S> {
    fn default() -> Self {
        Self { states: Vec::new(), excess: 0 }
    }
}

impl<S: Copy> PushedStates<S> {
    pub(crate) fn memory_usage(&self) -> usize {
        self.states.capacity() * size_of::<S>()
    }

    pub(crate) fn clear(&mut self) {
        self.states.clear();
        self.excess = 0;
    }

    /// Pushes `state` and returns `true`; if the stack already has `limit` states, only counts the state and returns
    /// `false`.
    pub fn push(&mut self, state: S, limit: usize) -> bool {
        let fits = self.states.len() < limit;
        match fits {
            true => self.states.push(state),
            false => self.excess = self.excess.saturating_add(1),
        }
        fits
    }

    /// Pops the state to return to; returns `None` if the stack is empty. In place of a state that was only counted,
    /// returns the topmost stored state without popping it.
    pub fn pop(&mut self) -> Option<S> {
        if self.excess == 0 {
            return self.states.pop();
        }
        self.excess -= 1;
        self.states.last().copied()
    }
}

// The stack of replacement texts that rows insert into the input, and the limits on them; `drive` reads them.

/// Limits on the text that a document may insert by entity references and declared attributes together. Text beyond the
/// limits is dropped and reported as an error.
///
/// ```
/// use tabulex::ReplacementLimits;
///
/// let strict = ReplacementLimits::new().nesting(4).bytes(1000).bytes_per_input_byte(0);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ReplacementLimits {
    nesting: usize,
    pub(crate) bytes: u64,
    bytes_per_input_byte: u64,
}

impl ReplacementLimits {
    /// Returns the default limits: a nesting depth of 16, and 1 MiB plus 5 bytes for each byte of input, a factor that
    /// libxml2 also allows.
    pub const fn new() -> Self {
        Self { nesting: 16, bytes: 0x10_0000, bytes_per_input_byte: 5 }
    }
}

setters! {
    ReplacementLimits: Default = new;

    /// Sets the maximum nesting depth of replacement texts.
    nesting(texts: usize) => nesting = texts;

    /// Sets the number of bytes allowed regardless of the size of the input.
    bytes(bytes: u64) => bytes = bytes;

    /// Sets the number of further bytes allowed for each byte of input read.
    bytes_per_input_byte(bytes: u64) => bytes_per_input_byte = bytes;
}

/// A replacement text that is being read.
#[derive(Clone, Debug)]
pub(crate) struct Replacement {
    pub(crate) text: Arc<str>,
    /// The offset in the text up to which it has been read.
    pub(crate) consumed: usize,
    /// The machine's `scanned` range for this text, kept so that the text is not searched again after each nested
    /// reference.
    pub(crate) scanned: (usize, usize),
}

/// The stack of nested replacement texts that are being read, outermost first, and the limits on them.
#[derive(Clone, Debug)]
pub(crate) struct Replacements {
    pub(crate) texts: Vec<Replacement>,
    /// The text, if any, that a row has just inserted and that is to be read next.
    pub(crate) pending: Option<Arc<str>>,
    /// The input range of the outermost reference, current or last; everything in its replacement text has this range.
    pub(crate) origin: Span,
    /// The offset at which the reference that is being read begins.
    pub(crate) reference_start: usize,
    pub(crate) inserted_bytes: u64,
    /// The offset of the first text refused because of the limits, and the number of refused texts; `None` if none was
    /// refused.
    pub(crate) refused: Option<(usize, u64)>,
    /// The codes of errors already reported in the texts of the current reference.
    pub(crate) reported_codes: Vec<&'static str>,
    pub(crate) limits: ReplacementLimits,
}

impl Replacements {
    pub(crate) fn new(limits: ReplacementLimits) -> Self {
        Self {
            texts: Vec::new(),
            pending: None,
            origin: Span::default(),
            reference_start: 0,
            inserted_bytes: 0,
            refused: None,
            reported_codes: Vec::new(),
            limits,
        }
    }

    /// Whether a replacement text is being read.
    #[inline]
    pub(crate) fn is_active(&self) -> bool {
        !self.texts.is_empty()
    }

    /// Counts a text at `offset` that is refused because of the limits.
    #[cold]
    pub(crate) fn refuse(&mut self, offset: usize) {
        self.refused.get_or_insert((offset, 0)).1 += 1;
    }

    /// Records an error in the texts of the current reference; returns whether it is the first with its code. Later
    /// ones are not reported, as they would have the same range, that of the reference.
    pub(crate) fn record_error(&mut self, code: &'static str) -> bool {
        let is_first = !self.reported_codes.contains(&code);
        if is_first {
            self.reported_codes.push(code);
        }
        is_first
    }

    /// Whether the limits allow a replacement text nested in those that are being read.
    pub(crate) fn allows_nesting(&self) -> bool {
        self.texts.len() < self.limits.nesting
    }

    /// Whether the limits allow inserting `bytes` more bytes after `consumed` bytes of input.
    pub(crate) fn allows_bytes(&self, bytes: usize, consumed: usize) -> bool {
        let input_allowance = self.limits.bytes_per_input_byte.saturating_mul(consumed as u64);
        self.inserted_bytes.saturating_add(bytes as u64)
            <= self.limits.bytes.saturating_add(input_allowance)
    }
}

/// Returns the text with each of the `characters` written as a numeric character reference.
pub(crate) fn escape_as_references(text: &Arc<str>, characters: &str) -> Arc<str> {
    if !text.contains(|character| characters.contains(character)) {
        return Arc::clone(text);
    }
    let mut escaped = String::with_capacity(text.len() + 16);
    for character in text.chars() {
        if characters.contains(character) {
            escaped += &format!("&#{};", u32::from(character));
        } else {
            escaped.push(character);
        }
    }
    escaped.into()
}

/// The lowest offset in replacement texts; lower offsets are in the input.
pub(crate) const INSERTED: usize = usize::MAX / 2 + 1;

/// Maps a range to the input: offsets in a replacement text become those of the reference, `origin`.
#[inline]
pub(crate) fn original(span: Span, origin: Span) -> Span {
    let start = if span.start >= INSERTED { origin.start } else { span.start };
    let end = if span.end >= INSERTED { origin.end } else { span.end };
    Span { start, end }
}

#[cfg(test)]
mod tests {
    use super::*;

    const BASE: usize = 1_000;

    #[test]
    fn appends_runs_to_copied_text() {
        let source = SourceText { text: "abc&def", base: BASE };
        let mut text = TextRegister::default();
        text.append_run(source, 0, 3);
        text.append_text(source, "\u{26}", 3, 4);
        text.append_run(source, 4, 4);
        text.append_run(source, 4, 7);
        assert_eq!(text.text(source), "abc&def");
        assert_eq!(text.span_or(0), Span::new(BASE, BASE + 7));
        text.settle(source, Span::default());
        assert_eq!(text.span_or(0), Span::new(BASE, BASE + 7));
        text.clear();
        assert_eq!((text.text(source), text.span_or(5)), ("", Span::new(5, 5)));
    }
}
