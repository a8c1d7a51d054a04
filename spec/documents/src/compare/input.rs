//! The inputs that the rows of two blocks distinguish: characters of states and tokens of modes, as patterns so small
//! that a row matches either all of such a pattern or nothing.

use super::answers::Names;
use super::index::{NamedRows, Tokens};
use std::collections::{BTreeMap, BTreeSet};
use tabulex_language::model::{CharacterSet, partition};

/// The pattern for the character that the caller of a state names.
pub(super) const ADDITIONAL: &str = "additional-allowed-character";

/// Returns the text that an input matches, if it is a single character or string.
pub(super) fn known_text(input: &Tokens) -> Option<String> {
    match input {
        Tokens::Characters(_, Some(set)) => match set.ranges() {
            [(first, last)] if first == last => Some(first.to_string()),
            _ => None,
        },
        Tokens::Word(word) => Some(word.strip_prefix('"')?.strip_suffix('"')?.to_owned()),
        _ => None,
    }
}

/// Returns the first character of a string pattern as an input, or `None` for another pattern.
pub(super) fn first_character(input: &Tokens) -> Option<Tokens> {
    let Tokens::Word(word) = input else { return None };
    let first = word.strip_prefix('"')?.chars().next()?;
    Some(Tokens::Characters(String::new(), Some(CharacterSet::range(first, first))))
}

/// Formats inputs in the table language, with characters joined into sets.
pub(super) fn inputs_text<'i>(inputs: impl IntoIterator<Item = &'i Tokens>) -> String {
    let (mut sets, mut others) = (BTreeMap::<&str, CharacterSet>::new(), Vec::new());
    for input in inputs {
        match input {
            Tokens::Characters(kind, Some(set)) => sets.entry(kind).or_default().insert_all(set),
            Tokens::Characters(kind, None) => others.push(format!("other {kind}")),
            Tokens::Named(kind, None) => others.push(format!("{kind} of another name")),
            other => others.push(other.text()),
        }
    }
    let set_text =
        |(kind, set): (&str, CharacterSet)| Tokens::Characters(kind.to_owned(), Some(set)).text();
    sets.into_iter().map(set_text).chain(others).collect::<Vec<_>>().join(" | ")
}

/// Returns the inputs that the rows of the two blocks distinguish.
pub(super) fn distinguished_inputs(one: &NamedRows<'_>, other: &NamedRows<'_>) -> Vec<Tokens> {
    let (mut named, mut words) = (BTreeSet::new(), BTreeSet::new());
    let (mut sets, mut numbers) = (BTreeMap::<&str, Vec<&CharacterSet>>::new(), Vec::new());
    for tokens in one.rows.iter().chain(&other.rows).flat_map(|row| &row.tokens) {
        match tokens {
            Tokens::Else => {}
            Tokens::Word(word) if word == ADDITIONAL => {}
            Tokens::Word(word) => {
                words.insert(&word[..]);
            }
            Tokens::Named(kind, names) => {
                named.insert((kind, None));
                named.extend(names.iter().flatten().map(|name| (kind, Some(name))));
            }
            Tokens::Characters(kind, set) => sets.entry(kind).or_default().extend(set),
            Tokens::Numbers(first, last) => numbers.push((*first, *last)),
        }
    }
    let named = named.into_iter().map(|(kind, name)| {
        Tokens::Named(kind.clone(), name.map(|name| Names::from([name.clone()])))
    });
    let mut inputs: Vec<Tokens> = named.collect();
    let set = |kind: &str, (first, last): (char, char)| {
        Tokens::Characters(kind.to_owned(), Some(CharacterSet::range(first, last)))
    };
    for (&kind, sets) in sets.iter().filter(|_| one.is_mode) {
        inputs.push(Tokens::Characters(kind.to_owned(), None));
        let ranges = partition(sets.iter().flat_map(|set| set.ranges())).into_iter();
        let ranges = ranges.filter(|(first, _)| sets.iter().any(|set| set.contains(*first)));
        inputs.extend(ranges.map(|range| set(kind, range)));
    }
    let has_words_only = ["always", "nothing", "returned"].iter().any(|one| words.contains(one));
    inputs.extend(words.into_iter().map(|word| Tokens::Word(word.to_owned())));
    if one.is_mode {
        inputs.push(Tokens::Else);
    } else if !has_words_only && (one.subject().is_some() || !numbers.is_empty()) {
        let starts = numbers.iter().flat_map(|&(first, last)| [Some(first), last.checked_add(1)]);
        let starts: BTreeSet<u32> = starts.flatten().chain([0]).collect();
        let last_numbers = starts.iter().skip(1).map(|next| next - 1).chain([u32::MAX]);
        inputs.extend(
            starts.iter().zip(last_numbers).map(|(&first, last)| Tokens::Numbers(first, last)),
        );
    } else if !has_words_only {
        let ranges = partition(sets.remove("").into_iter().flatten().flat_map(|set| set.ranges()))
            .into_iter();
        inputs.extend(ranges.map(|range| set("", range)));
    }
    inputs
}
