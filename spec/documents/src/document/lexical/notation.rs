//! Parses lines of grammars, and prints their expressions in the table language. A line is parsed completely or not at
//! all.

use crate::document::statement::{range, string};
use tabulex_language::model::kebab_case;

/// An expression of a grammar.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Grammar {
    Text(String),
    Characters(Vec<(char, char)>),
    Word(String),
    Sequence(Vec<Grammar>),
    Alternatives(Vec<Grammar>),
    Repeated(Box<Grammar>, char),
    /// A part of a token's expression that is captured as data.
    Data(Box<Grammar>),
}

/// The definition in a line of a grammar.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum GrammarLine {
    /// A lexical token: its name and expression.
    Token(String, Grammar),
    /// A part of the tree: its name and expression.
    TreePart(String, Grammar),
    /// The grammar of the whole output.
    Output(Grammar),
}

/// Parses a line of a grammar. Returns `None` if the line is incomplete or not a definition.
pub(super) fn line(text: &str) -> Option<GrammarLine> {
    let is_name = |name: &str| !name.is_empty() && name.chars().all(is_word_character);
    if let Some((name, rest)) = text.split_once(" ::= ").filter(|(name, _)| is_name(name)) {
        return Some(GrammarLine::TreePart(name.to_owned(), complete_expression(rest)?));
    }
    if let Some((name, rest)) = text.split_once(" = ").filter(|(name, _)| is_name(name)) {
        let is_token = name.chars().all(|one| one.is_ascii_uppercase() || one == '_');
        return is_token.then_some(GrammarLine::Token(name.to_owned(), complete_expression(rest)?));
    }
    Some(GrammarLine::Output(complete_expression(text)?))
}

/// Parses an expression that extends to the end of the text.
fn complete_expression(text: &str) -> Option<Grammar> {
    let mut rest = text;
    let grammar = alternatives(&mut rest)?;
    rest.is_empty().then_some(grammar)
}

/// Removes white space from the front of the text and, if `character` follows, the character and the white space after
/// it. Returns whether the character was there.
fn strip(rest: &mut &str, character: char) -> bool {
    let after_character = rest.trim_start().strip_prefix(character);
    *rest = after_character.unwrap_or(rest).trim_start();
    after_character.is_some()
}

fn alternatives(rest: &mut &str) -> Option<Grammar> {
    let mut parts = vec![sequence(rest)?];
    while strip(rest, '|') {
        parts.push(sequence(rest)?);
    }
    Some(if parts.len() == 1 { parts.remove(0) } else { Grammar::Alternatives(parts) })
}

fn sequence(rest: &mut &str) -> Option<Grammar> {
    let mut parts = vec![repetition(rest)?];
    while !rest.is_empty() && !rest.starts_with(['|', ')']) {
        parts.push(repetition(rest)?);
    }
    Some(if parts.len() == 1 { parts.remove(0) } else { Grammar::Sequence(parts) })
}

fn repetition(rest: &mut &str) -> Option<Grammar> {
    let unit = unit(rest)?;
    *rest = rest.trim_start();
    let sign = ['*', '+', '?'].into_iter().find(|&sign| strip(rest, sign));
    Some(match sign {
        Some(sign) => Grammar::Repeated(Box::new(unit), sign),
        None => unit,
    })
}

fn unit(rest: &mut &str) -> Option<Grammar> {
    if strip(rest, '(') {
        return alternatives(rest).filter(|_| strip(rest, ')'));
    }
    if let Some(after) = rest.strip_prefix('[') {
        let (class, after) = after.split_once(']')?;
        *rest = after;
        return characters(class);
    }
    if let Some(after) = rest.strip_prefix('"') {
        let (text, after) = after.split_once('"')?;
        *rest = after;
        return (!text.is_empty()).then(|| Grammar::Text(text.to_owned()));
    }
    if rest.starts_with("#x") {
        let character = code_point(rest)?;
        return Some(Grammar::Characters(vec![(character, character)]));
    }
    let length = rest.find(|character| !is_word_character(character)).unwrap_or(rest.len());
    let (word, after) = rest.split_at(length);
    *rest = after;
    word.starts_with(|character: char| character.is_ascii_alphabetic())
        .then(|| Grammar::Word(word.to_owned()))
}

fn is_word_character(one: char) -> bool {
    one.is_ascii_alphanumeric() || matches!(one, '_' | '-')
}

/// Parses the characters and ranges of a class, the text between brackets.
fn characters(mut class: &str) -> Option<Grammar> {
    let mut ranges = Vec::new();
    while !class.is_empty() {
        let first = code_point(&mut class)?;
        let last = match class.strip_prefix('-').filter(|after| !after.is_empty()) {
            Some(after) => {
                class = after;
                code_point(&mut class)?
            }
            None => first,
        };
        ranges.push((first, last));
    }
    Some(Grammar::Characters(ranges))
}

/// Parses a single character, or a code point such as `#x3C`.
fn code_point(rest: &mut &str) -> Option<char> {
    if let Some(digits) = rest.strip_prefix("#x") {
        let length = digits.bytes().take_while(u8::is_ascii_hexdigit).count();
        let (digits, after) = digits.split_at(length);
        *rest = after;
        return char::from_u32(u32::from_str_radix(digits, 16).ok()?);
    }
    let character = rest.chars().next()?;
    *rest = &rest[character.len_utf8()..];
    Some(character)
}

impl Grammar {
    /// Formats the expression in the table language.
    pub(super) fn text(&self) -> String {
        let joined = |parts: &[Self], between: &str| {
            parts.iter().map(Self::text).collect::<Vec<_>>().join(between)
        };
        match self {
            Self::Text(text) => string(text),
            Self::Characters(ranges) => {
                let parts: Vec<String> = ranges.iter().map(range).collect();
                match &parts[..] {
                    [one] => one.clone(),
                    many => format!("({})", many.join(" | ")),
                }
            }
            Self::Word(word) => lexeme_name(word),
            Self::Sequence(parts) => joined(parts, " "),
            Self::Alternatives(parts) => format!("({})", joined(parts, " | ")),
            Self::Repeated(part, sign) => match &**part {
                Self::Sequence(_) => format!("({}){sign}", part.text()),
                _ => format!("{}{sign}", part.text()),
            },
            Self::Data(part) => format!("{{{}}}", part.text()),
        }
    }

    /// Returns the expression with each word that satisfies `is_data` marked as data.
    pub(super) fn with_data(&self, is_data: &dyn Fn(&str) -> bool) -> Self {
        let mark_all = |parts: &[Self]| parts.iter().map(|part| part.with_data(is_data)).collect();
        match self {
            Self::Word(word) if is_data(word) => Self::Data(Box::new(self.clone())),
            Self::Sequence(parts) => Self::Sequence(mark_all(parts)),
            Self::Alternatives(parts) => Self::Alternatives(mark_all(parts)),
            Self::Repeated(part, sign) => Self::Repeated(Box::new(part.with_data(is_data)), *sign),
            other => other.clone(),
        }
    }

    /// Returns the words in the expression, in order.
    pub(super) fn words(&self) -> Vec<&str> {
        match self {
            Self::Word(word) => vec![word],
            Self::Sequence(parts) | Self::Alternatives(parts) => {
                parts.iter().flat_map(Self::words).collect()
            }
            Self::Repeated(part, _) | Self::Data(part) => part.words(),
            _ => Vec::new(),
        }
    }

    /// Whether the expression matches any single character.
    pub(super) fn is_any_character(&self) -> bool {
        matches!(self, Self::Characters(ranges) if ranges[..] == [('\0', char::MAX)])
    }
}

/// Converts the name of a token to kebab case: `NAME_CHAR` to `name-char`.
pub(super) fn lexeme_name(word: &str) -> String {
    kebab_case(&word.replace('_', " "))
}
