//! Look-behind and look-ahead in the input, without consuming any of it.

use crate::machine::{Machine, Registers};
use crate::scan::Ahead;

/// Returns the offset of the last character before `end`, or 0 if there is none.
#[cold]
pub fn last_character(input: &str, end: usize) -> usize {
    input[..end].char_indices().next_back().map_or(0, |(offset, _)| offset)
}

impl<M: Machine> Registers<M> {
    /// Whether `text`, which is printable ASCII, ends directly before `offset` in the chunk.
    #[inline(never)]
    pub fn is_preceded_by(&self, input: &str, offset: usize, text: &str) -> bool {
        self.base + offset - self.input_start >= text.len()
            && input.as_bytes()[..offset].ends_with(text.as_bytes())
    }

    /// Whether the character directly before offset `at` of the chunk, after newline and null replacement, satisfies
    /// `is_member`; `false` at the start of the input.
    #[inline(never)]
    pub fn is_preceded_by_one(
        &self,
        input: &str,
        at: usize,
        is_member: impl Fn(char) -> bool,
    ) -> bool {
        let preceding =
            input[..at].chars().next_back().filter(|_| self.base + at != self.input_start);
        preceding.is_some_and(|character| match character {
            '\r' if M::NEWLINES_NORMALIZED => is_member('\n'),
            '\0' if M::NULLS_REPLACED => is_member(char::REPLACEMENT_CHARACTER),
            character => is_member(character),
        })
    }

    /// Whether the character at offset `at` of the chunk satisfies `is_member`; unknown if the chunk ends there and
    /// more may follow.
    pub fn is_followed_by(
        &self,
        input: &str,
        at: usize,
        is_last: bool,
        is_member: impl Fn(char) -> bool,
    ) -> Ahead<()> {
        match Self::next_character(input, at, is_last) {
            Ahead::Unknown => Ahead::Unknown,
            Ahead::Found((character, _)) if is_member(character) => Ahead::Found(()),
            _ => Ahead::Other,
        }
    }

    /// Whether the name of the last start tag is at offset `at`, ignoring ASCII case, and is followed by the end of the
    /// input or by a character that satisfies `is_after`.
    #[inline(never)]
    pub fn is_last_start_tag_ahead(
        &mut self,
        input: &str,
        at: usize,
        is_last: bool,
        is_after: impl Fn(char) -> bool,
    ) -> Ahead<()> {
        let source = self.source(input);
        let Some(name) = self.last_start_tag.text_if_set(source) else {
            return Ahead::Other;
        };
        let start = source.base + at;
        let is_resumed = self.name_match.matched_len > 0 && self.name_match.start == start;
        let mut progress = match is_resumed {
            true => self.name_match,
            false => NameMatch { start, matched_len: 0, end: start },
        };
        for expected in name[progress.matched_len..].chars() {
            match Self::next_character(input, progress.end - source.base, is_last) {
                Ahead::Unknown => {
                    self.name_match = progress;
                    return Ahead::Unknown;
                }
                Ahead::Found((found, width)) if found.eq_ignore_ascii_case(&expected) => {
                    progress.matched_len += expected.len_utf8();
                    progress.end += width;
                }
                _ => return Ahead::Other,
            }
        }
        let following = Self::next_character(input, progress.end - source.base, is_last);
        self.name_match = progress;
        match following {
            Ahead::Other => Ahead::Found(()),
            Ahead::Unknown => Ahead::Unknown,
            Ahead::Found((character, _)) if is_after(character) => Ahead::Found(()),
            Ahead::Found(_) => Ahead::Other,
        }
    }

    /// Returns the next character of the input, after newline and null replacement, and its length in bytes; `Other` at
    /// the end of the input.
    fn next_character(input: &str, offset: usize, is_last: bool) -> Ahead<(char, usize)> {
        let bytes = input.as_bytes();
        let Some(&byte) = bytes.get(offset) else {
            return if is_last { Ahead::Other } else { Ahead::Unknown };
        };
        if byte == b'\r' && M::NEWLINES_NORMALIZED {
            return match bytes.get(offset + 1) {
                Some(b'\n') => Ahead::Found(('\n', 2)),
                None if !is_last => Ahead::Unknown,
                _ => Ahead::Found(('\n', 1)),
            };
        }
        if byte == 0 && M::NULLS_REPLACED {
            return Ahead::Found((char::REPLACEMENT_CHARACTER, 1));
        }
        let character = input.get(offset..).and_then(|rest| rest.chars().next());
        character.map_or(Ahead::Other, |character| Ahead::Found((character, character.len_utf8())))
    }
}

/// The progress of comparing the last start tag's name with the input, kept across chunks so that a long name arriving
/// in small chunks is compared once.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct NameMatch {
    /// The input offset at which the name would begin.
    pub(crate) start: usize,
    /// The length in bytes of the prefix of the name matched so far.
    pub(crate) matched_len: usize,
    /// The input offset after the matched prefix.
    pub(crate) end: usize,
}

impl NameMatch {
    /// Resets the progress, because the last start tag has changed.
    #[inline]
    pub(crate) fn reset(&mut self) {
        self.matched_len = 0;
    }
}
