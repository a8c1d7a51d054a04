//! The inputs of states and the tokens of modes, as far as the rows of two blocks distinguish them.

use super::index::{Block, Tokens};
use super::text;
use std::collections::{BTreeMap, BTreeSet};
use tabulex_language::model::CharacterSet;
use tabulex_language::syntax::Pattern;

/// The pattern for a character that the state's caller names.
pub(super) const ADDITIONAL: &str = "additional-allowed-character";

/// An input or a token.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Input {
    /// A tag with the name, or with any name that no row mentions.
    Named(String, Option<String>),
    /// Characters, or a text of none that a row mentions; input characters have no kind.
    Characters(String, Option<(char, char)>),
    /// A string, a lexical token, a word of the subject, or a kind of token.
    Word(String),
    /// Numbers.
    Numbers(u32, u32),
    /// A token that no row names.
    Other,
}

impl Input {
    /// Whether the pattern names the input.
    pub(super) fn is_named(&self, tokens: &Tokens) -> bool {
        match (tokens, self) {
            (Tokens::Named(kind, Some(names)), Self::Named(other, Some(name))) => {
                kind == other && names.contains(name)
            }
            (Tokens::Characters(kind, Some(set)), Self::Characters(other, Some((first, _)))) => {
                kind == other && set.contains(*first)
            }
            (Tokens::Numbers(low, high), Self::Numbers(first, _)) => low <= first && first <= high,
            (Tokens::Word(word), Self::Word(other)) => word == other,
            _ => false,
        }
    }

    /// Whether the pattern matches every input of this kind.
    pub(super) fn is_of_kind(&self, tokens: &Tokens) -> bool {
        match (tokens, self) {
            (Tokens::Named(kind, None), Self::Named(other, _))
            | (Tokens::Characters(kind, None), Self::Characters(other, _)) => kind == other,
            _ => false,
        }
    }

    /// Returns the matched text, if it is known.
    pub(super) fn known_text(&self) -> Option<String> {
        match self {
            Self::Characters(_, Some((first, last))) if first == last => Some(first.to_string()),
            Self::Word(word) => {
                word.strip_prefix('"').and_then(|word| word.strip_suffix('"')).map(str::to_owned)
            }
            _ => None,
        }
    }

    /// Returns the first character of a string.
    pub(super) fn first_character(&self) -> Option<Self> {
        let Self::Word(word) = self else { return None };
        let first = word.strip_prefix('"')?.chars().next()?;
        Some(Self::Characters(String::new(), Some((first, first))))
    }

    /// Returns the input in the table language; characters are left to the set that they are part of.
    fn text(&self) -> Option<String> {
        Some(match self {
            Self::Named(kind, Some(name)) => format!("{kind} {name:?}"),
            Self::Named(kind, None) => format!("{kind} of another name"),
            Self::Characters(kind, None) => format!("other {kind}"),
            Self::Characters(_, Some(_)) => return None,
            Self::Word(word) => word.clone(),
            Self::Numbers(first, last) => text::pattern(&Pattern::Numbers(*first, *last)),
            Self::Other => "else".to_owned(),
        })
    }
}

/// Returns inputs in the table language.
pub(super) fn inputs_text(inputs: &BTreeSet<Input>) -> String {
    let mut sets: BTreeMap<&str, CharacterSet> = BTreeMap::new();
    for input in inputs {
        if let Input::Characters(kind, Some((first, last))) = input {
            sets.entry(kind).or_default().insert(*first, *last);
        }
    }
    let sets = sets.iter().map(|(kind, set)| format!("{kind} {}", text::characters(set)));
    let sets = sets.map(|text| text.trim_start().to_owned());
    sets.chain(inputs.iter().filter_map(Input::text)).collect::<Vec<_>>().join(" | ")
}

/// Returns the inputs that a row of either block distinguishes.
pub(super) fn inputs(one: &Block<'_>, other: &Block<'_>) -> BTreeSet<Input> {
    let mut inputs = BTreeSet::new();
    let mut sets: BTreeMap<&str, Vec<&CharacterSet>> = BTreeMap::new();
    let mut numbers = Vec::new();
    for tokens in one.rows.iter().chain(&other.rows).flat_map(|row| &row.tokens) {
        match tokens {
            Tokens::Else => {}
            Tokens::Word(word) if word == ADDITIONAL => {}
            Tokens::Word(word) => {
                inputs.insert(Input::Word(word.clone()));
            }
            Tokens::Named(kind, names) => {
                inputs.insert(Input::Named(kind.clone(), None));
                let named = names.iter().flatten();
                inputs.extend(named.map(|name| Input::Named(kind.clone(), Some(name.clone()))));
            }
            Tokens::Characters(kind, set) => sets.entry(kind).or_default().extend(set),
            Tokens::Numbers(first, last) => numbers.push((*first, *last)),
        }
    }
    let is_word = |word: &str| inputs.contains(&Input::Word(word.to_owned()));
    let has_words_only = ["always", "nothing", "returned"].into_iter().any(is_word);
    if one.is_mode {
        inputs.insert(Input::Other);
        for (kind, sets) in sets {
            inputs.insert(Input::Characters(kind.to_owned(), None));
            let ranges = divide(&sets).into_iter();
            let ranges = ranges.filter(|(first, _)| sets.iter().any(|set| set.contains(*first)));
            inputs.extend(ranges.map(|range| Input::Characters(kind.to_owned(), Some(range))));
        }
    } else if !has_words_only && (one.subject().is_some() || !numbers.is_empty()) {
        let cuts = numbers.iter().flat_map(|&(first, last)| [Some(first), last.checked_add(1)]);
        let mut cuts: BTreeSet<u32> = cuts.flatten().chain([0]).collect();
        let mut end = u32::MAX;
        while let Some(first) = cuts.pop_last() {
            inputs.insert(Input::Numbers(first, end));
            end = first.saturating_sub(1);
        }
    } else if !has_words_only {
        let ranges = divide(&sets.remove("").unwrap_or_default()).into_iter();
        inputs.extend(ranges.map(|range| Input::Characters(String::new(), Some(range))));
    }
    inputs
}

/// Divides all characters into ranges that no set divides further.
fn divide(sets: &[&CharacterSet]) -> Vec<(char, char)> {
    let ends = sets.iter().flat_map(|set| set.ranges());
    let ends = ends.flat_map(|&(first, last)| [first as u32, last as u32 + 1]);
    let cuts: BTreeSet<u32> = ends.chain([0, 0xD800, 0xE000, 0x11_0000]).collect();
    let cuts: Vec<u32> = cuts.into_iter().collect();
    let range = |pair: &[u32]| Some((char::from_u32(pair[0])?, char::from_u32(pair[1] - 1)?));
    cuts.windows(2).filter_map(range).collect()
}
