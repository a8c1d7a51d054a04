//! Compares two states cell by cell: each input that some row distinguishes, under each combination of answers to the
//! rows' conditions.

use super::effect::{Answers, Effect, holds, of_row, questions, questions_of};
use super::exact::Records;
use super::index::{Index, Row, State};
use super::{Comparison, Difference, RowAt};
use std::collections::{BTreeMap, BTreeSet};
use tabulex_language::model::CharacterSet;

/// An input, as far as rows distinguish it.
#[derive(Clone, Debug)]
enum Input {
    Character(char, char),
    Number(u32, u32),
    /// A string, a reference, the end of the input, or a result.
    Word(String),
}

impl Input {
    /// Returns the input in the table language.
    fn text(&self) -> String {
        match self {
            Self::Character(first, last) => set_text(&CharacterSet::range(*first, *last)),
            Self::Number(first, last) => numbers_text(*first, *last),
            Self::Word(word) => word.clone(),
        }
    }
}

/// One side of a comparison: the table and the index of the state.
type Side<'s, 't> = (&'s Index<'t>, usize);

/// Identity of a reported difference: the rows and the effects of both sides.
type Key = (Option<RowAt>, Option<RowAt>, String, String);

/// Maximum number of answer combinations.
const MAX_ANSWERS: usize = 4096;

/// Compares two states, cell by cell.
pub(super) fn compare(left: Side<'_, '_>, right: Side<'_, '_>, comparison: &mut Comparison) {
    let out = &mut comparison.differences;
    let (one, other) = (state(left), state(right));
    let is_alike = one.signature == other.signature && left.0.is_common(right.0);
    if is_alike && one.rows.iter().all(|row| row.notes.is_empty()) {
        return;
    }
    if one.subject != other.subject {
        let stated = |state: &State<'_>| {
            Some(format!("looks at {}", state.subject.unwrap_or("the next character")))
        };
        let mut difference = super::one_sided_state(&one.name, true, Some(other.span));
        (difference.left, difference.right) = (stated(one), stated(other));
        out.push(difference);
        return;
    }
    let answers = answers(left, right);
    let mut found: BTreeMap<Key, (Difference, CharacterSet)> = BTreeMap::new();
    let mut records = Records::default();
    for input in inputs(one, other) {
        for answers in &answers {
            let (mine, yours) = (take(left, &input, answers), take(right, &input, answers));
            let same = match (&mine, &yours) {
                (None, None) => true,
                (Some((_, mine)), Some((_, yours))) => mine.equals(yours),
                _ => false,
            };
            let all = [(&mine, left.1), (&yours, right.1)];
            let does = all.map(|(taken, _)| {
                let (_, effect) = taken.as_ref()?;
                Some(if same { effect.details() } else { effect.accepted_text() })
            });
            if !same || does[0] != does[1] {
                let rows = all.map(|(taken, at)| taken.as_ref().map(|(row, _)| (at, *row)));
                let (cells, condition) = (records.cells(same, rows, does), answered(answers));
                match &input {
                    Input::Character(first, last) => cells.characters(&condition, *first, *last),
                    other => cells.word(&condition, other.text()),
                }
            }
            if same {
                continue;
            }
            let key = (
                mine.as_ref().map(|(row, _)| (left.1, *row)),
                yours.as_ref().map(|(row, _)| (right.1, *row)),
                mine.as_ref().map_or(String::new(), |(_, effect)| effect.text()),
                yours.as_ref().map_or(String::new(), |(_, effect)| effect.text()),
            );
            let (difference, characters) = found.entry(key).or_insert_with(|| {
                (
                    difference((mine, left.1), (yours, right), &input, answers),
                    CharacterSet::default(),
                )
            });
            if let Input::Character(first, last) = input {
                characters.insert(first, last);
                difference.input = set_text(characters);
            }
        }
    }
    merge(found.into_values().map(|(difference, _)| difference).collect(), out);
    comparison.exact.extend(records.into_records(&other.name, |row| {
        let row = row.map(|(_, row)| &other.rows[row]);
        let notes = row.map(|row| row.notes.clone());
        (row.map_or(other.span, |row| row.span), notes.unwrap_or_default())
    }));
}

/// Returns the answers as one text.
fn answered(answers: &Answers) -> String {
    let one = |(what, value): (&String, &String)| format!("{what} is {value}");
    answers.iter().map(one).collect::<Vec<_>>().join(" and ")
}

/// Merges differences of the same rows under several answers, keeping the first.
fn merge(found: Vec<Difference>, out: &mut Vec<Difference>) {
    let begin = out.len();
    for difference in found {
        let same = out[begin..].iter().any(|other| {
            other.left_row == difference.left_row
                && other.right_row == difference.right_row
                && other.input == difference.input
        });
        if !same {
            out.push(difference);
        }
    }
}

fn state<'s, 't>((index, at): Side<'s, 't>) -> &'s State<'t> {
    &index.states[at]
}

fn difference(
    (mine, left): (Option<(usize, Effect)>, usize),
    (yours, (right, at)): (Option<(usize, Effect)>, Side<'_, '_>),
    input: &Input,
    answers: &Answers,
) -> Difference {
    let state = &right.states[at];
    let row: Option<&Row<'_>> = yours.as_ref().map(|(row, _)| &state.rows[*row]);
    Difference {
        state: state.name.clone(),
        input: input.text(),
        condition: answered(answers),
        left_row: mine.as_ref().map(|(row, _)| (left, *row)),
        right_row: yours.as_ref().map(|(row, _)| (at, *row)),
        left: mine.map(|(_, effect)| effect.text()),
        right: yours.as_ref().map(|(_, effect)| effect.text()),
        left_place: None,
        span: Some(row.map_or(state.span, |row| row.span)),
        notes: row.map(|row| row.notes.clone()).unwrap_or_default(),
    }
}

/// Returns the row that takes the input, and its effect.
fn take((index, at): Side<'_, '_>, input: &Input, answers: &Answers) -> Option<(usize, Effect)> {
    let state = &index.states[at];
    let counts = |row: &Row<'_>| row.guard.is_none_or(|guard| holds(index, guard, answers));
    let takes = |row: &Row<'_>| match input {
        Input::Character(first, _) => {
            row.characters.contains(*first)
                || row
                    .words
                    .iter()
                    .any(|word| answers.get(word).is_some_and(|answer| answer == "true"))
        }
        Input::Number(first, _) => {
            row.numbers.iter().any(|&(low, high)| low <= *first && *first <= high)
        }
        Input::Word(wanted) => row.words.contains(wanted),
    };
    let named = |row: &&Row<'_>| counts(row) && takes(row);
    let otherwise = |row: &&Row<'_>| counts(row) && row.words.iter().any(|word| word == "else");
    let is_else_taken = !matches!(input, Input::Word(_));
    let row =
        state.rows.iter().position(|row| named(&row)).or_else(|| {
            state.rows.iter().position(|row| otherwise(&row)).filter(|_| is_else_taken)
        });
    let Some(row) = row else {
        // A string that no row takes is matched by its first character, which is equivalent if the row reconsumes.
        let Input::Word(word) = input else { return None };
        let first = word.strip_prefix('"')?.chars().next()?;
        return take((index, at), &Input::Character(first, first), answers)
            .filter(|(_, effect)| effect.reconsumes);
    };
    let one = match input {
        Input::Character(first, last) if first == last => Some(first.to_string()),
        Input::Word(word) => {
            word.strip_prefix('"').and_then(|word| word.strip_suffix('"')).map(str::to_owned)
        }
        _ => None,
    };
    let mut effect = of_row(index, state, row, answers, one.as_deref());
    if matches!(input, Input::Word(word) if word == "EOF") {
        // The next state meets the end of the input whether or not it is reconsumed.
        effect.reconsumes &= !effect.switches();
    }
    if state.is_lexical
        && let Some(target) = effect.only_reconsumes().and_then(|name| index.find(name))
        && reads_less(&index.states[target], state)
        && let Some((_, again)) = take((index, target), input, answers)
    {
        let through = &index.states[target].name;
        return Some((row, again.come_from(&state.name, through)));
    }
    Some((row, effect))
}

/// Whether `mode` is another lexical mode whose tokens are a subset of `other`'s, so that a longest match stays
/// longest.
fn reads_less(mode: &State<'_>, other: &State<'_>) -> bool {
    let words = |state: &State<'_>| -> BTreeSet<String> {
        state.rows.iter().flat_map(|row| row.words.iter().cloned()).collect()
    };
    mode.is_lexical && mode.name != other.name && words(mode).is_subset(&words(other))
}

/// Returns the inputs that a row of either state distinguishes.
fn inputs(one: &State<'_>, other: &State<'_>) -> Vec<Input> {
    let rows = || one.rows.iter().chain(&other.rows);
    let mut inputs = Vec::new();
    let words: BTreeSet<&String> = rows().flat_map(|row| &row.words).collect();
    let is_plain = |word: &&&String| !matches!(&word[..], "else" | "additional-allowed-character");
    inputs.extend(words.iter().filter(is_plain).map(|word| Input::Word((*word).clone())));
    if words.iter().any(|word| *word == "always" || *word == "nothing" || *word == "returned") {
        return inputs;
    }
    if one.subject.is_some() || rows().any(|row| !row.numbers.is_empty()) {
        let mut starts: BTreeSet<u32> = BTreeSet::from([0]);
        for &(first, last) in rows().flat_map(|row| &row.numbers) {
            starts.insert(first);
            starts.extend(last.checked_add(1));
        }
        let starts: Vec<u32> = starts.into_iter().collect();
        let end = |index: usize| starts.get(index + 1).map_or(u32::MAX, |next| next - 1);
        inputs.extend(
            starts.iter().enumerate().map(|(index, &first)| Input::Number(first, end(index))),
        );
        return inputs;
    }
    let mut starts: BTreeSet<u32> = BTreeSet::from([0, 0xE000]);
    for &(first, last) in rows().flat_map(|row| row.characters.ranges()) {
        starts.insert(first as u32);
        starts.insert(if last == '\u{D7FF}' { 0xE000 } else { last as u32 + 1 });
    }
    let starts: Vec<char> = starts.into_iter().filter_map(char::from_u32).collect();
    for (index, &first) in starts.iter().enumerate() {
        let last = starts.get(index + 1).map_or(char::MAX, |&next| before(next));
        inputs.push(Input::Character(first, last));
    }
    inputs
}

/// Returns the preceding character.
fn before(character: char) -> char {
    char::from_u32((character as u32).saturating_sub(1)).unwrap_or('\u{D7FF}')
}

/// Returns every combination of answers to the conditions in the two states.
fn answers(left: Side<'_, '_>, right: Side<'_, '_>) -> Vec<Answers> {
    let mut asked: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    for side in [left, right] {
        let index = side.0;
        let state = state(side);
        // After lexical tokens are matched again, the other mode's conditions apply.
        let after =
            index.states.iter().filter(|other| state.is_lexical && reads_less(other, state));
        for row in state.rows.iter().chain(after.flat_map(|other| &other.rows)) {
            if let Some(guard) = row.guard {
                questions(index, guard, &mut asked);
            }
            questions_of(index, row.steps, &mut asked);
            if row.words.iter().any(|word| word == "additional-allowed-character") {
                let values = ["true", "another"].map(str::to_owned);
                asked.insert("additional-allowed-character".to_owned(), values.into());
            }
        }
    }
    let mut all = vec![Answers::new()];
    for (what, values) in asked {
        if all.len() * values.len() > MAX_ANSWERS {
            break;
        }
        let with = |answers: &Answers, value: &String| {
            let mut answers = answers.clone();
            answers.insert(what.clone(), value.clone());
            answers
        };
        all = all
            .iter()
            .flat_map(|answers| values.iter().map(move |value| with(answers, value)))
            .collect();
    }
    all
}

/// Returns a set of characters in the table language.
pub(super) fn set_text(set: &CharacterSet) -> String {
    let one = |&(first, last): &(char, char)| {
        if first == last { format!("{first:?}") } else { format!("{first:?}..={last:?}") }
    };
    set.ranges().iter().map(one).collect::<Vec<_>>().join(" | ")
}

pub(super) fn numbers_text(first: u32, last: u32) -> String {
    if first == last { format!("0x{first:X}") } else { format!("0x{first:X}..=0x{last:X}") }
}
