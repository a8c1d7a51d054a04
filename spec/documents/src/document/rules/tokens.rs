//! Splits sentences into tokens: words, punctuation, quoted text, and code points with their names. Fails if a
//! character's name disagrees with its code point.

use crate::document::characters::is_named;
use std::fmt::Write as _;

/// A token of a sentence.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(in crate::document) enum Token {
    /// A word, or a punctuation mark.
    Word(String),
    /// Text between quotation marks or backquotes.
    Quoted(String),
    /// A byte or character given by number, with or without a name.
    Character(char),
    /// A slot of a rule, for a phrase of this category.
    Slot(String),
}

/// Splits a text into tokens. Returns `None` if a quotation is not closed, or a character's name disagrees with its
/// code point.
pub(in crate::document) fn tokens(text: &str) -> Option<Vec<Token>> {
    let mut rest = text.trim_start();
    let mut tokens = Vec::new();
    while let Some(first) = rest.chars().next() {
        if let Some(name) = bracketed_character(rest) {
            tokens.extend(["(", name, ")"].map(|word| Token::Word(word.to_owned())));
            rest = rest[name.len() + 2..].trim_start();
            continue;
        }
        // In some copies of documents, a quoted character lacks its opening quotation mark.
        let mut characters = rest.chars();
        if let (Some(one), Some('’')) = (characters.next(), characters.next()) {
            tokens.push(Token::Character(one));
            rest = characters.as_str().trim_start();
            continue;
        }
        let (token, length) = match first {
            '{' => {
                let end = rest.find('}')?;
                (Token::Slot(rest[1..end].to_owned()), end + 1)
            }
            '‘' | '“' if rest.contains(if first == '‘' { '’' } else { '”' }) => {
                let end = rest.find(if first == '‘' { '’' } else { '”' })?;
                let inner = &rest[first.len_utf8()..end];
                let mut characters = inner.chars();
                match (first, characters.next(), characters.next()) {
                    ('‘', Some(one), None) => (Token::Character(one), end + 3),
                    _ => (Token::Quoted(inner.to_owned()), end + 3),
                }
            }
            '"' => {
                let end = closing_quote(rest)?;
                (Token::Quoted(rest[1..end].to_owned()), end + 1)
            }
            '`' => {
                let end = 1 + rest[1..].find('`')?;
                (Token::Quoted(rest[1..end].to_owned()), end + 1)
            }
            '\'' if rest.starts_with("'s") => (Token::Word("'s".to_owned()), 2),
            '\'' => (Token::Word("'".to_owned()), 1),
            ',' | ':' | ';' | '(' | ')' => (Token::Word(first.to_string()), 1),
            '.' if rest.starts_with("..") => {
                let length = if rest.starts_with("...") { 3 } else { 2 };
                (Token::Word(rest[..length].to_owned()), length)
            }
            '.' if rest[1..].chars().next().is_none_or(char::is_whitespace) => {
                (Token::Word(".".to_owned()), 1)
            }
            _ => word(rest),
        };
        tokens.push(token);
        rest = rest[length..].trim_start();
    }
    name_characters(tokens)
}

/// Returns the character in parentheses at the start of the text, if there is exactly one. Such a character serves as a
/// name, even if it is punctuation.
fn bracketed_character(rest: &str) -> Option<&str> {
    let inner = rest.strip_prefix('(')?;
    let length = inner.chars().next()?.len_utf8();
    inner[length..].starts_with(')').then(|| &inner[..length])
}

fn word(rest: &str) -> (Token, usize) {
    let ends_word = |at: usize, next: char| {
        next.is_whitespace()
            || matches!(next, ',' | ':' | ';' | '(' | ')' | '"' | '{')
            || next == '\'' && rest[at..].starts_with("'s")
            || next == '.' && rest[at + 1..].chars().next().is_none_or(char::is_whitespace)
    };
    let end = rest.char_indices().find(|&(at, next)| at > 0 && ends_word(at, next));
    let end = end.map_or(rest.len(), |(at, _)| at);
    // Bikeshed writes variables between vertical lines.
    let word = match rest[..end].trim_matches('|') {
        "" => &rest[..end],
        word => word,
    };
    (Token::Word(word.to_owned()), end)
}

/// Returns the offset of the closing mark of a quotation that may contain quotation marks: the first mark before
/// punctuation, white space or the end of the text; `None` if there is none.
fn closing_quote(rest: &str) -> Option<usize> {
    rest.match_indices('"').map(|(at, _)| at).skip(1).find(|&at| {
        let next = rest[at + 1..].chars().next();
        next.is_none_or(|next| next.is_whitespace() || matches!(next, '.' | ',' | ';' | ')' | '\''))
    })
}

/// Replaces numbers, with the names after them, by characters. Returns `None` if a name disagrees with its number.
fn name_characters(tokens: Vec<Token>) -> Option<Vec<Token>> {
    let mut named_tokens: Vec<Token> = Vec::new();
    let mut at = 0;
    while let Some(token) = tokens.get(at) {
        at += 1;
        let Some(character) = number(token) else {
            named_tokens.push(token.clone());
            continue;
        };
        let word = |at: usize| match tokens.get(at) {
            Some(Token::Word(word)) => word.as_str(),
            _ => "",
        };
        if matches!(word(at), "byte" | "bytes") {
            at += 1;
        }
        let is_name = word(at) == "("
            && !matches!(
                word(at + 1),
                "" | "i.e" | "i.e." | "case-sensitive" | "case-insensitive" | "the"
            );
        if is_name {
            let end = (at + 2..tokens.len()).find(|&end| word(end) == ")")?;
            let name: Vec<&str> = (at + 1..end).map(word).collect();
            if !is_named(character, &name.join(" ")) {
                return None;
            }
            at = end + 1;
        } else {
            // Names may end with a single letter, as in "LATIN CAPITAL LETTER A".
            let is_name = |at: &usize| {
                let is_letter = *at > 0 && word(*at - 1) == "LETTER";
                (word(*at).len() > 1 || is_letter && !word(*at).is_empty())
                    && word(*at).chars().all(|one| one.is_ascii_uppercase() || one == '-')
            };
            let name: Vec<&str> = (at..tokens.len()).take_while(is_name).map(word).collect();
            if !name.is_empty() && !is_named(character, &name.join(" ")) {
                return None;
            }
            at += name.len();
            // The character itself may follow: "U+003C LESS-THAN SIGN (<)" or "U+003C LESS-THAN SIGN character (<)".
            let is_noun = matches!(word(at), "character" | "characters");
            let parenthesis = at + usize::from(is_noun);
            if word(parenthesis) == "("
                && word(parenthesis + 2) == ")"
                && is_named(character, word(parenthesis + 1))
            {
                at = parenthesis + 3;
            }
        }
        named_tokens.push(Token::Character(character));
    }
    Some(named_tokens)
}

/// Parses the number of a code point or byte; returns `None` for any other token.
fn number(token: &Token) -> Option<char> {
    let Token::Word(word) = token else { return None };
    let digits = ["0x", "U+", "#x"].iter().find_map(|prefix| word.strip_prefix(prefix))?;
    char::from_u32(u32::from_str_radix(digits, 16).ok()?)
}

/// Formats a character as a literal of the table language.
pub(in crate::document) fn character(one: char) -> String {
    format!("'{}'", escape(one, '\''))
}

/// Formats a range of characters as a pattern of the table language.
pub(in crate::document) fn range(&(first, last): &(char, char)) -> String {
    match first == last {
        true => character(first),
        false => format!("{}..={}", character(first), character(last)),
    }
}

/// Formats a text as a literal of the table language.
pub(in crate::document) fn text(text: &str) -> String {
    let inner: String = text.chars().map(|one| escape(one, '"')).collect();
    format!("\"{inner}\"")
}

fn escape(one: char, quote: char) -> String {
    let mut text = String::new();
    match one {
        '\0' => text += "\\0",
        '\t' => text += "\\t",
        '\n' => text += "\\n",
        '\r' => text += "\\r",
        '\\' => text += "\\\\",
        _ if one == quote => {
            text.push('\\');
            text.push(one);
        }
        ' '..='~' => text.push(one),
        '\x01'..='\x7F' => {
            let _ = write!(text, "\\x{:02X}", u32::from(one));
        }
        _ => {
            let _ = write!(text, "\\u{{{:X}}}", u32::from(one));
        }
    }
    text
}
