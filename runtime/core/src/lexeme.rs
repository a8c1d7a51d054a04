//! Reads lexical tokens: the longest ahead, by an automaton that a table's compiler made. It holds no lexeme
//! of its own. Invariant: what was read is not read again when a chunk ends, and what has once led to no token is not
//! tried again, so that the whole work grows with the length of the input times the number of states, not faster.

use std::borrow::Cow;
use std::collections::HashMap;

/// How many ranges can be kept while a lexeme is read.
pub(crate) const SLOTS: usize = 8;

/// The automaton of a lexical mode.
#[derive(Debug)]
pub struct Automaton {
    /// A number of its own among those of the machine.
    pub mode: u16,
    /// The classes of ASCII characters; 0 is that of all characters that end every lexeme.
    pub classes: &'static [u8; 128],
    /// The classes of ranges of other characters, sorted.
    pub wide: &'static [(char, char, u8)],
    /// The number of classes.
    pub count: usize,
    /// For each state and class the next state; none is 0, the state before any character, to which nothing leads.
    pub next: &'static [u16],
    /// For each state, the lexeme without anything ahead that is complete in it, counted from 1; 0 if there is none.
    pub accepts: &'static [u8],
    /// For each state, the lexemes that are complete in it with what they look ahead at, and the slot of that.
    pub accepts_ahead: &'static [&'static [(u8, u8)]],
    /// For each state whether it is the last: nothing leads out of it.
    pub is_last: &'static [bool],
    /// For each state the slots whose part the last character belongs to, one bit each.
    pub inside: &'static [u8],
    /// Whether CR LF and a lone CR are read as LF. That U+0000 is read as U+FFFD is a matter of its class.
    pub newlines_normalized: bool,
}

/// What the states see instead of characters of the input.
#[derive(Clone, Copy, Debug)]
pub struct Replaced {
    /// LF for CR LF and a lone CR.
    pub newlines: bool,
    /// U+FFFD for U+0000.
    pub nulls: bool,
}

/// What was read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Lexed {
    /// The lexeme of this index, and its length in bytes.
    Lexeme(u8, usize),
    /// None of them.
    Other,
    /// The input ends before this is known.
    Unknown,
}

const UNSET: usize = usize::MAX;

/// The ranges of the parts of a lexeme, as far as they are known. Offsets count from the beginning of the input.
#[derive(Clone, Copy, Debug)]
struct Parts {
    starts: [usize; SLOTS],
    ends: [usize; SLOTS],
    /// The slots whose part goes on.
    inside: u8,
}

/// A lexeme that was completed by what is ahead of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Ahead {
    lexeme: u8,
    /// Where the range of what is ahead is kept.
    slot: u8,
}

/// What a character has completed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Completed {
    Nothing,
    /// A lexeme that ends here.
    Plain,
    /// A lexeme that has ended before.
    Ahead(Ahead),
    /// Several of them, so that nothing can be said in short.
    Several,
}

/// A lexeme that is complete.
#[derive(Clone, Copy, Debug)]
struct Complete {
    lexeme: u8,
    end: usize,
    parts: Parts,
}

/// Where reading has got to.
#[derive(Clone, Copy, Debug)]
struct Reading {
    mode: u16,
    start: usize,
    state: u16,
    /// The offset of the next character.
    at: usize,
    parts: Parts,
    best: Option<Complete>,
}

/// What is remembered from one character to the next, and from one token to the next.
#[derive(Clone, Debug, Default)]
pub struct Lexer {
    /// What waits for more input.
    waiting: Option<Reading>,
    found: Option<Complete>,
    /// Places after the longest complete lexeme through which reading came, about one in 16 bytes.
    trace: Vec<(usize, u16)>,
    /// How many of those places are before the last completion of a lexeme by what is ahead of it, and which.
    completed: Option<(usize, Ahead)>,
    /// What comes of reading on from a place, in a mode and state: nothing, or a lexeme by what is ahead of it.
    outcomes: HashMap<(usize, u16, u16), Option<Ahead>>,
    /// The last of those places.
    known_until: usize,
    /// How many bytes were read, which may be many more than a lexeme has, and were not reported yet.
    pub(crate) looked_at: usize,
}

impl Parts {
    const NONE: Self = Self { starts: [UNSET; SLOTS], ends: [UNSET; SLOTS], inside: 0 };

    /// Notes which parts begin and end with a character that stands from `start`; the one before ended at `before`.
    #[inline]
    fn change(&mut self, inside: u8, start: usize, before: usize) {
        let mut changed = self.inside ^ inside;
        while changed != 0 {
            let slot = changed.trailing_zeros() as usize % SLOTS;
            if inside & (1 << slot) != 0 {
                self.starts[slot] = start;
            }
            // Of what is ahead, this is where the lexeme ends.
            self.ends[slot] = before;
            changed &= changed - 1;
        }
        self.inside = inside;
    }
}

impl Reading {
    /// Takes the lexemes that are complete in the state, if they are longer than the one before.
    #[inline]
    fn accept(&mut self, automaton: &Automaton) -> Completed {
        let state = usize::from(self.state);
        let plain = automaton.accepts[state];
        let mut completed = Completed::Nothing;
        if plain != 0 {
            self.best = Some(Complete { lexeme: plain - 1, end: self.at, parts: self.parts });
            completed = Completed::Plain;
        }
        let all = automaton.accepts_ahead.get(state).copied().unwrap_or_default();
        for &(lexeme, slot) in all {
            let ahead = Ahead { lexeme, slot };
            self.take_ahead(ahead);
            completed = match completed {
                Completed::Nothing => Completed::Ahead(ahead),
                Completed::Plain => Completed::Plain,
                _ => Completed::Several,
            };
        }
        completed
    }

    /// Takes a lexeme that is complete with what is ahead of it, if it is longer than the one before.
    fn take_ahead(&mut self, Ahead { lexeme, slot }: Ahead) {
        let slot = usize::from(slot);
        let is_open = self.parts.starts.get(slot).is_some_and(|&start| start != UNSET);
        let end = if is_open { self.parts.ends[slot] } else { self.at };
        let is_longer = |best: &Complete| (best.end, lexeme) < (end, best.lexeme);
        if self.best.as_ref().is_none_or(is_longer) {
            self.best = Some(Complete { lexeme, end, parts: self.parts });
        }
    }
}

impl Lexer {
    /// Reads the longest lexeme that is at `from` in the chunk, whose first byte has the offset `base`.
    pub fn read(
        &mut self,
        automaton: &Automaton,
        chunk: &str,
        base: usize,
        from: usize,
        is_last: bool,
    ) -> Lexed {
        let start = base + from;
        let fresh = || Reading {
            mode: automaton.mode,
            start,
            state: 0,
            at: start,
            parts: Parts::NONE,
            best: None,
        };
        let same = |reading: &Reading| reading.start == start && reading.mode == automaton.mode;
        let mut reading = match self.waiting.take().filter(same) {
            Some(reading) => reading,
            None => {
                self.trace.clear();
                self.completed = None;
                if start >= self.known_until && !self.outcomes.is_empty() {
                    self.outcomes.clear();
                }
                fresh()
            }
        };
        let from = reading.at;
        let is_done = self.advance(automaton, chunk, base, &mut reading, is_last);
        self.looked_at += reading.at - from;
        if !is_done {
            self.waiting = Some(reading);
            return Lexed::Unknown;
        }
        self.remember(automaton.mode, &reading);
        self.found = reading.best;
        match reading.best {
            Some(best) => Lexed::Lexeme(best.lexeme, best.end - start),
            None => Lexed::Other,
        }
    }

    /// Reads on until nothing can follow. False if the chunk ends before.
    #[inline]
    fn advance(
        &mut self,
        automaton: &Automaton,
        chunk: &str,
        base: usize,
        reading: &mut Reading,
        is_last: bool,
    ) -> bool {
        let bytes = chunk.as_bytes();
        let mut before = reading.at;
        loop {
            let at = reading.at - base;
            let Some(&byte) = bytes.get(at) else { return is_last };
            let (class, width) = match byte {
                b'\r' if automaton.newlines_normalized => match bytes.get(at + 1) {
                    None if !is_last => return false,
                    Some(b'\n') => {
                        reading.at += 1;
                        continue;
                    }
                    _ => (automaton.classes[usize::from(b'\n')], 1),
                },
                0..=0x7F => (automaton.classes[usize::from(byte)], 1),
                _ => automaton.wide_class(&chunk[at..]),
            };
            let next =
                automaton.next[usize::from(reading.state) * automaton.count + usize::from(class)];
            if next == 0 {
                return true;
            }
            let inside = automaton.inside[usize::from(next)];
            if inside != reading.parts.inside {
                reading.parts.change(inside, reading.at, before);
            }
            let is_checkpoint = reading.at >> 4 != (reading.at + width) >> 4;
            reading.at += width;
            before = reading.at;
            reading.state = next;
            match reading.accept(automaton) {
                Completed::Nothing => {}
                Completed::Ahead(ahead) if self.is_same(ahead) => {
                    self.completed = Some((self.trace.len(), ahead));
                }
                _ => {
                    self.trace.clear();
                    self.completed = None;
                }
            }
            if automaton.is_last[usize::from(next)] {
                return true;
            }
            if is_checkpoint && self.is_known(automaton.mode, reading) {
                return true;
            }
        }
    }

    /// Whether no other lexeme has been completed by what is ahead of it.
    fn is_same(&self, ahead: Ahead) -> bool {
        self.completed.is_none_or(|(_, before)| before == ahead)
    }

    /// Whether it is known what comes of reading on from here, which is then done; otherwise the place is noted.
    fn is_known(&mut self, mode: u16, reading: &mut Reading) -> bool {
        let known = match self.outcomes.is_empty() {
            true => None,
            false => self.outcomes.get(&(reading.at, mode, reading.state)),
        };
        match known {
            None => {
                self.trace.push((reading.at, reading.state));
                return false;
            }
            Some(None) => {}
            Some(&Some(ahead)) => {
                reading.take_ahead(ahead);
                if self.is_same(ahead) {
                    self.completed = Some((self.trace.len(), ahead));
                } else {
                    self.trace.clear();
                }
            }
        }
        true
    }

    /// Remembers what came of reading on from the places of the trace. What stood before a place and was still open is
    /// no part of it: an outcome holds for whoever comes to the place in the same state.
    #[inline]
    fn remember(&mut self, mode: u16, reading: &Reading) {
        for (index, &(at, state)) in self.trace.iter().enumerate() {
            let ahead =
                self.completed.filter(|(before, _)| index < *before).map(|(_, ahead)| ahead);
            // Within the lexeme itself, what is ahead has not begun.
            let is_after = |ahead: Ahead| {
                reading.parts.ends.get(usize::from(ahead.slot)).is_some_and(|&end| end < at)
            };
            if ahead.is_none_or(is_after) {
                self.outcomes.insert((at, mode, state), ahead);
                self.known_until = self.known_until.max(at + 1);
            }
        }
        self.trace.clear();
    }

    /// The range in the chunk of the part that is kept in the slot; if no character belongs to it, the empty one at the
    /// end of the lexeme.
    #[inline]
    pub fn part(&self, slot: u8, base: usize) -> std::ops::Range<usize> {
        let Some(found) = &self.found else { return 0..0 };
        let slot = usize::from(slot);
        let start = found.parts.starts.get(slot).copied().unwrap_or(UNSET);
        if start == UNSET {
            return found.end - base..found.end - base;
        }
        let goes_on = found.parts.inside & (1 << slot) != 0;
        let end = if goes_on { found.end } else { found.parts.ends[slot] };
        start - base..end - base
    }
}

impl Automaton {
    /// The class of the first character, and its width.
    #[inline]
    fn wide_class(&self, text: &str) -> (u8, usize) {
        let character = text.chars().next().unwrap_or_default();
        let class = match self.wide {
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

/// The text as the states see it.
pub fn seen(text: &str, replaced: Replaced) -> Cow<'_, str> {
    let bytes = text.as_bytes();
    let has_returns = replaced.newlines && memchr::memchr(b'\r', bytes).is_some();
    let has_nulls = replaced.nulls && memchr::memchr(0, bytes).is_some();
    if !has_returns && !has_nulls {
        return Cow::Borrowed(text);
    }
    let mut seen = text.to_owned();
    if has_returns {
        seen = seen.replace("\r\n", "\n").replace('\r', "\n");
    }
    if has_nulls {
        seen = seen.replace('\0', "\u{FFFD}");
    }
    Cow::Owned(seen)
}

/// The digits as a number; it stops growing where 32 bits end, and what is no digit counts as zero.
pub fn number(digits: &str, base: u32) -> u32 {
    digits.chars().fold(0_u32, |number, digit| {
        number.saturating_mul(base).saturating_add(digit.to_digit(base).unwrap_or(0))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// `a* 'b'`: one that fails far ahead.
    const AUTOMATON: Automaton = Automaton {
        mode: 0,
        classes: &{
            let mut classes = [0; 128];
            classes[b'a' as usize] = 1;
            classes[b'b' as usize] = 2;
            classes
        },
        wide: &[],
        count: 3,
        next: &[0, 1, 2, 0, 1, 2, 0, 0, 0],
        accepts: &[0, 0, 1],
        accepts_ahead: &[],
        is_last: &[false, false, true],
        inside: &[0, 1, 0],
        newlines_normalized: false,
    };

    #[test]
    fn the_longest_is_found_with_its_parts() {
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
    fn text_is_seen_as_the_states_see_it() {
        let text = "a\rb\r\nc\n\rd\0e\r";
        for (newlines, nulls, expected) in [
            (false, false, text),
            (true, false, "a\nb\nc\n\nd\0e\n"),
            (false, true, "a\rb\r\nc\n\rd\u{FFFD}e\r"),
            (true, true, "a\nb\nc\n\nd\u{FFFD}e\n"),
        ] {
            assert_eq!(seen(text, Replaced { newlines, nulls }), expected, "{newlines} {nulls}");
        }
        let plain = seen("a\nb", Replaced { newlines: true, nulls: true });
        assert!(matches!(plain, Cow::Borrowed("a\nb")), "nothing is copied where nothing changes");
    }

    #[test]
    fn what_fails_is_not_read_again() {
        let text = "a".repeat(1 << 20) + "c";
        let mut lexer = Lexer::default();
        let start = std::time::Instant::now();
        for from in 0..text.len() {
            assert_eq!(lexer.read(&AUTOMATON, &text, 0, from, false), Lexed::Other);
        }
        // One million readings of up to one million bytes would take days.
        assert!(start.elapsed() < std::time::Duration::from_secs(60));
    }
}
