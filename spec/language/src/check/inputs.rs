//! Partitions characters and the end of the input into classes that a table's rows do not distinguish, and determines
//! the rows that each class can take.

use crate::model::{Action, CharacterSet, Machine, Pattern, Row, State, partition};
use std::collections::BTreeSet;

/// A class of inputs: no row of the table distinguishes its members.
#[derive(Clone, Debug)]
pub(super) enum InputClass {
    Characters(CharacterSet),
    End,
}

/// Returns the classes of inputs: the end of the input, and ranges of characters that no row of the machine
/// distinguishes. The classes are disjoint and together cover all inputs.
pub(super) fn classes(machine: &Machine) -> Vec<InputClass> {
    let rows = machine.states.iter().flat_map(|state| &state.rows);
    let sets =
        rows.flat_map(|row| &row.patterns).filter_map(|p| first_characters(machine, &p.value));
    let sets = sets.chain([additional_characters(machine)]);
    let ranges: Vec<(char, char)> = sets.flat_map(|set| set.ranges().to_vec()).collect();
    let characters = partition(&ranges).into_iter().rev();
    let characters = characters.map(|(first, last)| CharacterSet::range(first, last));
    std::iter::once(InputClass::End).chain(characters.map(InputClass::Characters)).collect()
}

/// Returns the possible first characters of inputs that match the pattern; `None` for patterns that name no characters.
fn first_characters(machine: &Machine, pattern: &Pattern) -> Option<CharacterSet> {
    if let Pattern::Characters(characters) = pattern {
        return Some(characters.clone());
    } else if let Pattern::Lexeme(id) = pattern {
        return Some(machine.lexeme(*id).expression.first_characters());
    } else if let Pattern::Text { text, ignoring_case } = pattern {
        return Some(CharacterSet::character(text.chars().next()?, *ignoring_case));
    } else if *pattern != Pattern::Reference {
        return None;
    }
    let entries = machine.references.iter().flatten();
    let firsts: BTreeSet<char> = entries.filter_map(|(name, _)| name.chars().next()).collect();
    let mut set = CharacterSet::default();
    firsts.into_iter().for_each(|first| set.insert(first, first));
    Some(set)
}

/// Returns the characters that actions set as the additional allowed character.
fn additional_characters(machine: &Machine) -> CharacterSet {
    let mut set = CharacterSet::default();
    for action in machine.states.iter().flat_map(State::actions) {
        if let Action::SetAdditionalAllowedCharacter(Some(character)) = action {
            set.insert(*character, *character);
        }
    }
    set
}

/// The characters that can begin references, and those that can be the additional allowed character, computed once for
/// all states.
pub(super) struct FirstCharacters {
    additional: CharacterSet,
    reference: CharacterSet,
}

impl FirstCharacters {
    pub(super) fn new(machine: &Machine) -> Self {
        let reference = first_characters(machine, &Pattern::Reference).unwrap_or_default();
        Self { additional: additional_characters(machine), reference }
    }

    /// Returns the rows of a state that may match an input of the class. For characters, these are the rows of strings,
    /// lexemes, references and the additional allowed character that may begin with them; the rows of sets that contain
    /// them, up to the first without a guard; and the rows of `else`, if each of those rows of sets has a guard.
    pub(super) fn rows(
        &self,
        machine: &Machine,
        state: &State,
        class: &InputClass,
    ) -> BTreeSet<usize> {
        let InputClass::Characters(characters) = class else {
            return up_to_unguarded(state, |row| row.has_pattern(&Pattern::EndOfFile))
                .into_iter()
                .collect();
        };
        let overlaps = |set: &CharacterSet| !set.intersection(characters).is_empty();
        let can_begin = |pattern: &Pattern| {
            if matches!(pattern, Pattern::Text { .. } | Pattern::Lexeme(_)) {
                first_characters(machine, pattern).is_some_and(|set| overlaps(&set))
            } else {
                *pattern == Pattern::Reference && overlaps(&self.reference)
                    || *pattern == Pattern::AdditionalAllowedCharacter && overlaps(&self.additional)
            }
        };
        let is_uncertain = |row: &Row| row.patterns.iter().any(|pattern| can_begin(&pattern.value));
        let mut rows: BTreeSet<usize> =
            (0..state.rows.len()).filter(|&row| is_uncertain(&state.rows[row])).collect();
        let naming_rows = up_to_unguarded(state, |row| {
            row.patterns
                .iter()
                .any(|pattern| matches!(&pattern.value, Pattern::Characters(set) if overlaps(set)))
        });
        let is_certain = naming_rows.last().is_some_and(|&row| state.rows[row].guard.is_none());
        rows.extend(naming_rows);
        if !is_certain {
            rows.extend(up_to_unguarded(state, |row| row.has_pattern(&Pattern::Else)));
        }
        rows
    }
}

/// Returns the indexes of the wanted rows, up to the first one without a guard.
fn up_to_unguarded(state: &State, is_wanted: impl Fn(&Row) -> bool) -> Vec<usize> {
    let mut rows = Vec::new();
    for (index, row) in state.rows.iter().enumerate() {
        if is_wanted(row) {
            rows.push(index);
            if row.guard.is_none() {
                break;
            }
        }
    }
    rows
}
