//! Translates lines of grammars to expressions of the table language, whole or not at all.

use super::{Lexical, Rule};
use crate::document::statement::{character, string};
use pest::Parser;
use pest::iterators::Pair;
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
    /// The part of a token's expression that is its data.
    Data(Box<Grammar>),
}

/// The definition in a line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Line {
    /// A lexical token.
    Token(String, Grammar),
    /// A part of the tree.
    OutlineSection(String, Grammar),
    /// The whole output.
    Output(Grammar),
}

/// Parses a line of a grammar.
pub(super) fn line(text: &str) -> Option<Line> {
    let pair = Lexical::parse(Rule::grammar, text).ok()?.next()?.into_inner().next()?;
    let mut inner = pair.clone().into_inner();
    Some(match pair.as_rule() {
        Rule::definition => Line::Token(inner.next()?.as_str().to_owned(), grammar(inner.next()?)?),
        Rule::part => {
            Line::OutlineSection(inner.next()?.as_str().to_owned(), grammar(inner.next()?)?)
        }
        _ => Line::Output(grammar(pair)?),
    })
}

fn grammar(pair: Pair<'_, Rule>) -> Option<Grammar> {
    let rule = pair.as_rule();
    let text = pair.as_str();
    let mut inner = pair.into_inner();
    Some(match rule {
        Rule::alternatives | Rule::sequence => {
            let mut parts: Vec<Grammar> = inner.map(grammar).collect::<Option<_>>()?;
            match (parts.len(), rule) {
                (1, _) => parts.remove(0),
                (_, Rule::sequence) => Grammar::Sequence(parts),
                _ => Grammar::Alternatives(parts),
            }
        }
        Rule::repeated => {
            let part = grammar(inner.next()?)?;
            match inner.next().and_then(|sign| sign.as_str().chars().next()) {
                Some(sign) => Grammar::Repeated(Box::new(part), sign),
                None => part,
            }
        }
        Rule::class => Grammar::Characters(inner.map(range).collect::<Option<_>>()?),
        Rule::code => {
            let one = code(text)?;
            Grammar::Characters(vec![(one, one)])
        }
        Rule::text => Grammar::Text(inner.next()?.as_str().to_owned()),
        Rule::word => Grammar::Word(text.to_owned()),
        _ => return None,
    })
}

fn range(pair: Pair<'_, Rule>) -> Option<(char, char)> {
    let end = |pair: Pair<'_, Rule>| match pair.as_rule() {
        Rule::code => code(pair.as_str()),
        _ => pair.as_str().chars().next(),
    };
    let mut ends = pair.into_inner();
    let first = end(ends.next()?)?;
    Some((first, ends.next().map_or(Some(first), end)?))
}

/// Parses a code point, such as `#x3C`.
pub(super) fn code(text: &str) -> Option<char> {
    char::from_u32(u32::from_str_radix(text.strip_prefix("#x")?, 16).ok()?)
}

impl Grammar {
    /// Returns the expression in the table language.
    pub(super) fn text(&self) -> String {
        let all = |parts: &[Self], between: &str| {
            parts.iter().map(Self::text).collect::<Vec<_>>().join(between)
        };
        match self {
            Self::Text(text) => string(text),
            Self::Characters(ranges) => {
                let one = |&(first, last): &(char, char)| match first == last {
                    true => character(first),
                    false => format!("{}..={}", character(first), character(last)),
                };
                let parts: Vec<String> = ranges.iter().map(one).collect();
                match &parts[..] {
                    [one] => one.clone(),
                    many => format!("({})", many.join(" | ")),
                }
            }
            Self::Word(word) => lexeme_name(word),
            Self::Sequence(parts) => all(parts, " "),
            Self::Alternatives(parts) => format!("({})", all(parts, " | ")),
            Self::Repeated(part, sign) => match &**part {
                Self::Sequence(_) => format!("({}){sign}", part.text()),
                _ => format!("{}{sign}", part.text()),
            },
            Self::Data(part) => format!("{{{}}}", part.text()),
        }
    }

    /// Returns the expression with the words that satisfy `is_data` marked as the token's data.
    pub(super) fn with_data(&self, is_data: &dyn Fn(&str) -> bool) -> Self {
        let all = |parts: &[Self]| parts.iter().map(|part| part.with_data(is_data)).collect();
        match self {
            Self::Word(word) if is_data(word) => Self::Data(Box::new(self.clone())),
            Self::Sequence(parts) => Self::Sequence(all(parts)),
            Self::Alternatives(parts) => Self::Alternatives(all(parts)),
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

/// Returns the name in kebab case: `name-char` for `NAME_CHAR`.
pub(super) fn lexeme_name(word: &str) -> String {
    kebab_case(&word.replace('_', " "))
}
