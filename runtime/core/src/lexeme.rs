//! A longest-match lexer over automata compiled from tables. Work is bounded by the length of the input times the
//! number of states: reading resumes where a chunk ended, and positions from which no token is found are memoized.

use std::borrow::Cow;
use std::collections::HashMap;

/// Maximum number of ranges recorded while a lexeme is read.
pub(crate) const MAX_PARTS: usize = 8;

/// The automaton of a lexical mode.
#[derive(Debug)]
pub struct Automaton {
    /// The index of the lexical mode among those of the machine.
    pub mode: u16,
    /// The classes of ASCII characters; class 0 is that of the characters that end every lexeme.
    pub classes: &'static [u8; 128],
    /// The classes of ranges of non-ASCII characters, sorted.
    pub beyond_ascii: &'static [(char, char, u8)],
    /// The number of classes.
    pub class_count: usize,
    /// The transition table, by state and class. 0 means no transition: it is the initial state, to which none leads.
    pub next: &'static [u16],
    /// For each state, the lexeme without look-ahead that is complete in it, counted from 1; 0 if there is none.
    pub accepts: &'static [u8],
    /// For each state, the lexemes with look-ahead that are complete in it, each with the slot of its look-ahead.
    pub accepts_ahead: &'static [&'static [(u8, u8)]],
    /// For each state, whether it has no outgoing transition.
    pub is_last: &'static [bool],
    /// For each state, a bit set of the slots whose range contains the last character.
    pub inside: &'static [u8],
    /// Whether CR LF and a lone CR are read as LF. Reading U+0000 as U+FFFD needs no flag, as its class covers that.
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

/// The result of reading a lexeme.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Lexed {
    /// The index of the lexeme and its length in bytes.
    Lexeme(u8, usize),
    /// No lexeme matches.
    Other,
    /// More input is needed to decide.
    Unknown,
}

const UNSET: usize = usize::MAX;

/// The ranges of the parts of a lexeme read so far, as input offsets.
#[derive(Clone, Copy, Debug)]
struct PartRanges {
    starts: [usize; MAX_PARTS],
    ends: [usize; MAX_PARTS],
    /// A bit set of the slots whose range is still open.
    inside: u8,
}

/// A lexeme that was completed by its look-ahead.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct LookAheadMatch {
    lexeme: u8,
    /// The slot of the look-ahead's range.
    slot: u8,
}

/// The effect of a character on the set of complete lexemes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Completion {
    Nothing,
    /// A lexeme without look-ahead is complete and ends here.
    Plain,
    /// A lexeme with look-ahead is complete; it ended before the look-ahead.
    Ahead(LookAheadMatch),
    /// Several lexemes are complete.
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
    /// The offset of the next character.
    at: usize,
    parts: PartRanges,
    best: Option<CompleteLexeme>,
}

/// The lexer's state that is kept from one chunk to the next and from one token to the next.
#[derive(Clone, Debug, Default)]
pub struct Lexer {
    /// The lexeme that waits for more input.
    suspended: Option<LexemeReading>,
    last_match: Option<CompleteLexeme>,
    /// Checkpoints passed after the last completion of a lexeme, with their states: about one per 16 bytes.
    checkpoints: Vec<(usize, u16)>,
    /// The last completion by look-ahead, and the number of checkpoints before it.
    last_look_ahead: Option<(usize, LookAheadMatch)>,
    /// The memoized outcome of reading on from an offset, in a mode and state: no lexeme, or one completed by
    /// look-ahead.
    outcomes: HashMap<(usize, u16, u16), Option<LookAheadMatch>>,
    /// The end of the memoized offsets.
    memoized_until: usize,
    /// Bytes inspected and not yet reported. Backtracking can make them many more than the lexemes have.
    pub(crate) inspected: usize,
}

impl PartRanges {
    const NONE: Self = Self { starts: [UNSET; MAX_PARTS], ends: [UNSET; MAX_PARTS], inside: 0 };

    /// Records which parts begin and end at a character that starts at `start`; the previous character ended at
    /// `before`.
    #[inline]
    fn update_parts(&mut self, inside: u8, start: usize, before: usize) {
        let mut changed = self.inside ^ inside;
        while changed != 0 {
            let slot = changed.trailing_zeros() as usize % MAX_PARTS;
            if inside & (1 << slot) != 0 {
                self.starts[slot] = start;
            }
            // For a look-ahead that begins here, this is the end of the lexeme.
            self.ends[slot] = before;
            changed &= changed - 1;
        }
        self.inside = inside;
    }
}

impl LexemeReading {
    /// Records the lexemes complete in the current state if they are longer than the best so far.
    #[inline]
    fn accept(&mut self, automaton: &Automaton) -> Completion {
        let state = usize::from(self.state);
        let plain = automaton.accepts[state];
        let mut completed = Completion::Nothing;
        if plain != 0 {
            self.best = Some(CompleteLexeme { lexeme: plain - 1, end: self.at, parts: self.parts });
            completed = Completion::Plain;
        }
        let all = automaton.accepts_ahead.get(state).copied().unwrap_or_default();
        for &(lexeme, slot) in all {
            let ahead = LookAheadMatch { lexeme, slot };
            self.record_look_ahead(ahead);
            completed = match completed {
                Completion::Nothing => Completion::Ahead(ahead),
                Completion::Plain => Completion::Plain,
                _ => Completion::Several,
            };
        }
        completed
    }

    /// Records a lexeme completed by look-ahead if it is longer than the best so far, or as long and of a lower index.
    fn record_look_ahead(&mut self, LookAheadMatch { lexeme, slot }: LookAheadMatch) {
        let slot = usize::from(slot);
        let is_open = self.parts.starts.get(slot).is_some_and(|&start| start != UNSET);
        let end = if is_open { self.parts.ends[slot] } else { self.at };
        let is_longer = |best: &CompleteLexeme| (best.end, lexeme) < (end, best.lexeme);
        if self.best.as_ref().is_none_or(is_longer) {
            self.best = Some(CompleteLexeme { lexeme, end, parts: self.parts });
        }
    }
}

impl Lexer {
    /// Reads the longest lexeme at offset `from` of the chunk, whose first byte has the input offset `base`.
    pub fn read(
        &mut self,
        automaton: &Automaton,
        chunk: &str,
        base: usize,
        from: usize,
        is_last: bool,
    ) -> Lexed {
        let start = base + from;
        let fresh = || LexemeReading {
            mode: automaton.mode,
            start,
            state: 0,
            at: start,
            parts: PartRanges::NONE,
            best: None,
        };
        let is_resumed =
            |reading: &LexemeReading| reading.start == start && reading.mode == automaton.mode;
        let mut reading = match self.suspended.take().filter(is_resumed) {
            Some(reading) => reading,
            None => {
                self.checkpoints.clear();
                self.last_look_ahead = None;
                if start >= self.memoized_until && !self.outcomes.is_empty() {
                    self.outcomes.clear();
                }
                fresh()
            }
        };
        let from = reading.at;
        let is_done = self.advance(automaton, chunk, base, &mut reading, is_last);
        self.inspected += reading.at - from;
        if !is_done {
            self.suspended = Some(reading);
            return Lexed::Unknown;
        }
        self.memoize_outcomes(automaton.mode, &reading);
        self.last_match = reading.best;
        match reading.best {
            Some(best) => Lexed::Lexeme(best.lexeme, best.end - start),
            None => Lexed::Other,
        }
    }

    /// Reads until no longer lexeme is possible. Returns `false` if the chunk ends before that.
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
        let mut before = reading.at;
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
            let next = automaton.next
                [usize::from(reading.state) * automaton.class_count + usize::from(class)];
            if next == 0 {
                return true;
            }
            let inside = automaton.inside[usize::from(next)];
            if inside != reading.parts.inside {
                reading.parts.update_parts(inside, reading.at, before);
            }
            let is_checkpoint = reading.at >> 4 != (reading.at + width) >> 4;
            reading.at += width;
            before = reading.at;
            reading.state = next;
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
            if automaton.is_last[usize::from(next)] {
                return true;
            }
            if is_checkpoint && self.apply_memoized(automaton.mode, reading) {
                return true;
            }
        }
    }

    /// Whether every lexeme completed by look-ahead so far is this one, in this slot.
    fn is_only_look_ahead(&self, ahead: LookAheadMatch) -> bool {
        self.last_look_ahead.is_none_or(|(_, before)| before == ahead)
    }

    /// Applies the memoized outcome of reading on from here, and returns whether there is one; otherwise records a
    /// recorded.
    fn apply_memoized(&mut self, mode: u16, reading: &mut LexemeReading) -> bool {
        let known = match self.outcomes.is_empty() {
            true => None,
            false => self.outcomes.get(&(reading.at, mode, reading.state)),
        };
        match known {
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

    /// Memoizes the outcome of reading on from the checkpoints. An outcome must hold for any lexeme that reaches the
    /// offset in the same state, so it excludes what depends on parts opened earlier.
    #[inline]
    fn memoize_outcomes(&mut self, mode: u16, reading: &LexemeReading) {
        for (index, &(at, state)) in self.checkpoints.iter().enumerate() {
            let ahead =
                self.last_look_ahead.filter(|(before, _)| index < *before).map(|(_, ahead)| ahead);
            // A completion by look-ahead holds only for offsets after the end of the lexeme itself.
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

    /// Returns the range in the chunk of the part in the slot; if the part is empty, the empty range at the end of the
    /// lexeme.
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
    /// Returns the class of the first character and its length in bytes.
    #[inline]
    fn wide_class(&self, text: &str) -> (u8, usize) {
        let character = text.chars().next().unwrap_or_default();
        let class = match self.beyond_ascii {
            [(first, last, class)] if *first <= character && character <= *last => *class,
            ranges => {
                let range = ranges.partition_point(|&(_, last, _)| last < character);
                let found = ranges.get(range).filter(|(first, ..)| *first <= character);
                found.map_or(0, |&(_, _, class)| class)
            }
        };
        (class, character.len_utf8())
    }
}

/// Returns the text with the replacements applied.
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

/// Parses the digits as a number, saturating at `u32::MAX`. A character that is not a digit counts as zero.
pub fn number(digits: &str, base: u32) -> u32 {
    digits.chars().fold(0_u32, |number, digit| {
        number.saturating_mul(base).saturating_add(digit.to_digit(base).unwrap_or(0))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// `a* 'b'`, which fails after arbitrarily long input.
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
        assert_eq!(lexer.read(&AUTOMATON, "aab", 0, 0, false), Lexed::Lexeme(0, 3));
        assert_eq!(lexer.part(0, 0), 0..2);
        assert_eq!(lexer.read(&AUTOMATON, "b", 0, 0, false), Lexed::Lexeme(0, 1));
        assert_eq!(lexer.part(0, 0), 1..1);
        assert_eq!(lexer.read(&AUTOMATON, "aac", 0, 0, false), Lexed::Other);
        assert_eq!(lexer.read(&AUTOMATON, "aa", 0, 0, false), Lexed::Unknown);
        assert_eq!(lexer.read(&AUTOMATON, "aa", 0, 0, true), Lexed::Other);
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
                "{newlines} {nulls}"
            );
        }
        let plain = normalize("a\nb", Normalization { newlines: true, nulls: true });
        assert!(matches!(plain, Cow::Borrowed("a\nb")), "nothing is copied where nothing changes");
    }

    #[test]
    fn does_not_reread_after_failure() {
        let text = "a".repeat(1 << 20) + "c";
        let mut lexer = Lexer::default();
        for from in 0..text.len() {
            assert_eq!(lexer.read(&AUTOMATON, &text, 0, from, false), Lexed::Other);
        }
        assert!(lexer.inspected < 16 * text.len(), "{}", lexer.inspected);
    }
}
