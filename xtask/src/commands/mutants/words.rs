//! Splits a table into words: names, literals and symbols with their offsets, without comments and white space.

use tabulex_workshop::literal;

/// Kind of a word.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::commands) enum WordKind {
    Name,
    Character,
    String,
    Number,
    Sign,
}

/// A word with its byte range.
#[derive(Clone, Debug)]
pub(in crate::commands) struct Word<'a> {
    pub(in crate::commands) kind: WordKind,
    pub(in crate::commands) text: &'a str,
    pub(in crate::commands) start: usize,
    pub(in crate::commands) end: usize,
}

impl Word<'_> {
    /// Returns another literal of the same kind.
    pub(in crate::commands) fn other_literal(&self) -> String {
        match self.kind {
            WordKind::Character => match self.inner() {
                Some(only) if only.is_ascii_alphabetic() => format!("'{}'", next(only)),
                _ if self.text == "'~'" => "'#'".to_owned(),
                _ => "'~'".to_owned(),
            },
            WordKind::String => match self.text.len() {
                2 => "\"q\"".to_owned(),
                length => format!("{}q\"", &self.text[..length - 1]),
            },
            WordKind::Number => {
                let hexadecimal = self.text.strip_prefix("0x");
                let value = match hexadecimal {
                    Some(digits) => u32::from_str_radix(digits, 16),
                    None => self.text.parse(),
                };
                format!("0x{:X}", value.unwrap_or_default().wrapping_add(1))
            }
            WordKind::Name | WordKind::Sign => self.text.to_owned(),
        }
    }

    /// Returns the character of a literal without an escape.
    fn inner(&self) -> Option<char> {
        let mut characters = self.text.chars().skip(1);
        let only = characters.next()?;
        (characters.next() == Some('\'') && only != '\\').then_some(only)
    }
}

/// Returns a neighboring letter.
fn next(letter: char) -> char {
    match letter {
        'z' => 'y',
        'Z' => 'Y',
        other => char::from(other as u8 + 1),
    }
}

/// Splits a text into words.
pub(in crate::commands) fn words(text: &str) -> Vec<Word<'_>> {
    let mut words = Vec::new();
    let mut offset = 0;
    while let Some(first) = text[offset..].chars().next() {
        let rest = &text[offset..];
        let length = match first {
            _ if rest.starts_with("//") => rest.find('\n').unwrap_or(rest.len()),
            '"' | '\'' => literal::length(rest, first),
            '=' if rest.starts_with("=>") => 2,
            '.' if rest.starts_with("..=") => 3,
            '.' if rest.starts_with("..") => 2,
            _ if first.is_ascii_alphanumeric() => rest
                .find(|other: char| !other.is_ascii_alphanumeric() && other != '-')
                .unwrap_or(rest.len()),
            _ => first.len_utf8(),
        };
        let kind = match first {
            '"' => WordKind::String,
            '\'' => WordKind::Character,
            _ if first.is_ascii_alphabetic() => WordKind::Name,
            _ if first.is_ascii_digit() => WordKind::Number,
            _ => WordKind::Sign,
        };
        if !first.is_whitespace() && !rest.starts_with("//") {
            words.push(Word { kind, text: &rest[..length], start: offset, end: offset + length });
        }
        offset += length;
    }
    words
}
