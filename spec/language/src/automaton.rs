//! The automaton of a lexical mode, which matches all its lexemes in parallel. The checks analyze it and the compiler
//! turns it into a table; the interpreter does not use it. In every state, each possible lexeme determines whether the
//! last character belongs to its data or look-ahead, unless the lexeme is reported as ambiguous.

use crate::model::{CharacterSet, Lexeme, LexemeExpression, Machine, Pattern, StateId};
use std::collections::{BTreeMap, BTreeSet, HashMap};

/// Maximum number of states of an automaton.
pub const MAX_STATES: usize = 4096;

/// Maximum number of slots in which ranges are recorded while lexemes are matched.
pub const MAX_SLOTS: usize = 8;

/// A part of a lexeme whose range is recorded.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum LexemePart {
    /// The data capture with this index.
    Data(u8),
    /// Text matched by look-ahead, after the lexeme.
    Ahead,
}

/// The automaton of a lexical mode.
#[derive(Debug, Default)]
pub struct Automaton {
    /// Equivalence classes of characters: no lexeme distinguishes the members of one class. A character of no class
    /// occurs in no lexeme and in no look-ahead.
    pub classes: Vec<CharacterSet>,
    /// States of the automaton, the initial one first.
    pub states: Vec<AutomatonState>,
    /// For each lexeme, by index in the mode's list, the slots of its parts.
    pub parts: Vec<BTreeMap<LexemePart, u8>>,
    /// The lexemes, by index in the list, whose parts cannot be determined while matching, each with a shortest text
    /// whose last character may or may not belong to a part.
    pub ambiguous: BTreeMap<usize, String>,
    /// Whether the lexemes need more than [`MAX_STATES`] states or [`MAX_SLOTS`] slots. The other fields are then
    /// incomplete.
    pub is_too_large: bool,
}

/// A state of an automaton.
#[derive(Debug, Default)]
pub struct AutomatonState {
    /// For each class of characters, the next state; `None` if the text then begins no lexeme.
    pub next: Vec<Option<u16>>,
    /// Indices, in the mode's list, of the lexemes that match the text so far, including their look-ahead; ascending.
    pub accepts: Vec<usize>,
    /// Bit set of the slots whose part contains the last character.
    pub inside: u32,
}

/// Returns the lexemes of a lexical mode in table order, each with the index of its row. The lexeme that `else` stands
/// for is not among them.
pub fn lexemes_of(machine: &Machine, mode: StateId) -> Vec<(usize, &Lexeme)> {
    let rows = machine.state(mode).rows.iter().enumerate();
    let patterns = rows.flat_map(|(row, it)| it.patterns.iter().map(move |pattern| (row, pattern)));
    let lexemes = patterns.filter_map(|(row, pattern)| {
        if let Pattern::Lexeme(id) = pattern.value { Some((row, machine.lexeme(id))) } else { None }
    });
    lexemes.collect()
}

/// A position in an expression at which a character is matched.
struct Position {
    characters: CharacterSet,
    lexeme: usize,
    part: Option<LexemePart>,
}

/// The positions at which a match of an expression can begin and end, and whether it can be empty.
#[derive(Clone, Default)]
struct Ends {
    first: Vec<usize>,
    last: Vec<usize>,
    can_be_empty: bool,
}

/// The positions of all lexemes, and the transitions between them.
#[derive(Default)]
struct Builder {
    positions: Vec<Position>,
    /// For each position, the positions that can match the next character.
    follow: Vec<BTreeSet<usize>>,
    /// Positions at which a match can begin.
    first: BTreeSet<usize>,
    /// For each position, whether its lexeme may end there.
    accepting: Vec<bool>,
}

/// Builds the automaton of a list of lexemes.
pub fn build(lexemes: &[&Lexeme]) -> Automaton {
    let mut builder = Builder::default();
    for (index, lexeme) in lexemes.iter().enumerate() {
        let mut ends = builder.add(&lexeme.expression, index, None);
        if let Some(ahead) = &lexeme.ahead {
            let ahead_ends = builder.add(ahead, index, Some(LexemePart::Ahead));
            ends = builder.concatenate(ends, ahead_ends);
        }
        builder.first.extend(&ends.first);
        ends.last.iter().for_each(|&last| builder.accepting[last] = true);
    }
    let classes = builder.classes();
    let (mut automaton, sets) = builder.determinize(classes);
    builder.assign_slots(&mut automaton, &sets, lexemes.len());
    automaton
}

impl Automaton {
    /// Returns a shortest text that leads to a state. Relies on the order of the states, which are sorted by distance
    /// from the initial one.
    fn shortest_text_to(&self, mut state: usize) -> String {
        let mut characters = Vec::new();
        while state > 0 {
            let class_to_state = |source: &AutomatonState| {
                source
                    .next
                    .iter()
                    .position(|next| next.is_some_and(|next| usize::from(next) == state))
            };
            let mut earlier_states = self.states.iter().take(state).enumerate();
            let Some((from, class)) =
                earlier_states.find_map(|(from, it)| Some((from, class_to_state(it)?)))
            else {
                break;
            };
            characters.push(readable_character(&self.classes[class]));
            state = from;
        }
        characters.iter().rev().collect()
    }
}

/// Returns the most readable character of a set: an ASCII letter or digit, else a printable ASCII character, else the
/// first.
fn readable_character(set: &CharacterSet) -> char {
    let first = set.ranges()[0].0;
    let printable = ('a'..='z').chain('A'..='Z').chain('0'..='9').chain('!'..='~').chain([' ']);
    printable.into_iter().find(|&one| set.contains(one)).unwrap_or(first)
}

impl Builder {
    /// Adds the positions of an expression. Returns those at which its match can begin and end.
    fn add(
        &mut self,
        expression: &LexemeExpression,
        lexeme: usize,
        part: Option<LexemePart>,
    ) -> Ends {
        match expression {
            LexemeExpression::Characters(set) => {
                let index = self.positions.len();
                self.positions.push(Position { characters: set.clone(), lexeme, part });
                self.follow.push(BTreeSet::new());
                self.accepting.push(false);
                Ends { first: vec![index], last: vec![index], can_be_empty: false }
            }
            LexemeExpression::Sequence(parts) => {
                let empty = Ends { can_be_empty: true, ..Ends::default() };
                parts.iter().fold(empty, |before, inner| {
                    let after = self.add(inner, lexeme, part);
                    self.concatenate(before, after)
                })
            }
            LexemeExpression::Alternatives(parts) => {
                let mut ends = Ends::default();
                for inner in parts {
                    let alternative = self.add(inner, lexeme, part);
                    ends.first.extend(alternative.first);
                    ends.last.extend(alternative.last);
                    ends.can_be_empty |= alternative.can_be_empty;
                }
                ends
            }
            LexemeExpression::Repeated { inner, at_least_once, many } => {
                let mut ends = self.add(inner, lexeme, part);
                if *many {
                    self.connect(&ends.last, &ends.first);
                }
                ends.can_be_empty |= !at_least_once;
                ends
            }
            LexemeExpression::Data(index, inner) => {
                self.add(inner, lexeme, part.or(Some(LexemePart::Data(*index))))
            }
        }
    }

    fn connect(&mut self, last: &[usize], first: &[usize]) {
        last.iter().for_each(|&before| self.follow[before].extend(first));
    }

    fn concatenate(&mut self, before: Ends, after: Ends) -> Ends {
        self.connect(&before.last, &after.first);
        let mut ends = Ends { first: before.first, last: after.last, can_be_empty: false };
        if before.can_be_empty {
            ends.first.extend(after.first);
        }
        if after.can_be_empty {
            ends.last.extend(before.last);
        }
        ends.can_be_empty = before.can_be_empty && after.can_be_empty;
        ends
    }

    /// Partitions the characters by the positions that match them.
    fn classes(&self) -> Vec<CharacterSet> {
        let sets = self.positions.iter().map(|position| position.characters.clone());
        let mut classes = CharacterSet::classes(sets);
        classes.sort_by_key(|class| class.ranges()[0].0);
        classes
    }

    /// Builds the states by the subset construction. Also returns, for each state, the positions that can have matched
    /// the last character.
    fn determinize(&self, classes: Vec<CharacterSet>) -> (Automaton, Vec<BTreeSet<usize>>) {
        let mut automaton = Automaton { classes, ..Automaton::default() };
        let mut sets: Vec<BTreeSet<usize>> = vec![BTreeSet::new()];
        let mut state_indexes: HashMap<BTreeSet<usize>, u16> = HashMap::new();
        let mut index = 0;
        while index < sets.len() {
            let candidates: BTreeSet<usize> = match index {
                0 => self.first.clone(),
                _ => sets[index]
                    .iter()
                    .flat_map(|&position| &self.follow[position])
                    .copied()
                    .collect(),
            };
            let mut state = AutomatonState::default();
            for class in &automaton.classes {
                let member = class.ranges()[0].0;
                let matches_class =
                    |position: &usize| self.positions[*position].characters.contains(member);
                let set: BTreeSet<usize> =
                    candidates.iter().copied().filter(matches_class).collect();
                if set.is_empty() || sets.len() > MAX_STATES {
                    automaton.is_too_large |= !set.is_empty();
                    state.next.push(None);
                    continue;
                }
                let next = *state_indexes.entry(set).or_insert_with_key(|set| {
                    sets.push(set.clone());
                    (sets.len() - 1) as u16
                });
                state.next.push(Some(next));
            }
            let accepting = sets[index].iter().filter(|&&position| self.accepting[position]);
            let accepts: BTreeSet<usize> =
                accepting.map(|&position| self.positions[position].lexeme).collect();
            state.accepts = accepts.into_iter().collect();
            automaton.states.push(state);
            index += 1;
        }
        (automaton, sets)
    }

    /// Assigns a slot to each part. Parts share a slot if, in each state that is possible for the lexemes of both, the
    /// last character belongs to both parts or to neither.
    fn assign_slots(&self, automaton: &mut Automaton, sets: &[BTreeSet<usize>], lexemes: usize) {
        automaton.parts = vec![BTreeMap::new(); lexemes];
        let parts: BTreeSet<(usize, LexemePart)> = self
            .positions
            .iter()
            .filter_map(|position| Some((position.lexeme, position.part?)))
            .collect();
        let mut groups: Vec<Vec<Option<bool>>> = Vec::new();
        for (lexeme, part) in parts {
            let mut memberships = Vec::with_capacity(sets.len());
            for set in sets {
                let mut position_memberships = set
                    .iter()
                    .filter(|&&position| self.positions[position].lexeme == lexeme)
                    .map(|&position| self.positions[position].part == Some(part));
                let membership = position_memberships.next();
                if position_memberships.any(|other| Some(other) != membership)
                    && !automaton.ambiguous.contains_key(&lexeme)
                {
                    let text = automaton.shortest_text_to(memberships.len());
                    automaton.ambiguous.insert(lexeme, text);
                }
                memberships.push(membership);
            }
            let agrees = |group: &Vec<Option<bool>>| {
                group
                    .iter()
                    .zip(&memberships)
                    .all(|pair| !matches!(pair, (Some(a), Some(b)) if a != b))
            };
            let slot = groups.iter().position(agrees).unwrap_or(groups.len());
            match groups.get_mut(slot) {
                Some(group) => group.iter_mut().zip(&memberships).for_each(|(a, b)| *a = a.or(*b)),
                None => groups.push(memberships),
            }
            automaton.parts[lexeme].insert(part, slot as u8);
        }
        automaton.is_too_large |= groups.len() > MAX_SLOTS;
        for (index, state) in automaton.states.iter_mut().enumerate() {
            for (slot, group) in groups.iter().enumerate().take(MAX_SLOTS) {
                state.inside |= u32::from(group[index] == Some(true)) << slot;
            }
        }
    }
}
