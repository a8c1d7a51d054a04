//! Parses labels of rows: the tokens that a row matches, and its condition. A label is read whole or not at all.

use super::asks;
use super::english::{Ask, English, Rule, names};
use crate::document::english::code_point;
use crate::document::statement::character;
use pest::Parser;
use pest::iterators::Pair;

/// The white space characters.
const WHITESPACE: [char; 5] = ['\t', '\n', '\x0C', '\r', ' '];

/// Returns the patterns of a label, each with its condition.
pub(super) fn label(words: &str) -> Option<Vec<(String, Option<Ask>)>> {
    let pair = English::parse(Rule::label, words).ok()?.next()?;
    let mut parts = pair.into_inner().filter(|part| part.as_rule() != Rule::EOI);
    let first = parts.next()?;
    let condition = match parts.next() {
        Some(part) => Some(asks::condition(part)?),
        None => None,
    };
    if first.as_rule() == Rule::label_dispatch {
        return Some(vec![dispatched(&first)?]);
    }
    Some(patterns(&first)?.into_iter().map(|pattern| (pattern, condition.clone())).collect())
}

fn patterns(pair: &Pair<'_, Rule>) -> Option<Vec<String>> {
    let one = |text: &str| Some(vec![text.to_owned()]);
    match pair.as_rule() {
        Rule::label_tag => {
            let kind =
                if pair.as_str().to_lowercase().starts_with("a start") { "start" } else { "end" };
            Some(names(pair).iter().map(|name| format!("{kind} {name}")).collect())
        }
        Rule::label_other_tag => one(if pair.as_str().contains("start") { "start" } else { "end" }),
        Rule::label_characters => characters(pair),
        Rule::label_character => one("character"),
        Rule::label_comment => one("comment"),
        Rule::label_instruction => one("processing-instruction"),
        Rule::label_doctype => one("doctype"),
        Rule::label_end => one("EOF"),
        Rule::label_else => one("else"),
        _ => None,
    }
}

fn characters(pair: &Pair<'_, Rule>) -> Option<Vec<String>> {
    let codes = pair.clone().into_inner().flatten().filter(|part| part.as_rule() == Rule::code);
    let characters: Option<Vec<char>> = codes.map(|part| code_point(part.as_str())).collect();
    let characters = characters?;
    if characters == WHITESPACE {
        return Some(vec!["character ascii-whitespace".to_owned()]);
    }
    Some(characters.into_iter().map(|one| format!("character {}", character(one))).collect())
}

/// Returns the pattern and condition of a label of the dispatcher: the adjusted current node and the token.
fn dispatched(pair: &Pair<'_, Rule>) -> Option<(String, Option<Ask>)> {
    let parts: Vec<Pair<'_, Rule>> = pair.clone().into_inner().collect();
    match &parts[..] {
        [only] => Some(match only.as_rule() {
            Rule::dispatch_empty => ("empty".to_owned(), None),
            Rule::dispatch_html => ("html".to_owned(), None),
            _ => ("EOF".to_owned(), None),
        }),
        [node, token] => {
            let what = node.clone().into_inner().next()?;
            let ask = match what.as_rule() {
                Rule::dispatch_text_point => {
                    "adjusted-current is mathml-text-integration-point".to_owned()
                }
                Rule::dispatch_html_point => "adjusted-current is-integration-point".to_owned(),
                _ => format!("adjusted-current is math {:?}", what.as_str()),
            };
            let pattern = match token.clone().into_inner().next() {
                None => "start".to_owned(),
                Some(part) if part.as_rule() == Rule::dispatch_character => "character".to_owned(),
                Some(part) if part.as_rule() == Rule::dispatch_neither => {
                    let named: Vec<String> =
                        names(&part).iter().map(|name| format!("start {name}")).collect();
                    format!("neither {}", named.join(" | "))
                }
                Some(part) => format!("start {}", names(&part).concat()),
            };
            Some((pattern, Some(Ask::Is(ask))))
        }
        _ => None,
    }
}
