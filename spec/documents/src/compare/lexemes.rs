//! Decides whether two lexical tokens are equivalent, that is, whether their regular expressions match equal texts with
//! equal data and look-ahead, however written. Their automata are explored in lockstep.

use std::collections::{BTreeMap, BTreeSet};
use tabulex_language::automaton::{self, Automaton, LexemePart};
use tabulex_language::model::partition;
use tabulex_language::syntax::Table;

/// Whether the lexical tokens with this name are equivalent on both sides.
pub(super) fn are_equal(name: &str, left: &Table, right: &Table) -> bool {
    let sides = [left, right].map(|table| {
        let lexemes = tabulex_language::resolve::lexemes(table);
        let lexeme = lexemes.iter().find(|lexeme| lexeme.name == name)?;
        Some((lexeme.expression.can_be_empty(), automaton::build(&[lexeme])))
    });
    let [Some((one_is_empty, one)), Some((other_is_empty, other))] = &sides else { return false };
    one_is_empty == other_is_empty && are_equivalent(one, other)
}

/// Whether both automata, each of a single lexeme, match equal texts. Returns `false` if an automaton is too large, or
/// if data or look-ahead cannot be determined while matching.
fn are_equivalent(one: &Automaton, other: &Automaton) -> bool {
    let automata = [one, other];
    if automata.iter().any(|it| it.is_too_large || !it.ambiguous.is_empty()) {
        return false;
    }
    // Every character behaves like the first one of its range.
    let ranges = automata.into_iter().flat_map(|it| &it.classes).flat_map(|class| class.ranges());
    let characters: Vec<char> = partition(ranges).into_iter().map(|(first, _)| first).collect();
    let start = [Some(0), Some(0)];
    let (mut visited, mut open) = (BTreeSet::from([start]), vec![start]);
    while let Some([mine, yours]) = open.pop() {
        if result(one, mine) != result(other, yours) {
            return false;
        }
        for &character in &characters {
            let successors = [next(one, mine, character), next(other, yours, character)];
            if visited.insert(successors) {
                open.push(successors);
            }
        }
    }
    true
}

/// Returns whether the lexeme is complete in the state and, for each of its parts, whether the part contains the last
/// character.
fn result(automaton: &Automaton, state: Option<u16>) -> (bool, BTreeMap<LexemePart, bool>) {
    let Some(state) = state.map(|state| &automaton.states[usize::from(state)]) else {
        return (false, BTreeMap::new());
    };
    let parts = automaton.parts[0].iter();
    let parts = parts.map(|(&part, slot)| (part, state.inside & (1 << slot) != 0)).collect();
    (!state.accepts.is_empty(), parts)
}

/// Returns the state after a character, or `None` if the lexeme can no longer match.
fn next(automaton: &Automaton, state: Option<u16>, character: char) -> Option<u16> {
    let class = automaton.classes.iter().position(|class| class.contains(character))?;
    automaton.states[usize::from(state?)].next[class]
}
