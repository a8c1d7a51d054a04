//! Parses headings and labels: the state that a section describes, and the inputs that a row matches. A label is read
//! whole or not at all.

use super::{English, Rule, code_point, one_character};
use crate::document::statement::{character, string};
use pest::Parser;
use pest::iterators::Pair;

/// A label of a row.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(in crate::document) enum Label {
    /// A pattern in the table language.
    Pattern(String),
    /// Characters in these ranges that no other row of the state names.
    OtherIn(Vec<(char, char)>),
    /// The following rows apply while the flag has one of the values.
    Flag(String, Vec<String>),
    /// Whether a name matches.
    Match(bool),
}

/// Parses a line that consists of labels.
pub(in crate::document) fn labels(text: &str) -> Option<Vec<Label>> {
    let pair = English::parse(Rule::labels, text).ok()?.next()?;
    pair.into_inner().filter(|part| part.as_rule() != Rule::EOI).map(label).collect()
}

/// Parses the labels at the start of a list item. Returns the text after the colon, too.
pub(in crate::document) fn item_labels(text: &str) -> Option<(Vec<Label>, &str)> {
    let pair = English::parse(Rule::item_labels, text).ok()?.next()?;
    let rest = text[pair.as_span().end()..].trim_start();
    let labels = pair.into_inner().map(label).collect::<Option<Vec<_>>>()?;
    Some((labels, rest))
}

/// Parses the heading of a state: its section number and its name.
pub(in crate::document) fn heading(text: &str) -> Option<(Option<String>, String)> {
    let pair = English::parse(Rule::heading, text).ok()?.next()?;
    let mut number = None;
    let mut name = None;
    for part in pair.into_inner() {
        match part.as_rule() {
            Rule::section_number => number = Some(part.as_str().to_owned()),
            Rule::heading_name => name = Some(part.as_str().to_owned()),
            _ => {}
        }
    }
    Some((number, name?))
}

/// Parses the labels of a mode's row: a line of labels, or the start of a list item.
pub(in crate::document) fn token_labels(text: &str) -> Option<Vec<String>> {
    if let Ok(mut pairs) = English::parse(Rule::token_item, text) {
        let kind = pairs.next()?.into_inner().next()?;
        return Some(vec![super::trees::kind(&kind)?]);
    }
    let pattern = |label: Label| match label {
        Label::Pattern(pattern) => Some(pattern),
        _ => None,
    };
    labels(text)?.into_iter().map(pattern).collect()
}

fn label(pair: Pair<'_, Rule>) -> Option<Label> {
    let pattern = |text: &str| Some(Label::Pattern(text.to_owned()));
    let inner = || pair.clone().into_inner();
    match pair.as_rule() {
        Rule::label_eof => pattern("EOF"),
        Rule::label_token => pattern(&super::trees::kind(&inner().next()?)?),
        Rule::label_else => pattern("else"),
        Rule::label_upper => pattern("'A'..='Z'"),
        Rule::label_lower => pattern("'a'..='z'"),
        Rule::label_alpha => pattern("'A'..='Z' | 'a'..='z'"),
        Rule::label_alphanumeric => pattern("'0'..='9' | 'A'..='Z' | 'a'..='z'"),
        Rule::label_digit => pattern("'0'..='9'"),
        Rule::label_hex => pattern("'0'..='9' | 'A'..='F' | 'a'..='f'"),
        Rule::label_hex_upper => pattern("'A'..='F'"),
        Rule::label_hex_lower => pattern("'a'..='f'"),
        Rule::label_additional => pattern("additional-allowed-character"),
        Rule::label_other_range => {
            Some(Label::OtherIn(inner().map(|part| range(&part)).collect::<Option<_>>()?))
        }
        Rule::label_range => {
            let (first, last) = range(&pair)?;
            pattern(&format!("{}..={}", character(first), character(last)))
        }
        Rule::label_text => {
            let one = one_character(&inner().next()?)?;
            pattern(&string(&format!("{one}{one}")))
        }
        Rule::label_match => {
            let quoted = inner().next()?.into_inner().next()?.as_str().to_owned();
            let case = if pair.as_str().starts_with("ASCII") { " ignoring-case" } else { "" };
            pattern(&format!("{}{case}", string(&quoted)))
        }
        Rule::label_otherwise => Some(Label::Match(pair.as_str().starts_with("If"))),
        Rule::label_flag => {
            let mut words = inner().map(|part| tabulex_language::model::kebab_case(part.as_str()));
            Some(Label::Flag(words.next()?, words.collect()))
        }
        Rule::label_character => pattern(&character(one_character(&inner().next()?)?)),
        _ => None,
    }
}

fn range(pair: &Pair<'_, Rule>) -> Option<(char, char)> {
    let mut ends = pair.clone().into_inner().map(|part| one_character(&part));
    Some((ends.next()??, ends.next()??))
}

/// Parses the number and the code point in a row of a table, such as "0x80 U+20AC EURO SIGN".
pub(in crate::document) fn table_row(text: &str) -> Option<(u32, u32)> {
    let mut words = text.split_whitespace();
    let from = super::number(words.next().filter(|word| word.starts_with("0x"))?)?;
    let to = words.next()?;
    let to = code_point(to).map(|found| found as u32).or_else(|| super::number(to))?;
    Some((from, to))
}
