//! Derives the pieces of which inputs are composed: for each state, a character of each class that rows distinguish,
//! and the strings, references and numbers that rows match. This includes the rows of all states that may read a
//! character of the state again.

use super::successors::reading_same_character;
use std::collections::{BTreeSet, HashMap, HashSet};
use std::rc::Rc;
use tabulex_language::model::{
    Action, CharacterSet, Field, LexemeExpression, LexemeId, Machine, Pattern, StateId, Step,
};

/// For each state of a machine, the inputs from which the next piece is chosen.
#[derive(Debug)]
pub(super) struct Pieces {
    by_state: Vec<RowInputs>,
    /// Sets of characters that are errors in every state.
    input_errors: Vec<CharacterSet>,
}

/// The character sets and strings that rows distinguish.
#[derive(Clone, Debug, Default)]
struct RowInputs {
    sets: Vec<CharacterSet>,
    texts: BTreeSet<String>,
}

impl Pieces {
    /// Collects the pieces of a machine. `compared_texts` are texts that conditions compare with; `references` are
    /// tried in addition to the shortest ones.
    pub(super) fn new(machine: &Machine, compared_texts: &[String], references: &[String]) -> Self {
        let named: Vec<String> = shortest_references(machine)
            .into_iter()
            .chain(references.iter().map(|name| name.trim_start_matches('&').to_owned()))
            .collect();
        let inputs: Vec<RowInputs> = machine
            .state_ids()
            .map(|id| state_inputs(machine, id, compared_texts, &named))
            .collect();
        let numbers = Numbers::new(machine);
        let follow = |id: StateId| {
            let readers = reading_same_character(machine, id);
            let mut follow = RowInputs::default();
            for other in &readers {
                let inputs = &inputs[usize::from(other.0)];
                follow.sets.extend(inputs.sets.iter().cloned());
                follow.texts.extend(inputs.texts.iter().cloned());
            }
            follow.texts.extend(numbers.after(id, &readers));
            follow
        };
        let input_errors =
            machine.input_errors.iter().map(|error| error.characters.clone()).collect();
        Self { by_state: machine.state_ids().map(follow).collect(), input_errors }
    }
}

/// Cache of pieces, by the states of the machines that run side by side.
#[derive(Debug, Default)]
pub(super) struct PieceCache(HashMap<Vec<StateId>, Rc<[String]>>);

impl PieceCache {
    /// Returns the pieces that may follow in these states, one of each machine, shortest first.
    pub(super) fn after(&mut self, machines: &[&Pieces], states: &[StateId]) -> Rc<[String]> {
        if let Some(pieces) = self.0.get(states) {
            return Rc::clone(pieces);
        }
        let mut sets: Vec<&CharacterSet> = Vec::new();
        let mut texts: BTreeSet<&String> = BTreeSet::new();
        for (pieces, state) in machines.iter().zip(states) {
            let follow = &pieces.by_state[usize::from(state.0)];
            sets.extend(follow.sets.iter().chain(&pieces.input_errors));
            texts.extend(&follow.texts);
        }
        let texts = texts.into_iter().filter(|text| text.chars().nth(1).is_some()).cloned();
        let mut pieces: Vec<String> =
            class_representatives(&sets).into_iter().map(String::from).chain(texts).collect();
        pieces.sort_by_key(|piece| piece.chars().count());
        let pieces: Rc<[String]> = pieces.into();
        self.0.insert(states.to_vec(), Rc::clone(&pieces));
        pieces
    }
}

/// Returns the character sets and strings that the rows of a single state distinguish.
fn state_inputs(
    machine: &Machine,
    id: StateId,
    compared_texts: &[String],
    references: &[String],
) -> RowInputs {
    let mut follow = RowInputs::default();
    for row in &machine.state(id).rows {
        for pattern in &row.patterns {
            match &pattern.value {
                Pattern::Characters(set) => follow.sets.push(set.clone()),
                Pattern::AdditionalAllowedCharacter => {
                    follow.sets.extend(additional_characters(machine));
                }
                Pattern::Text { text, .. } => {
                    follow.texts.insert(text.clone());
                }
                Pattern::Lexeme(lexeme) => add_lexeme_inputs(machine, *lexeme, &mut follow),
                Pattern::Reference => follow.texts.extend(references.iter().cloned()),
                // These patterns distinguish no characters.
                Pattern::EndOfFile
                | Pattern::Else
                | Pattern::Nothing
                | Pattern::Returned
                | Pattern::Numbers(..)
                | Pattern::Always => {}
            }
        }
        let grows = |action: &Action| {
            matches!(action, Action::Append(_, Field::TagName | Field::TemporaryBuffer))
        };
        if Step::actions(&row.steps).into_iter().any(grows) {
            follow.texts.extend(compared_texts.iter().cloned());
        }
    }
    follow
}

/// Returns the characters that any row sets as the additional allowed character.
fn additional_characters(machine: &Machine) -> Vec<CharacterSet> {
    let rows = machine.states.iter().flat_map(|state| &state.rows);
    let characters = rows.flat_map(|row| Step::actions(&row.steps)).filter_map(|action| {
        let Action::SetAdditionalAllowedCharacter(character) = action else { return None };
        *character
    });
    characters.map(|character| CharacterSet::range(character, character)).collect()
}

fn add_lexeme_inputs(machine: &Machine, lexeme: LexemeId, follow: &mut RowInputs) {
    let lexeme = machine.lexeme(lexeme);
    let expressions = std::iter::once(&lexeme.expression).chain(&lexeme.ahead);
    expressions.for_each(|expression| sets_of(expression, &mut follow.sets));
    for text in examples(&lexeme.expression) {
        let after = lexeme.ahead.as_ref().map(examples).unwrap_or_default();
        follow.texts.extend(after.iter().map(|after| text.clone() + after));
        follow.texts.insert(text);
    }
}

/// Returns the shortest reference name with a semicolon and the shortest without, as far as they exist.
fn shortest_references(machine: &Machine) -> Vec<String> {
    let Some(references) = &machine.references else { return Vec::new() };
    let shortest = |is_match: &dyn Fn(&str) -> bool| {
        let names = references.entries.iter().map(|(name, _)| name).filter(|name| is_match(name));
        names.min_by_key(|name| name.len()).cloned()
    };
    let with = shortest(&|name| name.ends_with(';'));
    let without = shortest(&|name| !name.ends_with(';'));
    with.into_iter().chain(without).collect()
}

/// Numbers that rows distinguish, to be inserted whole where digits may start.
struct Numbers {
    /// States that accumulate digits, each with the base.
    counting: Vec<(StateId, u8)>,
    /// First number of each range that rows match, and the first number after each range.
    ends: BTreeSet<u32>,
    /// Whether a state that does not accumulate digits may pass its character to one that does. If so, numbers start
    /// only in such states.
    start_outside: bool,
}

impl Numbers {
    fn new(machine: &Machine) -> Self {
        let mut counting = Vec::new();
        let mut ends = BTreeSet::new();
        for id in machine.state_ids() {
            for row in &machine.state(id).rows {
                for base in [10, 16] {
                    if Step::actions(&row.steps).contains(&&Action::AddDigit(base)) {
                        counting.push((id, base));
                    }
                }
                for pattern in &row.patterns {
                    if let Pattern::Numbers(first, last) = pattern.value {
                        ends.extend([first, last.saturating_add(1)]);
                    }
                }
            }
        }
        counting.dedup();
        let mut numbers = Self { counting, ends, start_outside: false };
        numbers.start_outside = machine.state_ids().any(|id| {
            let readers = reading_same_character(machine, id);
            !numbers.accumulates_digits(id)
                && readers.into_iter().any(|other| numbers.accumulates_digits(other))
        });
        numbers
    }

    fn accumulates_digits(&self, id: StateId) -> bool {
        self.counting.iter().any(|(counting, _)| *counting == id)
    }

    /// Returns the numbers that may start in a state. `readers` are the states that may read the state's character.
    fn after(&self, id: StateId, readers: &[StateId]) -> Vec<String> {
        if self.start_outside && self.accumulates_digits(id) {
            return Vec::new();
        }
        let bases = self.counting.iter().filter(|(state, _)| readers.contains(state));
        let mut bases: Vec<u8> = bases.map(|(_, base)| *base).collect();
        bases.sort_unstable();
        bases.dedup();
        let written = |base: u8| {
            let write =
                move |end: &u32| if base == 16 { format!("{end:x}") } else { format!("{end}") };
            self.ends.iter().map(write)
        };
        bases.into_iter().flat_map(written).collect()
    }
}

fn sets_of(expression: &LexemeExpression, sets: &mut Vec<CharacterSet>) {
    let mut waiting = vec![expression];
    while let Some(expression) = waiting.pop() {
        match expression {
            LexemeExpression::Characters(set) => sets.push(set.clone()),
            LexemeExpression::Sequence(parts) | LexemeExpression::Alternatives(parts) => {
                waiting.extend(parts)
            }
            LexemeExpression::Repeated { inner, .. } | LexemeExpression::Data(_, inner) => {
                waiting.push(inner)
            }
        }
    }
}

/// Maximum number of examples per lexical expression.
const MAX_EXAMPLES: usize = 12;

/// Returns texts that an expression matches, shortest first.
fn examples(expression: &LexemeExpression) -> Vec<String> {
    let mut examples = match expression {
        LexemeExpression::Characters(set) => {
            preferred(set.ranges()).into_iter().map(String::from).collect()
        }
        LexemeExpression::Sequence(parts) => examples_of_sequence(parts),
        LexemeExpression::Alternatives(parts) => parts.iter().flat_map(examples).collect(),
        LexemeExpression::Repeated { inner, at_least_once, .. } => {
            let without = (!at_least_once).then(String::new);
            without.into_iter().chain(examples(inner)).collect()
        }
        LexemeExpression::Data(_, inner) => examples(inner),
    };
    examples.sort_by_key(String::len);
    examples.dedup();
    examples.truncate(MAX_EXAMPLES);
    examples
}

/// Returns the concatenation of each part's shortest example, and variants in which one part has another example.
fn examples_of_sequence(parts: &[LexemeExpression]) -> Vec<String> {
    let parts: Vec<Vec<String>> = parts.iter().map(examples).collect();
    let first = |part: &Vec<String>| part.first().cloned().unwrap_or_default();
    let mut all = vec![parts.iter().map(first).collect::<String>()];
    for (at, part) in parts.iter().enumerate() {
        for other in part.iter().skip(1) {
            let before: String = parts[..at].iter().map(first).collect();
            let after: String = parts[at + 1..].iter().map(first).collect();
            all.push(before + other + &after);
        }
    }
    all
}

/// Returns a character in the ranges, if possible a printable ASCII one. `None` if there are no ranges.
pub(super) fn preferred(ranges: &[(char, char)]) -> Option<char> {
    let readable = ranges.iter().find_map(|&(first, last)| {
        let first = first.max('!');
        (first <= last && first <= '~').then_some(first)
    });
    readable.or_else(|| ranges.first().map(|range| range.0))
}

/// Returns one character of each class, where a class consists of the characters that are in exactly the same sets.
fn class_representatives(sets: &[&CharacterSet]) -> Vec<char> {
    let mut cuts: BTreeSet<u32> = BTreeSet::from([0, 0x21, 0x61, 0x7F]);
    for &(first, last) in sets.iter().flat_map(|set| set.ranges()) {
        cuts.insert(u32::from(first));
        cuts.insert(u32::from(last) + 1);
    }
    // Letters and digits are preferred, then other printable characters, for readable inputs.
    let rank = |character: char| {
        (!character.is_ascii_alphanumeric(), !character.is_ascii_graphic(), character)
    };
    let mut characters: Vec<char> = cuts.into_iter().filter_map(char::from_u32).collect();
    characters.sort_by_key(|&character| rank(character));
    let mut kinds = HashSet::new();
    characters.retain(|&character| {
        kinds.insert(sets.iter().map(|set| set.contains(character)).collect::<Vec<bool>>())
    });
    characters
}
