//! Parses sentences on lexical modes: the handling of lexical tokens, their data, and constraints on the tree. A
//! sentence is read whole or not at all.

use super::notation::code;
use super::{Lexical, Rule};
use pest::Parser;
use pest::iterators::Pair;

/// Meaning of a sentence.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Meaning {
    /// The handling of these lexical tokens.
    Row(Vec<String>, Handling),
    /// The data of lexical tokens.
    Data(Vec<String>, Data),
    /// An abstract token, and the noun for its data.
    Abstract(String, Option<String>),
    /// Matching tags have equal names.
    SameName,
    /// The output is one element.
    SingleElement,
    /// The attributes of an element have distinct names.
    DistinctNames,
}

/// Data of a lexical token.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Data {
    /// The text that this lexical token has matched.
    Text(String),
    Number,
    Character,
}

/// Handling of a lexical token.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Handling {
    /// The default handling, followed by a switch.
    Default(Option<String>),
    /// One abstract token for a valid name, else one for each character, if that is stated.
    Named(String, bool),
    /// One abstract token for a number up to this one, else one for each character, if that is stated.
    Numbered(String, u32, bool),
    Acts(Vec<Act>),
}

/// A single action of a lexical mode.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Act {
    Emit(String),
    Switch(String),
}

/// Parses a sentence on lexical modes.
pub(super) fn read(text: &str) -> Option<Meaning> {
    let pair = Lexical::parse(Rule::sentence, text).ok()?.next()?.into_inner().next()?;
    let uppers = || {
        let uppers = pair.clone().into_inner().filter(|part| part.as_rule() == Rule::upper);
        uppers.map(|part| part.as_str().to_owned()).collect()
    };
    let mut inner = pair.clone().into_inner();
    Some(match pair.as_rule() {
        Rule::row => Meaning::Row(uppers(), handling(inner.last()?)?),
        Rule::lexical_data => {
            let data = inner.last()?;
            Meaning::Data(
                uppers(),
                match data.as_rule() {
                    Rule::string_data => Data::Text(data.into_inner().next()?.as_str().to_owned()),
                    Rule::number_data => Data::Number,
                    _ => Data::Character,
                },
            )
        }
        Rule::abstract_token => {
            let name = inner.next()?.as_str().to_owned();
            let data = inner.find(|part| part.as_rule() == Rule::word);
            Meaning::Abstract(name, data.map(|part| part.as_str().to_owned()))
        }
        Rule::same_name => Meaning::SameName,
        Rule::single_element => Meaning::SingleElement,
        Rule::distinct_names => Meaning::DistinctNames,
        _ => return None,
    })
}

/// Returns the rule that matched the sentence, followed by its nested rules.
pub(super) fn shape(rule: Rule, text: &str) -> String {
    let Ok(pairs) = Lexical::parse(rule, text) else { return String::new() };
    let rules = pairs.flat_map(|pair| pair.into_inner().flatten());
    rules.map(|pair| format!("{:?}", pair.as_rule())).collect::<Vec<_>>().join(" ")
}

fn handling(pair: Pair<'_, Rule>) -> Option<Handling> {
    let mut inner = pair.clone().into_inner();
    let each = inner.clone().any(|part| part.as_rule() == Rule::each);
    let camel = |part: Pair<'_, Rule>| part.as_str().to_owned();
    Some(match pair.as_rule() {
        Rule::nothing => Handling::Acts(Vec::new()),
        Rule::by_default => Handling::Default(inner.next().map(|change| target(&change))),
        Rule::named => Handling::Named(camel(inner.next()?), each),
        Rule::numbered => {
            let limit = code(inner.next()?.as_str())? as u32;
            Handling::Numbered(camel(inner.next()?), limit, each)
        }
        _ => Handling::Acts(
            inner
                .map(|act| match act.as_rule() {
                    Rule::change => Some(Act::Switch(target(&act))),
                    _ => Some(Act::Emit(camel(act.into_inner().next()?))),
                })
                .collect::<Option<_>>()?,
        ),
    })
}

fn target(change: &Pair<'_, Rule>) -> String {
    let words = change.clone().into_inner().next();
    words.and_then(|mode| mode_name(mode.as_str())).unwrap_or_default()
}

/// Returns the name of a mode in words such as "StartAttributeValue tokenization mode" or "TagMode".
pub(super) fn mode_name(words: &str) -> Option<String> {
    let bare = words.strip_suffix("Mode").or_else(|| words.strip_suffix(" mode"))?;
    let bare = bare.strip_suffix(" tokenization").unwrap_or(bare);
    let mut name = String::new();
    for (index, one) in bare.char_indices() {
        if one.is_ascii_uppercase() && index > 0 {
            name.push('-');
        }
        name.push(one.to_ascii_lowercase());
    }
    Some(name).filter(|name| !name.is_empty() && !name.contains(' '))
}
