//! Lowering of lexical modes: selects the bytes that are a complete lexical token by themselves, and those that begin a
//! token that the automaton must match.

use super::{Candidate, candidate};
use tabulex_language::automaton::{self, Automaton, AutomatonState};
use tabulex_language::model::{Machine, StateId};

/// The lexical tokens of a mode.
#[derive(Debug)]
pub struct Lexemes {
    /// The automaton of all lexemes of the mode.
    pub automaton: Automaton,
    /// The row of each lexeme, by index in the automaton.
    pub candidates: Vec<Candidate>,
    /// For each byte, whether it begins a token that the automaton must match.
    pub first: [bool; 256],
    /// For each ASCII byte, the index of the lexeme that the byte is by itself in any context, if there is one.
    certain: [Option<usize>; 128],
}

impl Lexemes {
    /// Returns the row for a byte that is a lexeme by itself in any context; `None` for any other byte.
    pub(super) fn certain(&self, byte: u8) -> Option<&Candidate> {
        let index = self.certain.get(usize::from(byte)).copied().flatten()?;
        self.candidates.get(index)
    }
}

pub(super) fn lower(machine: &Machine, mode: StateId) -> Lexemes {
    let rows = automaton::lexemes_of(machine, mode);
    let lexemes: Vec<_> = rows.iter().map(|(_, lexeme)| *lexeme).collect();
    let automaton = automaton::build(&lexemes);
    let candidate_of = |&(row, _): &(usize, _)| {
        candidate(machine, mode, row, &machine.state(mode).rows[row], None)
    };
    let candidates = rows.iter().map(candidate_of).collect();
    let (mut first, mut certain) = ([false; 256], [None; 128]);
    for (class, next) in automaton.classes.iter().zip(&automaton.states[0].next) {
        let Some(next) = next else { continue };
        let only = only_lexeme(&automaton.states[usize::from(*next)])
            .filter(|&index| lexemes[index].data == 0 && lexemes[index].ahead.is_none());
        let normalized = |byte: u8| match byte {
            0 if machine.nulls_replaced => char::REPLACEMENT_CHARACTER,
            _ => char::from(byte),
        };
        for byte in (0..0x80_u8).filter(|&byte| class.contains(normalized(byte))) {
            // A replaced U+0000 is matched as U+FFFD, and only the automaton matches characters beyond ASCII.
            let only = only.filter(|_| byte != 0 || !machine.nulls_replaced);
            certain[usize::from(byte)] = only;
            first[usize::from(byte)] = only.is_none();
        }
        if class.ranges().iter().any(|&(_, last)| !last.is_ascii()) {
            first[0x80..].fill(true);
        }
    }
    Lexemes { automaton, candidates, first, certain }
}

/// Returns the index of the lexeme that a state accepts, if the state has no transitions to a longer match.
fn only_lexeme(state: &AutomatonState) -> Option<usize> {
    let is_final = state.next.iter().all(Option::is_none);
    state.accepts.first().copied().filter(|_| is_final)
}
