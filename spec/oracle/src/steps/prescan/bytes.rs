//! Bytes, positions in them, and what variables hold. It knows no step. Invariant: nothing after the last byte is read.

use crate::steps::Word;
use std::collections::BTreeMap;

/// What a variable holds.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Value {
    None,
    Failure,
    Is(bool),
    Text(String),
    Bytes(Vec<u8>),
    At(usize),
    List(Vec<Value>),
    /// A name and a value.
    Attribute(Box<(Value, Value)>),
    /// By its name.
    Encoding(String),
}

impl Value {
    pub(super) fn bytes(&self) -> Vec<u8> {
        match self {
            Self::Bytes(bytes) => bytes.clone(),
            Self::Text(text) => text.clone().into_bytes(),
            _ => Vec::new(),
        }
    }

    /// Bytes as characters of the same numbers.
    pub(super) fn text(&self) -> String {
        match self {
            Self::Bytes(bytes) => bytes.iter().map(|&byte| char::from(byte)).collect(),
            Self::Text(text) => text.clone(),
            _ => String::new(),
        }
    }

    pub(super) fn is_encoding(&self, names: &[&str]) -> bool {
        let name = match self {
            Self::Encoding(name) | Self::Text(name) => name,
            _ => return false,
        };
        names.iter().any(|other| name.eq_ignore_ascii_case(other))
    }

    /// The name or the value of an attribute.
    pub(super) fn part(&self, name: &str) -> Option<Self> {
        match (self, name) {
            (Self::Attribute(both), "name") => Some(both.0.clone()),
            (Self::Attribute(both), "value") => Some(both.1.clone()),
            _ => None,
        }
    }
}

/// Bytes and variables.
pub(super) struct Bytes<'b> {
    bytes: &'b [u8],
    variables: BTreeMap<String, Value>,
}

impl<'b> Bytes<'b> {
    pub(super) fn new(bytes: &'b [u8]) -> Self {
        Self { bytes, variables: BTreeMap::new() }
    }

    pub(super) fn set(&mut self, variable: &str, value: Value) {
        self.variables.insert(variable.to_owned(), value);
    }

    fn position(&self, variable: &str) -> Option<usize> {
        match self.variables.get(variable) {
            Some(Value::At(at)) => Some(*at),
            _ => None,
        }
    }

    /// The byte at a position.
    pub(super) fn at(&self, variable: &str) -> Option<u8> {
        self.bytes.get(self.position(variable)?).copied()
    }

    /// Whether all bytes begin with a text.
    pub(super) fn begin_with(&self, text: &Word) -> bool {
        matches!(text, Word::Text(text) if self.bytes.starts_with(text.as_bytes()))
    }

    /// Whether the bytes at the position are one of these sequences.
    pub(super) fn is_sequence(&self, words: &[Word]) -> bool {
        let rest =
            self.position("position").and_then(|at| self.bytes.get(at..)).unwrap_or_default();
        // `or` divides bytes of one place and sequences; a sequence begins with the byte that the first one begins with.
        let mut sequences: Vec<Vec<Word>> = vec![Vec::new()];
        let first = words.first();
        for (at, word) in words.iter().enumerate() {
            let is_text = matches!(words.get(at + 1), Some(Word::Text(_)));
            let is_again =
                words.get(at + 1) == first && words.get(at + 2).is_some_and(|word| word.is("then"));
            let begins = word.is("or") && (is_text || is_again);
            if begins {
                sequences.push(Vec::new());
            } else if let Some(last) = sequences.last_mut() {
                last.push(word.clone());
            }
        }
        if words == [Word::Name("otherwise".to_owned())] {
            return true;
        }
        sequences.iter().any(|sequence| fits(rest, sequence))
    }

    /// Moves a position; none if the bytes end.
    pub(super) fn advance(&mut self, variable: &str, how: &[Word]) -> Option<()> {
        let at = self.position(variable)?;
        let to = match how {
            [] => at + 1,
            [past, Word::Character(one)] if past.is("past") => {
                at + 1 + self.bytes.get(at..)?.iter().position(|&byte| char::from(byte) == *one)?
            }
            [to, next, rest @ ..] if to.is("to") && next.is("next") => {
                let mut parts = rest.split(|word| word.is("after"));
                let (wanted, before) = (parts.next()?, parts.next());
                let before: Vec<u8> = before.into_iter().flatten().filter_map(byte).collect();
                let is_there = |to: &usize| {
                    is_one_of(self.bytes[*to], wanted)
                        && self.bytes[..*to].ends_with(&before)
                        && to.checked_sub(before.len()).is_some_and(|begin| begin >= at)
                };
                (at..self.bytes.len()).find(is_there)?
            }
            _ => return None,
        };
        self.set(variable, Value::At(to));
        Some(())
    }

    /// What variables and places in the bytes are.
    pub(super) fn value(&self, words: &[Word]) -> Option<Value> {
        let place = |word: &Word| match word {
            Word::Name(name) => self.position(name),
            _ => None,
        };
        let found = |at: Option<usize>| at.map_or(Value::None, Value::At);
        Some(match words {
            [word] if word.is("none") => Value::None,
            [word] if word.is("failure") => Value::Failure,
            [word] if word.is("true") || word.is("false") => Value::Is(word.is("true")),
            [word] if word.is("empty") => Value::List(Vec::new()),
            [word] if word.is("first") => Value::At(0),
            [next, Word::Character(one)] if next.is("next") => {
                found(self.bytes.iter().position(|&byte| char::from(byte) == *one))
            }
            [next, Word::Name(variable), at, from] if next.is("next") && at.is("at-or-after") => {
                let wanted = *self.variables.get(variable)?.bytes().first()?;
                let from = place(from)?;
                found(
                    self.bytes
                        .get(from..)?
                        .iter()
                        .position(|&byte| byte == wanted)
                        .map(|at| from + at),
                )
            }
            [first, Word::Text(text), at, from, before, end]
                if first.is("first") && at.is("at-or-after") && before.is("before") =>
            {
                let (from, end) = (place(from)?, place(end)?);
                let mut windows = self.bytes.get(from..end)?.windows(text.len());
                found(windows.position(|window| window == text.as_bytes()).map(|at| from + at))
            }
            [bytes, from, begin, until, end]
                if bytes.is("bytes") && from.is("from") && until.is("until") =>
            {
                Value::Bytes(self.bytes.get(place(begin)?..place(end)?)?.to_vec())
            }
            [Word::Name(name)] => self.variables.get(name)?.clone(),
            _ => return None,
        })
    }
}

fn byte(word: &Word) -> Option<u8> {
    match word {
        Word::Character(one) => u8::try_from(*one).ok(),
        _ => None,
    }
}

/// Whether a byte is one of these, or within these.
fn is_one_of(one: u8, words: &[Word]) -> bool {
    words.split(|word| word.is("or")).any(|wanted| match wanted {
        [only] => byte(only) == Some(one),
        [from, low, to, high] if from.is("from") && to.is("to") => {
            byte(low).is_some_and(|low| low <= one) && byte(high).is_some_and(|high| one <= high)
        }
        _ => false,
    })
}

/// Whether bytes begin with a sequence.
fn fits(mut rest: &[u8], sequence: &[Word]) -> bool {
    if let [Word::Text(text)] = sequence {
        return rest.starts_with(text.as_bytes());
    }
    for place in sequence.split(|word| word.is("then")) {
        let is_optional = place.first().is_some_and(|word| word.is("optional"));
        let wanted = &place[usize::from(is_optional)..];
        match rest.split_first().filter(|(first, _)| is_one_of(**first, wanted)) {
            Some((_, after)) => rest = after,
            None if is_optional => {}
            None => return false,
        }
    }
    true
}

/// "Extracting a character encoding from a meta element": the label after the word. No table has its steps.
pub(super) fn label_after(text: &str, word: &str) -> Option<String> {
    let all: Vec<char> = text.chars().collect();
    let is_space = |one: Option<&char>| matches!(one, Some('\t' | '\n' | '\x0C' | '\r' | ' '));
    let mut position = 0;
    loop {
        let found = (position..=all.len().checked_sub(word.len())?).find(|&at| {
            all[at..at + word.len()]
                .iter()
                .zip(word.chars())
                .all(|(one, other)| one.eq_ignore_ascii_case(&other))
        })?;
        position = found + word.len();
        while is_space(all.get(position)) {
            position += 1;
        }
        if all.get(position) != Some(&'=') {
            continue;
        }
        position += 1;
        while is_space(all.get(position)) {
            position += 1;
        }
        let first = *all.get(position)?;
        if matches!(first, '"' | '\'') {
            let end = (position + 1..all.len()).find(|&at| all[at] == first)?;
            return Some(all[position + 1..end].iter().collect());
        }
        let end = (position..all.len()).find(|&at| is_space(all.get(at)) || all[at] == ';');
        return Some(all[position..end.unwrap_or(all.len())].iter().collect());
    }
}
