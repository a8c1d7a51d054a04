//! A small JSON reader and writer for configurations, which spares users a dependency.

use crate::config::ConfigError;
use std::fmt::{self, Write as _};

/// Maximum nesting depth. Configurations nest 5 deep, but members that they ignore may nest deeper.
const MAX_DEPTH: usize = 16;

/// A JSON value.
#[derive(Clone, Debug)]
pub(crate) enum Json {
    Null,
    Bool(bool),
    /// A string, or a number as written, because the standard converts numbers to strings where names are expected.
    Text(String),
    List(Vec<Json>),
    /// An object's members in source order.
    Map(Vec<(String, Json)>),
}

/// Parses a text that consists of one JSON value.
pub(crate) fn parse(text: &str) -> Result<Json, ConfigError> {
    let mut reader = JsonReader { text, offset: 0 };
    let value = reader.parse_value(0);
    let value = value.filter(|_| reader.peek().is_none());
    value.ok_or_else(|| {
        let line = text[..reader.offset].matches('\n').count() + 1;
        ConfigError::new(format!(
            "the JSON on line {line} is invalid or nested more than {MAX_DEPTH} levels deep"
        ))
    })
}

struct JsonReader<'t> {
    text: &'t str,
    /// Byte offset of the unread text.
    offset: usize,
}

impl JsonReader<'_> {
    /// Skips white space and returns the next character without consuming it; `None` at the end of the text.
    fn peek(&mut self) -> Option<char> {
        let unread = &self.text[self.offset..];
        let trimmed = unread.trim_start_matches([' ', '\t', '\n', '\r']);
        self.offset += unread.len() - trimmed.len();
        trimmed.chars().next()
    }

    /// Skips white space and consumes `text`, or returns `None` if it does not come next.
    fn skip_then_consume(&mut self, text: &str) -> Option<()> {
        self.peek()?;
        self.consume(text)
    }

    fn consume(&mut self, text: &str) -> Option<()> {
        self.text[self.offset..].starts_with(text).then(|| self.offset += text.len())
    }

    fn parse_value(&mut self, depth: usize) -> Option<Json> {
        if depth > MAX_DEPTH {
            return None;
        }
        match self.peek()? {
            '"' => self.parse_string().map(Json::Text),
            '[' => {
                let mut items = Vec::new();
                self.parse_comma_separated("[", "]", |reader| {
                    reader.parse_value(depth + 1).map(|value| items.push(value))
                })?;
                Some(Json::List(items))
            }
            '{' => {
                let mut members = Vec::new();
                self.parse_comma_separated("{", "}", |reader| {
                    let member = reader.parse_string()?;
                    reader.skip_then_consume(":")?;
                    reader.parse_value(depth + 1).map(|value| members.push((member, value)))
                })?;
                Some(Json::Map(members))
            }
            't' => self.skip_then_consume("true").map(|()| Json::Bool(true)),
            'f' => self.skip_then_consume("false").map(|()| Json::Bool(false)),
            'n' => self.skip_then_consume("null").map(|()| Json::Null),
            _ => {
                let unread = &self.text[self.offset..];
                let number =
                    unread.split(|other: char| !"+-.0123456789eE".contains(other)).next()?;
                self.offset += number.len();
                number.parse::<f64>().is_ok().then(|| Json::Text(number.to_owned()))
            }
        }
    }

    /// Parses comma-separated items between two brackets, or returns `None` if they are malformed.
    fn parse_comma_separated(
        &mut self,
        open: &str,
        close: &str,
        mut parse_item: impl FnMut(&mut Self) -> Option<()>,
    ) -> Option<()> {
        self.skip_then_consume(open)?;
        let mut is_first = true;
        while self.skip_then_consume(close).is_none() {
            self.peek()?;
            if !is_first {
                self.skip_then_consume(",")?;
            }
            is_first = false;
            parse_item(self)?;
        }
        Some(())
    }

    fn parse_string(&mut self) -> Option<String> {
        self.skip_then_consume("\"")?;
        let mut text = String::new();
        loop {
            let unread = &self.text[self.offset..];
            let character = unread.chars().next()?;
            self.offset += character.len_utf8();
            match character {
                '"' => return Some(text),
                '\\' => {
                    let escape = unread[1..].chars().next()?;
                    self.offset += escape.len_utf8();
                    text.push(match escape {
                        'b' => '\u{8}',
                        'f' => '\u{c}',
                        'n' => '\n',
                        'r' => '\r',
                        't' => '\t',
                        'u' => self.parse_code_point()?,
                        '"' | '\\' | '/' => escape,
                        _ => return None,
                    });
                }
                '\0'..='\x1f' => return None,
                _ => text.push(character),
            }
        }
    }

    /// Parses the digits after `\u`, and a second escape if they are a high surrogate.
    fn parse_code_point(&mut self) -> Option<char> {
        let first_unit = self.parse_code_unit()?;
        let second_unit = match first_unit {
            0xd800..0xdc00 => Some(self.consume("\\u").and_then(|()| self.parse_code_unit())?),
            _ => None,
        };
        char::decode_utf16(std::iter::once(first_unit).chain(second_unit)).next()?.ok()
    }

    fn parse_code_unit(&mut self) -> Option<u16> {
        let digits = self.text.get(self.offset..self.offset + 4)?;
        self.offset += 4;
        let is_hex = digits.bytes().all(|digit| digit.is_ascii_hexdigit());
        is_hex.then(|| u16::from_str_radix(digits, 16).ok())?
    }
}

impl fmt::Display for Json {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Null => formatter.write_str("null"),
            Self::Bool(value) => write!(formatter, "{value}"),
            Self::Text(text) => write_string(text, formatter),
            Self::List(items) => {
                formatter.write_char('[')?;
                for (index, item) in items.iter().enumerate() {
                    write!(formatter, "{}{item}", if index == 0 { "" } else { "," })?;
                }
                formatter.write_char(']')
            }
            Self::Map(members) => {
                formatter.write_char('{')?;
                for (index, (member, value)) in members.iter().enumerate() {
                    formatter.write_str(if index == 0 { "" } else { "," })?;
                    write_string(member, formatter)?;
                    write!(formatter, ":{value}")?;
                }
                formatter.write_char('}')
            }
        }
    }
}

fn write_string(text: &str, out: &mut fmt::Formatter<'_>) -> fmt::Result {
    out.write_char('"')?;
    for character in text.chars() {
        match character {
            '"' | '\\' => write!(out, "\\{character}")?,
            '\0'..='\x1f' => write!(out, "\\u{:04x}", u32::from(character))?,
            _ => out.write_char(character)?,
        }
    }
    out.write_char('"')
}
