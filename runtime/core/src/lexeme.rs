//! A longest-match lexer over automata compiled from tables. Work is bounded by the length of the input times the
//! number of states: reading resumes where a chunk ended, and positions from which no token is found are memoized.

use crate::scan::Ahead;
use std::borrow::Cow;
use std::collections::HashMap;

/// The maximum number of parts of a lexeme, including its look-ahead.
pub(crate) const MAX_PARTS: usize = 8;

/// An automaton that recognizes the lexemes of a lexical mode.
#[derive(Debug)]
pub struct Automaton {
    /// The index of the lexical mode among those of the machine.
    pub mode: u16,
    /// The class of each ASCII character. Class 0 has the characters that end every lexeme.
    pub classes: &'static [u8; 128],
    /// Sorted ranges of non-ASCII characters, each with its class; other non-ASCII characters have class 0.
    pub beyond_ascii: &'static [(char, char, u8)],
    /// The number of character classes.
    pub class_count: usize,
    /// The transition table, by state and class. 0 means no transition, as none leads to the initial state, 0.
    pub next: &'static [u16],
    /// For each state, the lexeme without look-ahead that is complete in it, counted from 1; 0 if there is none.
    pub accepts: &'static [u8],
    /// For each state, the lexemes with look-ahead that are complete in it, each with the slot of its look-ahead.
    pub accepts_ahead: &'static [&'static [(u8, u8)]],
    /// For each state, whether it has no outgoing transition.
    pub is_last: &'static [bool],
    /// For each state, a bit set of the slots of the parts to which the last character belongs.
    pub inside: &'static [u8],
    /// Whether CR LF and a lone CR are read as LF. There is no such flag for U+0000, which has the class of U+FFFD if
    /// it is read as that.
    pub newlines_normalized: bool,
}

/// The replacements applied to the input before the states see it.
#[derive(Clone, Copy, Debug)]
pub struct Normalization {
    /// Whether CR LF and a lone CR are replaced with LF.
    pub newlines: bool,
    /// Whether U+0000 is replaced with U+FFFD.
    pub nulls: bool,
}

const UNSET: usize = usize::MAX;

/// The input ranges of the parts of a lexeme, as far as they have been read.
#[derive(Clone, Copy, Debug)]
struct PartRanges {
    starts: [usize; MAX_PARTS],
    ends: [usize; MAX_PARTS],
    /// A bit set of the slots of the parts that have begun and not ended.
    inside: u8,
}

/// A lexeme that is complete because its look-ahead matches.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct LookAheadMatch {
    lexeme: u8,
    /// The slot of the look-ahead among the parts of the lexeme.
    slot: u8,
}

/// The lexemes that the last character completed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Completion {
    Nothing,
    /// A lexeme without look-ahead is complete and ends here; lexemes with look-ahead may be complete, too.
    Plain,
    /// A lexeme with look-ahead is complete; it ended before the look-ahead.
    Ahead(LookAheadMatch),
    /// Several lexemes with look-ahead are complete, and none without.
    Several,
}

#[derive(Clone, Copy, Debug)]
struct CompleteLexeme {
    lexeme: u8,
    end: usize,
    parts: PartRanges,
}

#[derive(Clone, Copy, Debug)]
struct LexemeReading {
    mode: u16,
    start: usize,
    state: u16,
    /// The input offset of the next character to be read.
    at: usize,
    parts: PartRanges,
    best: Option<CompleteLexeme>,
}

/// A lexer that reads the longest lexeme; keeps its progress across chunks, and memoized outcomes across lexemes.
#[derive(Clone, Debug, Default)]
pub struct Lexer {
    /// The state of reading a lexeme for which more input is needed, if there is one.
    suspended: Option<Box<LexemeReading>>,
    last_match: Option<CompleteLexeme>,
    /// The offsets and states of the checkpoints, about one per 16 bytes, passed since the last completion of a lexeme.
    /// Completions by one and the same look-ahead do not count; `last_look_ahead` records the last of them.
    checkpoints: Vec<(usize, u16)>,
    /// The number of checkpoints before the last completion by look-ahead, and that completion; `None` if there was
    /// none since the list of checkpoints was cleared.
    last_look_ahead: Option<(usize, LookAheadMatch)>,
    /// For an offset, a mode and a state, the memoized outcome of reading on: no lexeme, or one completed by
    /// look-ahead.
    outcomes: HashMap<(usize, u16, u16), Option<LookAheadMatch>>,
    /// The offset after the highest offset in `outcomes`.
    memoized_until: usize,
    /// The number of bytes inspected and not yet reported. Backtracking can make it much larger than the lexemes.
    pub(crate) inspected: usize,
}

impl PartRanges {
    const NONE: Self = Self { starts: [UNSET; MAX_PARTS], ends: [UNSET; MAX_PARTS], inside: 0 };

    /// Records which parts begin and end at the character with the offset `start`; the previous character ended at
    /// `before`.
    #[inline]
    fn update_parts(&mut self, inside: u8, start: usize, before: usize) {
        let mut changed_slots = self.inside ^ inside;
        while changed_slots != 0 {
            let slot = changed_slots.trailing_zeros() as usize % MAX_PARTS;
            if inside & (1 << slot) != 0 {
                self.starts[slot] = start;
            }
            // The end is also set where a part begins: for a look-ahead, this is the end of the lexeme before it.
            self.ends[slot] = before;
            changed_slots &= changed_slots - 1;
        }
        self.inside = inside;
    }
}

impl LexemeReading {
    /// Records the longest lexeme that is complete in the current state, unless the best so far is longer; returns
    /// which lexemes are complete.
    #[inline]
    fn accept(&mut self, automaton: &Automaton) -> Completion {
        let state = usize::from(self.state);
        let plain = automaton.accepts[state];
        let mut completion = Completion::Nothing;
        if plain != 0 {
            self.best = Some(CompleteLexeme { lexeme: plain - 1, end: self.at, parts: self.parts });
            completion = Completion::Plain;
        }
        let look_aheads = automaton.accepts_ahead.get(state).copied().unwrap_or_default();
        for &(lexeme, slot) in look_aheads {
            let ahead = LookAheadMatch { lexeme, slot };
            self.record_look_ahead(ahead);
            completion = match completion {
                Completion::Nothing => Completion::Ahead(ahead),
                Completion::Plain => Completion::Plain,
                _ => Completion::Several,
            };
        }
        completion
    }

    /// Records a lexeme completed by look-ahead if it is longer than the best so far, or equally long with a lower
    /// index.
    fn record_look_ahead(&mut self, LookAheadMatch { lexeme, slot }: LookAheadMatch) {
        let slot = usize::from(slot);
        let has_started = self.parts.starts.get(slot).is_some_and(|&start| start != UNSET);
        let end = if has_started { self.parts.ends[slot] } else { self.at };
        let is_longer = |best: &CompleteLexeme| (best.end, lexeme) < (end, best.lexeme);
        if self.best.as_ref().is_none_or(is_longer) {
            self.best = Some(CompleteLexeme { lexeme, end, parts: self.parts });
        }
    }
}

impl Lexer {
    /// Reads the longest lexeme at offset `from` of the chunk; returns its index and its length in bytes. `base` is the
    /// input offset of the chunk.
    pub fn read(
        &mut self,
        automaton: &Automaton,
        chunk: &str,
        base: usize,
        from: usize,
        is_last: bool,
    ) -> Ahead<(u8, usize)> {
        let start = base + from;
        let new_reading = || LexemeReading {
            mode: automaton.mode,
            start,
            state: 0,
            at: start,
            parts: PartRanges::NONE,
            best: None,
        };
        let suspended = self.suspended.take();
        let mut reading = match suspended
            .filter(|reading| reading.start == start && reading.mode == automaton.mode)
        {
            Some(reading) => *reading,
            None => {
                self.checkpoints.clear();
                self.last_look_ahead = None;
                if start >= self.memoized_until && !self.outcomes.is_empty() {
                    self.outcomes.clear();
                }
                new_reading()
            }
        };
        let resumed_at = reading.at;
        let is_done = self.advance(automaton, chunk, base, &mut reading, is_last);
        self.inspected += reading.at - resumed_at;
        if !is_done {
            self.suspended = Some(Box::new(reading));
            return Ahead::Unknown;
        }
        self.memoize_outcomes(automaton.mode, &reading);
        self.last_match = reading.best;
        match reading.best {
            Some(best) => Ahead::Found((best.lexeme, best.end - start)),
            None => Ahead::Other,
        }
    }

    /// Reads for as long as a longer lexeme is possible. Returns `false` if more input is needed to decide that.
    #[inline]
    fn advance(
        &mut self,
        automaton: &Automaton,
        chunk: &str,
        base: usize,
        reading: &mut LexemeReading,
        is_last: bool,
    ) -> bool {
        let bytes = chunk.as_bytes();
        let mut previous_end = reading.at;
        loop {
            let offset = reading.at - base;
            let Some(&byte) = bytes.get(offset) else { return is_last };
            let (class, width) = match byte {
                b'\r' if automaton.newlines_normalized => match bytes.get(offset + 1) {
                    None if !is_last => return false,
                    Some(b'\n') => {
                        reading.at += 1;
                        continue;
                    }
                    _ => (automaton.classes[usize::from(b'\n')], 1),
                },
                0..=0x7F => (automaton.classes[usize::from(byte)], 1),
                _ => automaton.wide_class(&chunk[offset..]),
            };
            let next_state = automaton.next
                [usize::from(reading.state) * automaton.class_count + usize::from(class)];
            if next_state == 0 {
                return true;
            }
            let inside = automaton.inside[usize::from(next_state)];
            if inside != reading.parts.inside {
                reading.parts.update_parts(inside, reading.at, previous_end);
            }
            let is_checkpoint = reading.at >> 4 != (reading.at + width) >> 4;
            reading.at += width;
            previous_end = reading.at;
            reading.state = next_state;
            match reading.accept(automaton) {
                Completion::Nothing => {}
                Completion::Ahead(ahead) if self.is_only_look_ahead(ahead) => {
                    self.last_look_ahead = Some((self.checkpoints.len(), ahead));
                }
                _ => {
                    self.checkpoints.clear();
                    self.last_look_ahead = None;
                }
            }
            if automaton.is_last[usize::from(next_state)] {
                return true;
            }
            if is_checkpoint && self.apply_memoized(automaton.mode, reading) {
                return true;
            }
        }
    }

    /// Whether no look-ahead other than `ahead` has completed a lexeme since `last_look_ahead` was last cleared.
    fn is_only_look_ahead(&self, ahead: LookAheadMatch) -> bool {
        self.last_look_ahead.is_none_or(|(_, before)| before == ahead)
    }

    /// Applies the memoized outcome of reading on from the current offset and state; if there is none, records a
    /// checkpoint and returns `false`.
    fn apply_memoized(&mut self, mode: u16, reading: &mut LexemeReading) -> bool {
        let outcome = match self.outcomes.is_empty() {
            true => None,
            false => self.outcomes.get(&(reading.at, mode, reading.state)),
        };
        match outcome {
            None => {
                self.checkpoints.push((reading.at, reading.state));
                return false;
            }
            Some(None) => {}
            Some(&Some(ahead)) => {
                reading.record_look_ahead(ahead);
                if self.is_only_look_ahead(ahead) {
                    self.last_look_ahead = Some((self.checkpoints.len(), ahead));
                } else {
                    self.checkpoints.clear();
                }
            }
        }
        true
    }

    /// Forgets the progress and all outcomes.
    pub(crate) fn reset(&mut self) {
        (self.suspended, self.last_match, self.last_look_ahead) = (None, None, None);
        self.checkpoints.clear();
        self.outcomes.clear();
        (self.memoized_until, self.inspected) = (0, 0);
    }

    /// Memoizes the outcome of reading on from each checkpoint, if the outcome holds for every lexeme that reaches the
    /// checkpoint, whatever parts it has.
    #[inline]
    fn memoize_outcomes(&mut self, mode: u16, reading: &LexemeReading) {
        for (index, &(at, state)) in self.checkpoints.iter().enumerate() {
            let ahead =
                self.last_look_ahead.filter(|(before, _)| index < *before).map(|(_, ahead)| ahead);
            // The look-ahead begins where the lexeme ends, so a lexeme that stops at a checkpoint before the look-ahead
            // has not recorded its own end yet.
            let is_after = |ahead: LookAheadMatch| {
                reading.parts.ends.get(usize::from(ahead.slot)).is_some_and(|&end| end < at)
            };
            if ahead.is_none_or(is_after) {
                self.outcomes.insert((at, mode, state), ahead);
                self.memoized_until = self.memoized_until.max(at + 1);
            }
        }
        self.checkpoints.clear();
    }

    /// Returns the chunk range of the part in slot `slot` of the last lexeme; for a part without characters, the empty
    /// range at the end of the lexeme.
    #[inline]
    pub fn part(&self, slot: u8, base: usize) -> std::ops::Range<usize> {
        let Some(lexeme) = &self.last_match else { return 0..0 };
        let slot = usize::from(slot);
        let start = lexeme.parts.starts.get(slot).copied().unwrap_or(UNSET);
        if start == UNSET {
            return lexeme.end - base..lexeme.end - base;
        }
        let is_open = lexeme.parts.inside & (1 << slot) != 0;
        let end = if is_open { lexeme.end } else { lexeme.parts.ends[slot] };
        start - base..end - base
    }
}

impl Automaton {
    /// Whether the whole text is a lexeme of the automaton.
    pub fn matches(&self, text: &str) -> bool {
        self.run::<false>(text).is_some_and(|state| self.accepts[usize::from(state)] != 0)
    }

    /// Whether the text, which more input may follow unless `is_last`, begins with a lexeme.
    pub fn is_ahead(&self, text: &str, is_last: bool) -> Ahead<()> {
        match self.run::<true>(text) {
            Some(state) if self.accepts[usize::from(state)] != 0 => Ahead::Found(()),
            Some(_) if !is_last => Ahead::Unknown,
            _ => Ahead::Other,
        }
    }

    /// Returns the state after the text or, with `IS_PREFIX`, after its shortest prefix that is a lexeme, if there is
    /// one; `None` if a character has no transition before that.
    #[inline]
    fn run<const IS_PREFIX: bool>(&self, text: &str) -> Option<u16> {
        let (classes, next, class_count) = (self.classes, self.next, self.class_count);
        let mut state = 0;
        let mut rest = text.as_bytes().iter();
        while let Some(&byte) = rest.next() {
            let class = match classes.get(usize::from(byte)) {
                Some(&class) => class,
                // A continuation byte belongs to the character before it.
                None if byte < 0xC0 => continue,
                None => self.wide_class_at(text, text.len() - rest.len() - 1),
            };
            state = next[usize::from(state) * class_count + usize::from(class)];
            if state == 0 {
                return None;
            }
            if IS_PREFIX && self.accepts[usize::from(state)] != 0 {
                break;
            }
        }
        Some(state)
    }

    /// Out-of-line [`wide_class`](Self::wide_class), so that loops over ASCII keep their variables in registers.
    #[cold]
    #[inline(never)]
    fn wide_class_at(&self, text: &str, at: usize) -> u8 {
        self.wide_class(&text[at..]).0
    }

    /// Returns the class and the length in bytes of the first character of `text`, which is not ASCII.
    #[inline]
    fn wide_class(&self, text: &str) -> (u8, usize) {
        let character = text.chars().next().unwrap_or_default();
        let class = match self.beyond_ascii {
            [(first, last, class)] if *first <= character && character <= *last => *class,
            ranges => {
                let index = ranges.partition_point(|&(_, last, _)| last < character);
                let range = ranges.get(index).filter(|(first, ..)| *first <= character);
                range.map_or(0, |&(_, _, class)| class)
            }
        };
        (class, character.len_utf8())
    }
}

/// Returns the text with line ends and nulls replaced as `normalization` says.
pub fn normalize(text: &str, normalization: Normalization) -> Cow<'_, str> {
    let bytes = text.as_bytes();
    let has_returns = normalization.newlines && memchr::memchr(b'\r', bytes).is_some();
    let has_nulls = normalization.nulls && memchr::memchr(0, bytes).is_some();
    if !has_returns && !has_nulls {
        return Cow::Borrowed(text);
    }
    let mut normalized = text.to_owned();
    if has_returns {
        normalized = normalized.replace("\r\n", "\n").replace('\r', "\n");
    }
    if has_nulls {
        normalized = normalized.replace('\0', "\u{FFFD}");
    }
    Cow::Owned(normalized)
}

/// Parses the digits as a number in base `base`, saturating at `u32::MAX`. A character that is not a digit counts as
/// zero.
pub fn number(digits: &str, base: u32) -> u32 {
    digits.chars().fold(0_u32, |number, digit| {
        number.saturating_mul(base).saturating_add(digit.to_digit(base).unwrap_or(0))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The automaton of `a* 'b'`, which can fail after arbitrarily long input.
    const AUTOMATON: Automaton = Automaton {
        mode: 0,
        classes: &{
            let mut classes = [0; 128];
            classes[b'a' as usize] = 1;
            classes[b'b' as usize] = 2;
            classes
        },
        beyond_ascii: &[],
        class_count: 3,
        next: &[0, 1, 2, 0, 1, 2, 0, 0, 0],
        accepts: &[0, 0, 1],
        accepts_ahead: &[],
        is_last: &[false, false, true],
        inside: &[0, 1, 0],
        newlines_normalized: false,
    };

    #[test]
    fn finds_the_longest_lexeme_with_its_parts() {
        let mut lexer = Lexer::default();
        assert_eq!(lexer.read(&AUTOMATON, "aab", 0, 0, false), Ahead::Found((0, 3)));
        assert_eq!(lexer.part(0, 0), 0..2);
        assert_eq!(lexer.read(&AUTOMATON, "b", 0, 0, false), Ahead::Found((0, 1)));
        assert_eq!(lexer.part(0, 0), 1..1);
        assert_eq!(lexer.read(&AUTOMATON, "aac", 0, 0, false), Ahead::Other);
        assert_eq!(lexer.read(&AUTOMATON, "aa", 0, 0, false), Ahead::Unknown);
        assert_eq!(lexer.read(&AUTOMATON, "aa", 0, 0, true), Ahead::Other);
    }

    #[test]
    fn normalizes_text_as_the_states_do() {
        let text = "a\rb\r\nc\n\rd\0e\r";
        for (newlines, nulls, expected) in [
            (false, false, text),
            (true, false, "a\nb\nc\n\nd\0e\n"),
            (false, true, "a\rb\r\nc\n\rd\u{FFFD}e\r"),
            (true, true, "a\nb\nc\n\nd\u{FFFD}e\n"),
        ] {
            assert_eq!(
                normalize(text, Normalization { newlines, nulls }),
                expected,
                "newlines: {newlines}, nulls: {nulls}"
            );
        }
        let plain = normalize("a\nb", Normalization { newlines: true, nulls: true });
        assert!(matches!(plain, Cow::Borrowed("a\nb")), "an unchanged text was copied");
    }

    #[test]
    fn does_not_reread_after_failure() {
        let text = "a".repeat(1 << 20) + "c";
        let mut lexer = Lexer::default();
        for from in 0..text.len() {
            assert_eq!(lexer.read(&AUTOMATON, &text, 0, from, false), Ahead::Other);
        }
        assert!(
            lexer.inspected < 16 * text.len(),
            "{} bytes were inspected in a text of {}",
            lexer.inspected,
            text.len()
        );
    }
}
