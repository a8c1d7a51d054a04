//! The input as the rows see it: characters after newline normalization and the replacement of U+0000, with the bytes that they come from. It knows
//! no states. Invariant: a position that comes out of it lies on a character boundary of the text.

use super::token::Span;
use crate::model::{CharacterSet, Machine};

/// A text and how its newlines and its U+0000 are read.
#[derive(Clone, Copy, Debug)]
pub(super) struct Input<'i> {
    text: &'i str,
    newlines_normalized: bool,
    nulls_replaced: bool,
}

impl<'i> Input<'i> {
    pub(super) fn new(text: &'i str, machine: &Machine) -> Self {
        let &Machine { newlines_normalized, nulls_replaced, .. } = machine;
        Self { text, newlines_normalized, nulls_replaced }
    }

    /// The length in bytes.
    pub(super) fn len(self) -> usize {
        self.text.len()
    }

    /// The character at the position and its source range; `None` at the end. The CR of a CR LF is stepped over here:
    /// the range is the LF's.
    pub(super) fn next(self, position: usize) -> Option<(char, Span)> {
        let (character, span) = self.next_unreplaced(position)?;
        let is_replaced = character == '\0' && self.nulls_replaced;
        Some((if is_replaced { char::REPLACEMENT_CHARACTER } else { character }, span))
    }

    /// The same, but U+0000 is itself.
    pub(super) fn next_unreplaced(self, position: usize) -> Option<(char, Span)> {
        let bytes = self.text.as_bytes();
        let byte = *bytes.get(position)?;
        if byte == b'\r' && self.newlines_normalized {
            let start = position + usize::from(bytes.get(position + 1) == Some(&b'\n'));
            return Some(('\n', Span { start, end: start + 1 }));
        }
        let character = match byte {
            0..=0x7F => char::from(byte),
            _ => self.text.get(position..)?.chars().next()?,
        };
        Some((character, Span { start: position, end: position + character.len_utf8() }))
    }

    /// The characters of the range.
    pub(super) fn characters(self, span: Span) -> String {
        let mut characters = String::new();
        let mut at = span.start;
        while let Some((character, next)) = self.next(at).filter(|(_, next)| next.end <= span.end) {
            characters.push(character);
            at = next.end;
        }
        characters
    }

    /// The source range of the string, if it stands at the position.
    pub(super) fn match_text(
        self,
        position: usize,
        text: &str,
        ignoring_case: bool,
    ) -> Option<Span> {
        let mut matched: Option<Span> = None;
        for wanted in text.chars() {
            let (character, span) = self.next(matched.map_or(position, |span| span.end))?;
            let equal =
                character == wanted || (ignoring_case && character.eq_ignore_ascii_case(&wanted));
            if !equal {
                return None;
            }
            matched =
                Some(Span { start: matched.map_or(span.start, |span| span.start), end: span.end });
        }
        matched
    }

    /// Whether the string, printable ASCII, stands directly before the position.
    pub(super) fn is_preceded_by(self, position: usize, text: &str) -> bool {
        let bytes = self.text.as_bytes();
        let before = &bytes[..position];
        let is_line_feed = self.newlines_normalized && bytes.get(position) == Some(&b'\n');
        let before = before.strip_suffix(b"\r").filter(|_| is_line_feed).unwrap_or(before);
        before.ends_with(text.as_bytes())
    }

    /// Whether one of the characters stands at the position.
    pub(super) fn is_followed_by(self, position: usize, set: &CharacterSet) -> bool {
        self.next(position).is_some_and(|(character, _)| set.contains(character))
    }

    /// Whether the name stands at the position, ASCII letters in either case, and behind it one of the characters or
    /// the end.
    pub(super) fn is_name_ahead(self, position: usize, name: &str, behind: &CharacterSet) -> bool {
        let mut at = position;
        for wanted in name.chars() {
            match self.next(at) {
                Some((character, span)) if character.eq_ignore_ascii_case(&wanted) => at = span.end,
                _ => return false,
            }
        }
        at == self.len() || self.is_followed_by(at, behind)
    }

    /// The index and the source range of the longest name that stands at the position. The names are sorted by bytes;
    /// with every byte of the input the range of those that can still match gets narrower.
    pub(super) fn match_reference(
        self,
        position: usize,
        entries: &[(String, String)],
    ) -> Option<(usize, Span)> {
        let rest = self.text.as_bytes().get(position..)?;
        let (mut first, mut behind, mut longest) = (0, entries.len(), None);
        for (index, &byte) in rest.iter().enumerate() {
            let candidates = &entries[first..behind];
            let at = |entry: &(String, String)| entry.0.as_bytes().get(index).copied();
            let below = candidates.partition_point(|entry| at(entry) < Some(byte));
            let equal = candidates[below..].partition_point(|entry| at(entry) == Some(byte));
            (first, behind) = (first + below, first + below + equal);
            if equal == 0 {
                break;
            }
            if entries[first].0.len() == index + 1 {
                longest = Some((first, Span { start: position, end: position + index + 1 }));
            }
        }
        longest
    }
}
