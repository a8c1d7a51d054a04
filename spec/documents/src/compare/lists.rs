//! Reads lists that are not machine tables: `html.text`, `html.sanitizer`, `html.selectors`, `errors.text`. Each block
//! becomes an entry with a line for each statement, to compare with the accepted entries.

use super::accepted::Entry;
use crate::document::fingerprint;
use std::collections::BTreeMap;
use tabulex_language::parse::lexer::{Token, code, tokens};
use tabulex_language::syntax::Span;

/// Returns an entry for each block of a list, with a line for each of its statements.
///
/// # Errors
///
/// Returns a message if a brace, a semicolon or the end of a string is missing.
pub fn entries(text: &str) -> Result<Vec<Entry>, String> {
    let end = tokens(text).last().map_or(0, Token::end);
    if let Some(length) = text[end..].find('"') {
        return Err(format!("byte {}: the string that begins here does not end", end + length));
    }
    let mut entries: BTreeMap<String, Entry> = BTreeMap::new();
    let mut blocks: Vec<String> = Vec::new();
    let mut words: Vec<Token<'_>> = Vec::new();
    for token in code(text) {
        let at = token.start;
        match token.text {
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
                let start = words.first().map_or(at, |first| first.start) as u32;
                let line = statement(&std::mem::take(&mut words));
                entry
                    .places
                    .push((line.clone(), Span { start, end: at as u32, ..Span::default() }));
                entry.lines.push(line);
            }
            _ => words.push(token),
        }
    }
    match (blocks.len(), words.first()) {
        (0, None) => Ok(entries.into_values().collect()),
        (_, None) => Err("missing `}` at the end of the list".to_owned()),
        (_, Some(first)) => {
            Err(format!("byte {}: the statement that begins here lacks `;`", first.start))
        }
    }
}

/// Formats a statement as its name, with the count and an order-independent hash of its values, if it has any.
fn statement(words: &[Token<'_>]) -> String {
    let equals_sign = words.iter().position(|word| word.is("="));
    let (name, values) = words.split_at(equals_sign.unwrap_or(words.len()));
    let mut values: Vec<&str> =
        values.iter().map(|word| word.text).filter(|word| !matches!(*word, "=" | "|")).collect();
    values.sort_unstable();
    match values.len() {
        0 => format!("+ {}", concatenate(name)),
        count => {
            let hash = fingerprint(&values.join("\n"));
            format!("+ {}: {count}, {hash:08x}", concatenate(name))
        }
    }
}

fn concatenate(words: &[Token<'_>]) -> String {
    let texts: Vec<&str> = words.iter().map(|word| word.text).collect();
    // The keyword of a block may end with `!`, as in `lists!`.
    texts.join(" ").replace(" !", "!")
}
