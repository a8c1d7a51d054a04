//! Reads lists that are not machine tables: `html.text`, `html.sanitizer`, `html.selectors`, `errors.text`. Each block
//! becomes an entry with a line for each statement, to compare with the accepted entries.

use super::accepted::Entry;
use crate::document::fingerprint;
use std::collections::BTreeMap;
use tabulex_language::syntax::Span;

/// Returns an entry for each block of a list, with a line for each of its statements.
///
/// # Errors
///
/// Returns a message if a brace or semicolon is missing.
pub fn entries(text: &str) -> Result<Vec<Entry>, String> {
    let mut entries: BTreeMap<String, Entry> = BTreeMap::new();
    let mut blocks: Vec<String> = Vec::new();
    let mut words: Vec<(usize, &str)> = Vec::new();
    for (at, word) in tokens(text) {
        match word {
            "{" => blocks.push(concatenate(&std::mem::take(&mut words))),
            "}" if words.is_empty() && blocks.pop().is_some() => {}
            "}" => {
                return Err(format!(
                    "byte {at}: `}}` without a matching `{{`, or after a statement without `;`"
                ));
            }
            ";" => {
                let key = blocks.join(" ");
                let new_entry = || Entry { key: key.clone(), ..Entry::default() };
                let entry = entries.entry(key.clone()).or_insert_with(new_entry);
                let start = words.first().map_or(at, |(at, _)| *at) as u32;
                let line = statement(&std::mem::take(&mut words));
                entry
                    .places
                    .push((line.clone(), Span { start, end: at as u32, ..Span::default() }));
                entry.lines.push(line);
            }
            word => words.push((at, word)),
        }
    }
    match (blocks.len(), words.first()) {
        (0, None) => Ok(entries.into_values().collect()),
        (_, None) => Err("missing `}` at the end of the list".to_owned()),
        (_, Some((at, _))) => Err(format!("byte {at}: the statement that begins here lacks `;`")),
    }
}

/// Formats a statement as its name, with the count and an order-independent hash of its values, if it has any.
fn statement(words: &[(usize, &str)]) -> String {
    let equals_sign = words.iter().position(|(_, word)| *word == "=");
    let (name, values) = words.split_at(equals_sign.unwrap_or(words.len()));
    let mut values: Vec<&str> =
        values.iter().map(|(_, word)| *word).filter(|word| !matches!(*word, "=" | "|")).collect();
    values.sort_unstable();
    match values.len() {
        0 => format!("+ {}", concatenate(name)),
        count => {
            let hash = fingerprint(&values.join("\n"));
            format!("+ {}: {count}, {hash:08x}", concatenate(name))
        }
    }
}

fn concatenate(words: &[(usize, &str)]) -> String {
    words.iter().map(|(_, word)| *word).collect::<Vec<_>>().join(" ")
}

/// Splits a text into words, strings and punctuation marks, each after its byte offset; comments are skipped.
fn tokens(text: &str) -> Vec<(usize, &str)> {
    let (mut tokens, mut at) = (Vec::new(), 0);
    while let Some(first) = text[at..].chars().next() {
        let rest = &text[at..];
        let is_word_character = |one: char| one.is_alphanumeric() || matches!(one, '_' | '-' | '!');
        let length = match first {
            _ if rest.starts_with("//") => rest.find('\n').unwrap_or(rest.len()),
            '"' => rest[1..].find('"').map_or(rest.len(), |end| end + 2),
            _ if is_word_character(first) => {
                rest.find(|one| !is_word_character(one)).unwrap_or(rest.len())
            }
            _ => first.len_utf8(),
        };
        if !first.is_whitespace() && !rest.starts_with("//") {
            tokens.push((at, &rest[..length]));
        }
        at += length;
    }
    tokens
}
