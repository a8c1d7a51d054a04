//! Provides the input as rows read it, after newline normalization and replacement of U+0000, with source ranges. All
//! positions are on character boundaries.
//!
//! Inserted texts are stored after the input, with one byte before each, so that a position identifies the text that
//! contains it. An inserted text maps to the range of the input that it replaced.

use super::token::Span;
use std::borrow::Cow;
use tabulex_language::model::{CharacterSet, Machine};

/// A text inserted in place of a reference.
#[derive(Debug)]
struct InsertedText {
    /// Position at which the text begins.
    start: usize,
    /// Range of the original input that the text replaced; for a nested text, that of the outermost text around it.
    origin: Span,
}

/// An inserted text that is still being read.
#[derive(Debug)]
struct OpenInsertion {
    /// Position at which the text ends.
    end: usize,
    /// Position at which reading continues after the text.
    resume_at: usize,
}

/// The input of a run, with the texts inserted so far.
#[derive(Debug)]
pub(super) struct Input<'i> {
    text: Cow<'i, str>,
    /// Start of the input, after a byte order mark that is dropped.
    begin: usize,
    /// Length of the input in bytes, without inserted texts.
    len: usize,
    newlines_normalized: bool,
    nulls_replaced: bool,
    inserted_texts: Vec<InsertedText>,
    open_insertions: Vec<OpenInsertion>,
}

impl<'i> Input<'i> {
    pub(super) fn new(text: &'i str, begin: usize, machine: &Machine) -> Self {
        let &Machine { newlines_normalized, nulls_replaced, .. } = machine;
        let (len, text) = (text.len(), Cow::Borrowed(text));
        let (inserted_texts, open_insertions) = (Vec::new(), Vec::new());
        Self {
            text,
            begin,
            len,
            newlines_normalized,
            nulls_replaced,
            inserted_texts,
            open_insertions,
        }
    }

    /// Returns the length of the input in bytes, without inserted texts.
    pub(super) fn len(&self) -> usize {
        self.len
    }

    /// Returns the length in bytes of the input and the inserted texts, including the byte before each of these.
    pub(super) fn whole_len(&self) -> usize {
        self.text.len()
    }

    /// Returns the number of inserted texts that are still being read.
    pub(super) fn nesting(&self) -> usize {
        self.open_insertions.len()
    }

    /// Inserts a text that replaces a range, and returns the start of the text, where reading continues. After the
    /// text, reading resumes at `resume_at`.
    pub(super) fn insert(&mut self, text: &str, range: Span, resume_at: usize) -> usize {
        let origin = self.original(range);
        let whole_text = self.text.to_mut();
        whole_text.push('\0');
        let start = whole_text.len();
        whole_text.push_str(text);
        self.inserted_texts.push(InsertedText { start, origin });
        self.open_insertions.push(OpenInsertion { end: start + text.len(), resume_at });
        start
    }

    /// Leaves all inserted texts that end at the position. Returns the position at which reading continues.
    pub(super) fn leave(&mut self, mut position: usize) -> usize {
        while let Some(open) = self.open_insertions.pop_if(|open| open.end == position) {
            position = open.resume_at;
        }
        position
    }

    /// Maps a range to the input: positions in an inserted text become those of the range that the text replaced.
    pub(super) fn original(&self, range: Span) -> Span {
        let origin = |position: usize| {
            let count = self.inserted_texts.partition_point(|inserted| inserted.start <= position);
            count.checked_sub(1).map(|index| self.inserted_texts[index].origin)
        };
        let start = origin(range.start).map_or(range.start, |origin| origin.start);
        Span { start, end: origin(range.end).map_or(range.end, |origin| origin.end) }
    }

    /// Returns the character of the original input at a position, with its range, even while an inserted text is being
    /// read; `None` at the end of the input. Unlike in [`next`](Self::next), U+0000 is not replaced.
    pub(super) fn next_of_input(&self, position: usize) -> Option<(char, Span)> {
        self.character(position, self.len, self.newlines_normalized)
    }

    /// Returns the character at a position with its range, or `None` at the end of the input or inserted text being
    /// read. With normalized newlines, CRLF is one character.
    pub(super) fn next(&self, position: usize) -> Option<(char, Span)> {
        let end = self.open_insertions.last().map_or(self.len, |open| open.end);
        // The values of entities were normalized when they were declared, so inserted text is not normalized again.
        let normalizes_newlines = self.newlines_normalized && self.open_insertions.is_empty();
        let (character, span) = self.character(position, end, normalizes_newlines)?;
        let is_replaced = character == '\0' && self.nulls_replaced;
        Some((if is_replaced { char::REPLACEMENT_CHARACTER } else { character }, span))
    }

    fn character(
        &self,
        position: usize,
        end: usize,
        normalizes_newlines: bool,
    ) -> Option<(char, Span)> {
        let bytes = &self.text.as_bytes()[..end];
        let byte = *bytes.get(position)?;
        if byte == b'\r' && normalizes_newlines {
            let is_crlf = bytes.get(position + 1) == Some(&b'\n');
            return Some((
                '\n',
                Span { start: position, end: position + 1 + usize::from(is_crlf) },
            ));
        }
        let character = match byte {
            0..=0x7F => char::from(byte),
            _ => self.text.get(position..)?.chars().next()?,
        };
        Some((character, Span { start: position, end: position + character.len_utf8() }))
    }

    /// Returns the characters in a range, as rows read them.
    pub(super) fn characters(&self, span: Span) -> String {
        let mut characters = String::new();
        let mut at = span.start;
        while let Some((character, next)) = self.next(at).filter(|(_, next)| next.end <= span.end) {
            characters.push(character);
            at = next.end;
        }
        characters
    }

    /// Returns the range of the string `text` at a position, or `None` if other characters are there.
    pub(super) fn match_text(
        &self,
        position: usize,
        text: &str,
        ignoring_case: bool,
    ) -> Option<Span> {
        let mut matched: Option<Span> = None;
        for expected in text.chars() {
            let (character, span) = self.next(matched.map_or(position, |span| span.end))?;
            let is_equal = character == expected
                || (ignoring_case && character.eq_ignore_ascii_case(&expected));
            if !is_equal {
                return None;
            }
            matched =
                Some(Span { start: matched.map_or(span.start, |span| span.start), end: span.end });
        }
        matched
    }

    /// Whether a string of printable ASCII directly precedes a position.
    pub(super) fn is_preceded_by(&self, position: usize, text: &str) -> bool {
        self.text.as_bytes()[..position].ends_with(text.as_bytes())
    }

    /// Whether a character of `set` directly precedes a position. Tables with this condition insert no texts.
    pub(super) fn is_preceded_by_one(&self, position: usize, set: &CharacterSet) -> bool {
        let character = match self.text[self.begin..position].chars().next_back() {
            Some('\r') if self.newlines_normalized => '\n',
            Some('\0') if self.nulls_replaced => char::REPLACEMENT_CHARACTER,
            Some(character) => character,
            None => return false,
        };
        set.contains(character)
    }

    /// Whether a character of `set` is at a position; false at the end of the input.
    pub(super) fn is_followed_by(&self, position: usize, set: &CharacterSet) -> bool {
        self.next(position).is_some_and(|(character, _)| set.contains(character))
    }

    /// Whether `name` is at a position, ASCII case-insensitively, followed by a character of `after` or by the end of
    /// the input.
    pub(super) fn is_name_ahead(&self, position: usize, name: &str, after: &CharacterSet) -> bool {
        let mut at = position;
        for expected in name.chars() {
            match self.next(at) {
                Some((character, span)) if character.eq_ignore_ascii_case(&expected) => {
                    at = span.end
                }
                _ => return false,
            }
        }
        at == self.len() || self.is_followed_by(at, after)
    }

    /// Returns the index in `entries` and the range of the longest name at a position; `None` if no name is there.
    pub(super) fn match_reference(
        &self,
        position: usize,
        entries: &[(String, String)],
    ) -> Option<(usize, Span)> {
        let end = self.open_insertions.last().map_or(self.len, |open| open.end);
        let rest = self.text.get(position..end)?;
        let names = entries.iter().map(|(name, _)| name).enumerate();
        let ahead = names.filter(|(_, name)| rest.starts_with(&name[..]));
        let (index, name) = ahead.max_by_key(|(_, name)| name.len())?;
        Some((index, Span { start: position, end: position + name.len() }))
    }
}
