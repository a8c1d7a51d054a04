//! Operations on the texts of declared fields: edits, and running a machine on a field's text as its input.

use crate::error::ParseError;
use crate::machine::{Machine, Registers};
use crate::record::RecordSink;
use crate::registers::{SourceText, TextRegister, UNSET_SPAN};
use crate::scan::CharacterSet;
use crate::sink::MachineSink;
use crate::span::Span;
use std::borrow::Cow;

/// Replaces each character of a set with its UTF-8 bytes, each written as `by` and two uppercase hexadecimal digits.
pub fn escape<'t>(text: &'t str, set: &CharacterSet, by: char) -> Cow<'t, str> {
    match set.find(text) {
        Some(first) => {
            let mut escaped = String::new();
            append_escaped(&mut escaped, text, set, by, first);
            Cow::Owned(escaped)
        }
        None => Cow::Borrowed(text),
    }
}

/// Appends `text`, of whose characters in the set the first is at offset `first`, as [`escape`] converts it.
fn append_escaped(escaped: &mut String, text: &str, set: &CharacterSet, by: char, first: usize) {
    escaped.reserve(text.len() + 16);
    let (mut start, mut next) = (0, Some(first));
    while let Some(first) = next {
        escaped.push_str(&text[start..first]);
        start = text.ceil_char_boundary(first + 1);
        for byte in text[first..start].bytes() {
            escaped.push(by);
            for digit in [byte >> 4, byte & 15] {
                escaped.push(char::from(b"0123456789ABCDEF"[usize::from(digit)]));
            }
        }
        next = set.find_from(text, start);
    }
    escaped.push_str(&text[start..]);
}

/// Replaces each `by` followed by two hexadecimal digits with the byte that the digits stand for, and decodes the
/// result as UTF-8, in which malformed sequences become U+FFFD.
pub fn unescape(text: &str, by: char) -> Cow<'_, str> {
    if !text.contains(by) {
        return Cow::Borrowed(text);
    }
    let digit = |byte: Option<&u8>| byte.and_then(|&byte| char::from(byte).to_digit(16));
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text;
    while let Some(offset) = rest.find(by) {
        let after = &rest[offset + by.len_utf8()..];
        bytes.extend(&rest.as_bytes()[..offset]);
        let digits = (digit(after.as_bytes().first()), digit(after.as_bytes().get(1)));
        if let (Some(high), Some(low)) = digits {
            bytes.push((high * 16 + low) as u8);
            rest = &after[2..];
        } else {
            bytes.extend(&rest.as_bytes()[offset..offset + by.len_utf8()]);
            rest = after;
        }
    }
    bytes.extend(rest.as_bytes());
    let decoded = String::from_utf8(bytes);
    Cow::Owned(
        decoded.unwrap_or_else(|error| String::from_utf8_lossy(error.as_bytes()).into_owned()),
    )
}

/// Drops the last occurrence of the character `from` and all text after it; all text if there is no occurrence.
pub fn cut_from_last(text: &str, from: char) -> Cow<'_, str> {
    Cow::Borrowed(text.rsplit_once(from).map_or("", |(before, _)| before))
}

/// Replaces the first occurrence of `from` with `to`.
pub fn replace_first<'t>(text: &'t str, from: &str, to: &str) -> Cow<'t, str> {
    // Texts are so short that preparing a search would take longer than comparing at each offset.
    let is_start = |start: &usize| text.as_bytes()[*start..].starts_with(from.as_bytes());
    match (0..=text.len()).find(is_start) {
        Some(start) => Cow::Owned([&text[..start], to, &text[start + from.len()..]].concat()),
        None => Cow::Borrowed(text),
    }
}

/// Converts ASCII letters to lower case.
pub fn lowercase(text: &str) -> Cow<'_, str> {
    match text.bytes().fold(false, |found, byte| found | byte.is_ascii_uppercase()) {
        true => Cow::Owned(text.to_ascii_lowercase()),
        false => Cow::Borrowed(text),
    }
}

/// Strips the characters of a set from both ends, and replaces each run of them within the text with a space.
pub fn strip_and_collapse(text: &str, is_member: impl Fn(char) -> bool) -> Cow<'_, str> {
    let words = text.split(is_member).filter(|word| !word.is_empty());
    Cow::Owned(words.collect::<Vec<_>>().join(" "))
}

/// Strips spaces (U+0020) from both ends, and replaces each run of them within the text with one.
pub(crate) fn collapse_spaces(text: &str) -> Cow<'_, str> {
    strip_and_collapse(text, |character| character == ' ')
}

impl TextRegister {
    /// Replaces each character of a set with its UTF-8 bytes, each written as `by` and two uppercase hexadecimal digits. A
    /// text without such characters keeps its range.
    #[inline(never)]
    pub fn escape(&mut self, source: SourceText<'_>, to: usize, set: &CharacterSet, by: char) {
        if let Some(from) = set.first_beginning(self.bytes(source)) {
            self.escape_members(source, to, (set, by), from);
        }
    }

    /// Slow path of [`escape`](Self::escape), for texts with a character to escape, 3 % of those of links.
    #[cold]
    #[inline(never)]
    fn escape_members(
        &mut self,
        source: SourceText<'_>,
        to: usize,
        (set, by): (&CharacterSet, char),
        from: usize,
    ) {
        let Some(first) = set.find_from(self.text(source), from) else { return };
        let mut escaped = self.take_free_buffer();
        append_escaped(&mut escaped, self.text(source), set, by, first);
        self.set_owned(source, escaped, to);
    }

    /// Whether a character of the set occurs in the text.
    #[inline]
    pub fn has_one_of(&self, source: SourceText<'_>, set: &CharacterSet) -> bool {
        let first = set.first_beginning(self.bytes(source));
        first.is_some_and(|from| set.find_from(self.text(source), from).is_some())
    }

    /// Replaces the text with the result of `edit`; clears it if the result is `None`. An unchanged text keeps its
    /// range; any other gets the empty range at offset `to` of the chunk.
    pub fn edit(
        &mut self,
        source: SourceText<'_>,
        to: usize,
        edit: impl for<'t> FnOnce(&'t str) -> Option<Cow<'t, str>>,
    ) {
        let text = self.text(source);
        match edit(text) {
            None => self.clear(),
            // Most edits return the text itself, so the pointers are compared before the texts.
            Some(Cow::Borrowed(same)) if std::ptr::eq(same, text) => {}
            Some(edited) if edited == text => {}
            Some(edited) => {
                let edited = edited.into_owned();
                self.set_owned(source, edited, to);
            }
        }
    }
}

/// The registers for runs on the texts of fields, and texts that such runs returned unchanged.
#[derive(Clone, Debug)]
pub struct InnerRegisters<M: Machine> {
    registers: Registers<M>,
    /// The last text of each length, modulo the number of texts, that a run returned unchanged; the state from which it was
    /// run, `None` before the first such run; and whether the text is known to be without errors.
    unchanged: [(String, Option<M::State>, bool); 8],
    /// A buffer for the text of the field that a run returns.
    copies: String,
    /// A buffer for the errors of a run.
    errors: Vec<ParseError>,
}

impl<M: Machine> InnerRegisters<M> {
    pub(crate) fn memory_usage(&self) -> usize {
        let texts = self.unchanged.iter().map(|(text, ..)| text.capacity());
        self.registers.memory_usage()
            + texts.sum::<usize>()
            + self.copies.capacity()
            + self.errors.capacity() * size_of::<ParseError>()
    }
}

impl<M: Machine> Default for InnerRegisters<M> {
    fn default() -> Self {
        Self {
            registers: Registers::new(),
            unchanged: Default::default(),
            copies: String::new(),
            errors: Vec::new(),
        }
    }
}

impl<M: Machine> Registers<M> {
    /// Runs the machine from `state` over the text of a field as its whole input, and replaces the text with the first
    /// field of the first declared token; clears it if the run emitted no such token. Reports the errors in the text at the
    /// range `errors_at` of the chunk; otherwise `sink` only converts texts.
    #[inline(never)]
    pub fn run_on_field<K: MachineSink + ?Sized>(
        &mut self,
        sink: &mut K,
        input: &str,
        field: fn(&mut Self) -> &mut TextRegister,
        state: M::State,
        here: usize,
        errors_at: (usize, usize),
    ) {
        let source = self.source(input);
        let mut inner = self.inner.take().unwrap_or_default();
        let InnerRegisters { registers, unchanged, copies, errors } = &mut *inner;
        let field = field(self);
        let text = field.text(source);
        // Successive inputs often have equal texts, as the links of a page have few hosts: of 6,068 such hosts, the last
        // one was found in 45 % of the cases, the last one of equal length in 59 %.
        let (unchanged, unchanged_from, has_no_errors) =
            &mut unchanged[text.len() % unchanged.len()];
        let wants_errors = K::ERRORS && sink.wants_errors();
        let is_known = *has_no_errors || !wants_errors;
        if is_known && *unchanged_from == Some(state) && unchanged == text {
            self.inner = Some(inner);
            return;
        }
        let mut ranges = [UNSET_SPAN];
        copies.clear();
        let mut field_sink = RecordSink {
            ranges: &mut ranges,
            field_count: 0,
            kinds: 0,
            keeps_one_token: true,
            copies,
            copies_start: text.len(),
            errors: wants_errors.then_some(&mut *errors),
            convert: &mut |function, text| sink.convert(function, text),
        };
        registers.reset();
        registers.keeps_bom = true;
        registers.state = state;
        registers.run_to_end(text, 0, &mut field_sink);
        let RecordSink { kinds, .. } = field_sink;
        let [Span { start, end }] = ranges;
        let part = text.get(start..end);
        if kinds == 0 {
            field.clear();
        } else if part.unwrap_or(copies) != text {
            match part.map(str::to_owned) {
                Some(part) => field.set_owned(source, part, here),
                None => field.set(source, copies, here),
            }
        } else if errors.is_empty() {
            (*unchanged_from, *has_no_errors) = (Some(state), wants_errors);
            unchanged.clear();
            unchanged.push_str(text);
        }
        for error in errors.drain(..) {
            self.report_as(sink, input, error, errors_at);
        }
        self.inner = Some(inner);
    }

    /// Returns a copy of the declared field at `index`, or `None` if the field is missing.
    pub fn copied_field(&self, source: SourceText<'_>, index: usize) -> Option<String> {
        let field = &self.declared.fields.as_ref()[index];
        field.is_set().then(|| field.text(source).to_owned())
    }
}
