//! Derives the pieces of which inputs are composed: for each state, a character of each class that rows distinguish,
//! and the strings, references and numbers that rows match. This includes the rows of all states that may read a
//! character of the state again.

use super::successors::states_reading_same_character;
use std::collections::{BTreeSet, HashMap, HashSet};
use std::rc::Rc;
use tabulex_language::model::{
    Action, CharacterSet, Field, LexemeExpression, LexemeId, Machine, Pattern, State, StateId,
    Step, partition,
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
    /// names of references to try in addition to the shortest ones.
    pub(super) fn new(machine: &Machine, compared_texts: &[String], references: &[String]) -> Self {
        let reference_names: Vec<String> = shortest_references(machine)
            .into_iter()
            .chain(references.iter().map(|name| name.trim_start_matches('&').to_owned()))
            .collect();
        let inputs: Vec<RowInputs> = machine
            .state_ids()
            .map(|id| state_inputs(machine, id, compared_texts, &reference_names))
            .collect();
        let numbers = Numbers::new(machine);
        let combined_inputs = |id: StateId| {
            let readers = states_reading_same_character(machine, id);
            let mut combined = RowInputs::default();
            for other in &readers {
                let reader_inputs = &inputs[usize::from(other.0)];
                combined.sets.extend(reader_inputs.sets.iter().cloned());
                combined.texts.extend(reader_inputs.texts.iter().cloned());
            }
            combined.texts.extend(numbers.after(id, &readers));
            combined
        };
        let input_errors =
            machine.input_errors.iter().map(|error| error.characters.clone()).collect();
        Self { by_state: machine.state_ids().map(combined_inputs).collect(), input_errors }
    }
}

/// Cache of pieces, by the states of the machines that run side by side.
#[derive(Debug, Default)]
pub(super) struct PieceCache(HashMap<Vec<StateId>, Rc<[String]>>);

impl PieceCache {
    /// Returns the pieces, shortest first, that may follow when the machines are in these states, one state for each
    /// machine.
    pub(super) fn after(&mut self, machines: &[&Pieces], states: &[StateId]) -> Rc<[String]> {
        if let Some(pieces) = self.0.get(states) {
            return Rc::clone(pieces);
        }
        let mut sets: Vec<&CharacterSet> = Vec::new();
        let mut texts: BTreeSet<&String> = BTreeSet::new();
        for (pieces, state) in machines.iter().zip(states) {
            let inputs = &pieces.by_state[usize::from(state.0)];
            sets.extend(inputs.sets.iter().chain(&pieces.input_errors));
            texts.extend(&inputs.texts);
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
    let mut inputs = RowInputs::default();
    for row in &machine.state(id).rows {
        for pattern in &row.patterns {
            match &pattern.value {
                Pattern::Characters(set) => inputs.sets.push(set.clone()),
                Pattern::AdditionalAllowedCharacter => {
                    inputs.sets.extend(additional_characters(machine));
                }
                Pattern::Text { text, .. } => {
                    inputs.texts.insert(text.clone());
                }
                Pattern::Lexeme(lexeme) => add_lexeme_inputs(machine, *lexeme, &mut inputs),
                Pattern::Reference => inputs.texts.extend(references.iter().cloned()),
                // These patterns distinguish no characters.
                Pattern::EndOfFile
                | Pattern::Else
                | Pattern::Nothing
                | Pattern::Returned
                | Pattern::Numbers(..)
                | Pattern::Always => {}
            }
        }
        let appends = |action: &Action| {
            matches!(action, Action::Append(_, Field::TagName | Field::TemporaryBuffer))
        };
        if Step::actions(&row.steps).into_iter().any(appends) {
            inputs.texts.extend(compared_texts.iter().cloned());
        }
    }
    inputs
}

/// Returns the characters that any action sets as the additional allowed character, each as a set.
fn additional_characters(machine: &Machine) -> Vec<CharacterSet> {
    let set_of = |action: &Action| {
        let Action::SetAdditionalAllowedCharacter(character) = action else { return None };
        character.map(|character| CharacterSet::range(character, character))
    };
    machine.states.iter().flat_map(State::actions).filter_map(set_of).collect()
}

fn add_lexeme_inputs(machine: &Machine, lexeme: LexemeId, inputs: &mut RowInputs) {
    let lexeme = machine.lexeme(lexeme);
    let expressions = std::iter::once(&lexeme.expression).chain(&lexeme.ahead);
    expressions.for_each(|expression| collect_sets(expression, &mut inputs.sets));
    for text in examples(&lexeme.expression) {
        let ahead_examples = lexeme.ahead.as_ref().map(examples).unwrap_or_default();
        inputs.texts.extend(ahead_examples.iter().map(|ahead| text.clone() + ahead));
        inputs.texts.insert(text);
    }
}

/// Returns the shortest reference name with a semicolon and the shortest without, as far as they exist.
fn shortest_references(machine: &Machine) -> Vec<String> {
    let Some(references) = &machine.references else { return Vec::new() };
    let shortest = |is_match: &dyn Fn(&str) -> bool| {
        let names = references.iter().map(|(name, _)| name).filter(|name| is_match(name));
        names.min_by_key(|name| name.len()).cloned()
    };
    let with_semicolon = shortest(&|name| name.ends_with(';'));
    let without_semicolon = shortest(&|name| !name.ends_with(';'));
    with_semicolon.into_iter().chain(without_semicolon).collect()
}

/// Numbers that rows distinguish, to be inserted whole where digits may start.
struct Numbers {
    /// States that accumulate digits, each with the base.
    digit_states: Vec<(StateId, u8)>,
    boundaries: BTreeSet<u32>,
    /// Whether a state that does not accumulate digits may pass its character to one that does. If so, numbers start
    /// only in such states.
    start_outside: bool,
}

impl Numbers {
    fn new(machine: &Machine) -> Self {
        let mut digit_states = Vec::new();
        for id in machine.state_ids() {
            for row in &machine.state(id).rows {
                for base in [10, 16] {
                    if Step::actions(&row.steps).contains(&&Action::AddDigit(base)) {
                        digit_states.push((id, base));
                    }
                }
            }
        }
        digit_states.dedup();
        let boundaries = number_boundaries(machine);
        let mut numbers = Self { digit_states, boundaries, start_outside: false };
        numbers.start_outside = machine.state_ids().any(|id| {
            let readers = states_reading_same_character(machine, id);
            !numbers.accumulates_digits(id)
                && readers.into_iter().any(|other| numbers.accumulates_digits(other))
        });
        numbers
    }

    fn accumulates_digits(&self, id: StateId) -> bool {
        self.digit_states.iter().any(|(state, _)| *state == id)
    }

    /// Returns the numbers that may start in a state. `readers` are the states that may read the state's character.
    fn after(&self, id: StateId, readers: &[StateId]) -> Vec<String> {
        if self.start_outside && self.accumulates_digits(id) {
            return Vec::new();
        }
        let bases = self.digit_states.iter().filter(|(state, _)| readers.contains(state));
        let mut bases: Vec<u8> = bases.map(|(_, base)| *base).collect();
        bases.sort_unstable();
        bases.dedup();
        let format_all = |base: u8| {
            let format_number = move |number: &u32| {
                if base == 16 { format!("{number:x}") } else { format!("{number}") }
            };
            self.boundaries.iter().map(format_number)
        };
        bases.into_iter().flat_map(format_all).collect()
    }
}

/// Returns the first number of each range that rows match, and the first number after each range.
pub(super) fn number_boundaries(machine: &Machine) -> BTreeSet<u32> {
    let rows = machine.states.iter().flat_map(|state| &state.rows);
    let boundaries = rows.flat_map(|row| &row.patterns).filter_map(|pattern| {
        if let Pattern::Numbers(first, last) = pattern.value {
            Some([first, last.saturating_add(1)])
        } else {
            None
        }
    });
    boundaries.flatten().collect()
}

/// Adds the character sets of an expression to `sets`.
fn collect_sets(expression: &LexemeExpression, sets: &mut Vec<CharacterSet>) {
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
            preferred_character(set.ranges()).into_iter().map(String::from).collect()
        }
        LexemeExpression::Sequence(parts) => examples_of_sequence(parts),
        LexemeExpression::Alternatives(parts) => parts.iter().flat_map(examples).collect(),
        LexemeExpression::Repeated { inner, at_least_once, .. } => {
            let empty_example = (!at_least_once).then(String::new);
            empty_example.into_iter().chain(examples(inner)).collect()
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
    let shortest = |part: &Vec<String>| part.first().cloned().unwrap_or_default();
    let mut variants = vec![parts.iter().map(shortest).collect::<String>()];
    for (at, part) in parts.iter().enumerate() {
        for other in part.iter().skip(1) {
            let before: String = parts[..at].iter().map(shortest).collect();
            let after: String = parts[at + 1..].iter().map(shortest).collect();
            variants.push(before + other + &after);
        }
    }
    variants
}

/// Returns a character in the ranges, if possible a printable ASCII one. `None` if there are no ranges.
pub(super) fn preferred_character(ranges: &[(char, char)]) -> Option<char> {
    let readable = ranges.iter().find_map(|&(first, last)| {
        let first = first.max('!');
        (first <= last && first <= '~').then_some(first)
    });
    readable.or_else(|| ranges.first().map(|range| range.0))
}

/// Returns one character of each class, where a class consists of the characters that are in exactly the same sets.
fn class_representatives(sets: &[&CharacterSet]) -> Vec<char> {
    // Letters and digits are preferred, then other printable characters, for readable inputs.
    let rank = |character: char| {
        (!character.is_ascii_alphanumeric(), !character.is_ascii_graphic(), character)
    };
    // The added ranges make `!` and `a` candidates, so that a class that contains one of them has a readable
    // representative.
    let ranges = sets.iter().flat_map(|set| set.ranges()).chain(&[('!', '`'), ('a', '~')]);
    let mut characters: Vec<char> = partition(ranges).into_iter().map(|(first, _)| first).collect();
    characters.sort_by_key(|&character| rank(character));
    let mut classes = HashSet::new();
    characters.retain(|&character| {
        classes.insert(sets.iter().map(|set| set.contains(character)).collect::<Vec<bool>>())
    });
    characters
}
