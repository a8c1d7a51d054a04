//! The registers of a machine: texts that grow, the current comment, DOCTYPE and processing instruction; the current tag
//! is in `tag`. They know no state and no row. Invariant: a text is a range of the current chunk as long as it is that,
//! byte for byte; only when something else is appended, or the chunk goes away, is it copied.

mod declared;
mod last_start_tag;
mod tag;

pub(crate) use declared::{DeclaredRegister, PushedStates};
pub(crate) use last_start_tag::LastStartTag;
pub(crate) use tag::TagRegister;
pub(crate) use tag::{AttributeRecord, name_bit};

use crate::lexeme::{Replaced, seen};
use crate::names::{LocalName, NameLookup, Names};
use crate::original::{INSERTED, original};
use crate::span::Span;
use std::borrow::Cow;

/// The chunk that the machine works on.
#[derive(Clone, Copy, Debug)]
pub struct Source<'a> {
    /// The text of the chunk.
    pub text: &'a str,
    /// The offset of its first byte in the whole input.
    pub base: usize,
}

impl<'a> Source<'a> {
    /// This source as that of a token of which a part was inserted, and whose texts are all copies.
    pub(crate) fn inserted(self) -> Self {
        Self { base: INSERTED, ..self }
    }

    /// Whether it is a text that was inserted, or that of such a token.
    #[inline]
    pub(crate) fn is_inserted(self) -> bool {
        self.base >= INSERTED
    }

    /// The text of a range of the whole input; the range must lie in this chunk or be empty.
    #[inline(always)]
    fn slice(self, span: Span) -> &'a str {
        part(self.text, span.start.wrapping_sub(self.base), span.end.wrapping_sub(self.base))
    }

    /// What is written in such a range.
    #[inline(always)]
    fn written(self, span: Span) -> NameLookup<'a> {
        let [start, end] = [span.start, span.end].map(|offset| offset.wrapping_sub(self.base));
        NameLookup::in_text(self.text.as_bytes(), start, end)
    }

    /// What is written in such a range, as a name.
    #[inline(always)]
    pub(crate) fn local_name(self, span: Span, names: &mut Names) -> LocalName {
        let [start, end] = [span.start, span.end].map(|offset| offset.wrapping_sub(self.base));
        names.local_in(self.text, start, end)
    }

    /// The bytes of such a range.
    #[inline]
    fn bytes(self, span: Span) -> &'a [u8] {
        let bytes = self.text.as_bytes();
        bytes
            .get(span.start.wrapping_sub(self.base)..span.end.wrapping_sub(self.base))
            .unwrap_or_default()
    }
}

/// The text from one offset to another; none if there is no such part. A part that ends before the text does is usual:
/// what is asked of it here is all that `get` asks as well, and so it costs four comparisons and no jump.
#[inline(always)]
pub(crate) fn part(text: &str, start: usize, end: usize) -> &str {
    let bytes = text.as_bytes();
    let begins = |at: usize| (bytes[at] as i8) >= -0x40;
    if start <= end && end < bytes.len() && begins(start) && begins(end) {
        text.get(start..end).unwrap_or_else(nothing)
    } else {
        rare_part(text, start, end)
    }
}

/// No text, where there never is none.
#[cold]
#[inline(never)]
fn nothing<'a>() -> &'a str {
    ""
}

/// The part of the text, or nothing where it is no part. Apart, so that no panic is compiled into the caller.
#[cold]
#[inline(never)]
fn rare_part(text: &str, start: usize, end: usize) -> &str {
    text.get(start..end).unwrap_or_default()
}

/// The offset of a text to which nothing was appended yet.
const UNSET: usize = usize::MAX;

/// The end of the range of a text that is not simply the range: no run of the input begins there, so that one comparison
/// says that a run cannot be appended by moving the end.
const COPIED: usize = usize::MAX - 1;

/// A text that grows.
#[derive(Clone, Debug)]
pub struct TextRegister {
    /// The range of the input from which the text was made; `UNSET` as start while it is unset, `COPIED` as end if the
    /// text is not simply the range.
    span: Span,
    /// The end of the range of a text that is not simply the range.
    end: usize,
    /// The text, if it is not simply the range; else a buffer to be used again.
    copy: String,
}

impl Default for TextRegister {
    fn default() -> Self {
        Self { span: Span::new(UNSET, UNSET), end: UNSET, copy: String::new() }
    }
}

impl TextRegister {
    /// The bytes on the heap.
    pub(crate) fn held(&self) -> usize {
        self.copy.capacity()
    }

    /// Empties the text; its range is unset.
    #[inline]
    pub fn clear(&mut self) {
        self.span = Span::new(UNSET, UNSET);
    }

    /// Whether the text is not simply the range.
    #[inline(always)]
    fn is_copied(&self) -> bool {
        self.span.end == COPIED
    }

    /// The range from which the text was made.
    #[inline(always)]
    fn range(&self) -> Span {
        if self.is_copied() { Span::new(self.span.start, self.end) } else { self.span }
    }

    /// The text.
    #[inline]
    pub fn text<'a>(&'a self, source: Source<'a>) -> &'a str {
        if self.is_copied() { &self.copy } else { source.slice(self.span) }
    }

    /// The text as a name.
    #[inline(always)]
    pub(crate) fn local_name(&self, source: Source<'_>, names: &mut Names) -> LocalName {
        if self.is_copied() {
            return names.local(&self.copy);
        }
        source.local_name(self.span, names)
    }

    /// The range from which the text was made, or the empty one at the offset.
    #[inline]
    pub(crate) fn span_or(&self, offset: usize) -> Span {
        if self.span.start == UNSET { Span::new(offset, offset) } else { self.range() }
    }

    /// The range from which the text was made, unless it is unset.
    #[inline]
    fn span_if_set(&self) -> Option<Span> {
        (self.span.start != UNSET).then_some(self.range())
    }

    /// Gives an unset text the empty range at this offset of the chunk.
    #[inline]
    pub fn open(&mut self, base: usize, at: usize) {
        if self.span.start == UNSET {
            self.span = Span::new(base + at, base + at);
        }
    }

    /// Gives a text that has just been emptied the empty range at this offset of the chunk.
    #[inline(always)]
    pub fn begin(&mut self, base: usize, at: usize) {
        self.span = Span::new(base + at, base + at);
    }

    /// Appends the bytes of the chunk from `from` to `to`.
    #[inline(always)]
    pub fn append_run(&mut self, source: Source<'_>, from: usize, to: usize) {
        let (start, end) = (source.base + from, source.base + to);
        if self.span.end == start {
            self.span.end = end;
        } else if self.span.start == UNSET {
            self.span = Span::new(start, end);
        } else {
            self.append_slice(source.text, source.base, from, to);
        }
    }

    /// Makes the bytes of the chunk from `from` to `to` the text, which has just been emptied.
    #[inline(always)]
    pub fn begin_run(&mut self, base: usize, from: usize, to: usize) {
        self.span = Span::new(base + from, base + to);
    }

    /// Appends the bytes of the chunk from `from` to `to`, which do not follow the range. The chunk comes in parts,
    /// which registers hold, so that no caller must keep it in memory.
    #[cold]
    #[inline(never)]
    fn append_slice(&mut self, text: &str, base: usize, from: usize, to: usize) {
        self.append_text(Source { text, base }, &text[from..to], from, to);
    }

    /// Appends what is in the chunk in the range, as the states see it.
    #[inline]
    pub fn append_part(
        &mut self,
        source: Source<'_>,
        range: std::ops::Range<usize>,
        replaced: Replaced,
    ) {
        match seen(&source.text[range.clone()], replaced) {
            Cow::Borrowed(_) => self.append_run(source, range.start, range.end),
            Cow::Owned(text) => self.append_text(source, &text, range.start, range.end),
        }
    }

    /// Appends a text that is not a range of the input; `from..to` is where it comes from.
    #[cold]
    #[inline(never)]
    pub fn append_text(&mut self, source: Source<'_>, text: &str, from: usize, to: usize) {
        self.own(source).push_str(text);
        self.end_copy(source, from, to);
    }

    /// Appends the bytes of the chunk from `from` to `to`, ASCII letters in lower case.
    #[cold]
    #[inline(never)]
    pub fn append_lower_case(&mut self, source: Source<'_>, from: usize, to: usize) {
        let copy = self.own(source);
        let start = copy.len();
        copy.push_str(part(source.text, from, to));
        copy[start..].make_ascii_lowercase();
        self.end_copy(source, from, to);
    }

    /// Sets the range of a copy after which something has been appended that comes from there.
    fn end_copy(&mut self, source: Source<'_>, from: usize, to: usize) {
        if self.span.start == UNSET {
            self.span.start = source.base + from;
        }
        self.end = source.base + to;
    }

    /// Appends one character that stands for the bytes from `from` to `to`.
    #[cold]
    #[inline(never)]
    pub fn append_character(
        &mut self,
        source: Source<'_>,
        character: char,
        from: usize,
        to: usize,
    ) {
        self.append_text(source, character.encode_utf8(&mut [0; 4]), from, to);
    }

    /// Appends a literal that usually is just what is in the chunk before `at`: if it is, nothing is copied.
    #[inline]
    pub fn append_before(&mut self, source: Source<'_>, text: &str, at: usize, to: usize) {
        let start = at.checked_sub(text.len());
        let same = start.is_some_and(|start| source.text.as_bytes()[start..at] == *text.as_bytes());
        match start {
            Some(start) if same && self.span.end == source.base + start => {
                self.span.end = source.base + at;
            }
            Some(start) if same && self.span.start == UNSET => {
                self.span = Span::new(source.base + start, source.base + at);
            }
            _ => self.append_text(source, text, to, to),
        }
    }

    /// Appends the text of another register; if it is the range after this one that ends at `to`, nothing is copied.
    #[inline]
    pub fn append_register(&mut self, source: Source<'_>, other: &Self, from: usize, to: usize) {
        let is_after = self.span.end == other.span.start && other.span.end == source.base + to;
        if is_after && self.span.start != UNSET {
            self.span.end = other.span.end;
        } else {
            self.append_text(source, other.text(source), from, to);
        }
    }

    /// Replaces the text; `to` is where it comes from.
    pub fn set(&mut self, source: Source<'_>, text: &str, to: usize) {
        self.clear();
        if text.is_empty() {
            self.open(source.base, to);
        } else {
            self.append_text(source, text, to, to);
        }
    }

    /// Copies the text out of the chunk, which is about to go away.
    #[inline]
    pub(crate) fn spill(&mut self, source: Source<'_>) {
        if !self.is_copied() && self.span.start != UNSET {
            self.own(source);
        }
    }

    /// Copies the text out of the source, and gives its range its place in the input.
    pub(crate) fn settle(&mut self, source: Source<'_>, origin: Span) {
        if self.span.start != UNSET {
            self.spill(source);
            let Span { start, end } = original(self.range(), origin);
            (self.span.start, self.end) = (start, end);
        }
    }

    fn own(&mut self, source: Source<'_>) -> &mut String {
        if !self.is_copied() {
            self.copy.clear();
            if self.span.start != UNSET {
                self.copy.push_str(source.slice(self.span));
            }
            (self.span.end, self.end) = (COPIED, self.span.end);
        }
        &mut self.copy
    }

    /// Takes over the text of another register.
    #[inline]
    fn copy_from(&mut self, other: &Self) {
        self.span = other.span;
        if other.is_copied() {
            self.copy_text_from(other);
        }
    }

    /// Copies a text that is no range of the input. Apart, as most texts are ranges.
    #[cold]
    #[inline(never)]
    fn copy_text_from(&mut self, other: &Self) {
        self.end = other.end;
        self.copy.clone_from(&other.copy);
    }

    /// Makes this the text, which is nowhere in the input.
    fn set_copy(&mut self, text: &str) {
        (self.span.end, self.end) = (COPIED, UNSET);
        self.copy.clear();
        self.copy.push_str(text);
    }

    /// The text, if it is not simply the range.
    #[inline]
    fn copied(&self) -> Option<&str> {
        self.is_copied().then_some(&*self.copy)
    }
}

/// A text that can be missing.
#[derive(Clone, Debug, Default)]
pub struct OptionalText {
    /// The text.
    pub text: TextRegister,
    /// Whether it is there.
    pub is_present: bool,
}

impl OptionalText {
    /// The text, unless missing.
    pub(crate) fn text<'a>(&'a self, source: Source<'a>) -> Option<&'a str> {
        self.is_present.then(|| self.text.text(source))
    }

    /// The text, which is no longer missing.
    #[inline]
    pub fn present(&mut self) -> &mut TextRegister {
        self.is_present = true;
        &mut self.text
    }

    pub(crate) fn clear(&mut self) {
        self.is_present = false;
        self.text.clear();
    }
}

/// The current DOCTYPE token.
#[derive(Clone, Debug, Default)]
pub struct DoctypeRegister {
    /// The name.
    pub name: OptionalText,
    /// The public identifier.
    pub public_identifier: OptionalText,
    /// The system identifier.
    pub system_identifier: OptionalText,
    /// The force-quirks flag.
    pub force_quirks: bool,
}

impl DoctypeRegister {
    /// The bytes on the heap.
    pub(crate) fn held(&self) -> usize {
        [&self.name, &self.public_identifier, &self.system_identifier]
            .map(|it| it.text.held())
            .iter()
            .sum()
    }

    /// Creates a new DOCTYPE token: everything is missing, force-quirks is off.
    pub fn create(&mut self) {
        self.name.clear();
        self.public_identifier.clear();
        self.system_identifier.clear();
        self.force_quirks = false;
    }

    pub(crate) fn spill(&mut self, source: Source<'_>) {
        for text in [&mut self.name, &mut self.public_identifier, &mut self.system_identifier] {
            text.text.spill(source);
        }
    }
}

/// The current processing instruction token.
#[derive(Clone, Debug, Default)]
pub struct ProcessingInstructionRegister {
    /// The target.
    pub target: TextRegister,
    /// The data.
    pub data: TextRegister,
}

impl ProcessingInstructionRegister {
    /// The bytes on the heap.
    pub(crate) fn held(&self) -> usize {
        self.target.held() + self.data.held()
    }

    /// Creates a new processing instruction token.
    pub fn create(&mut self) {
        self.target.clear();
        self.data.clear();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const BASE: usize = 1_000;

    #[test]
    fn a_text_that_is_copied_grows_by_runs() {
        let source = Source { text: "abc&def", base: BASE };
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
