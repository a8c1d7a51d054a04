//! A reader and writer of JSON for configurations, so that users build no library for a list of names.

use crate::config::ConfigError;
use std::fmt::{self, Write as _};

/// Maximum nesting of values: twice that of a configuration, whose unknown members may hold anything.
const MAX_DEPTH: usize = 16;

/// A value of JSON.
#[derive(Clone, Debug)]
pub(crate) enum Json {
    Null,
    Bool(bool),
    /// A string, or a number as it is written: the standard converts numbers to strings where it expects names.
    Text(String),
    List(Vec<Json>),
    /// The members of an object in their order.
    Map(Vec<(String, Json)>),
}

/// Reads a text that is one value.
pub(crate) fn parse(text: &str) -> Result<Json, ConfigError> {
    let mut reader = JsonReader { text, at: 0 };
    let value = reader.value(0);
    let value = value.filter(|_| reader.peek().is_none());
    value.ok_or_else(|| {
        let line = text[..reader.at].matches('\n').count() + 1;
        ConfigError::new(format!("not JSON, or nested too deeply, in line {line}"))
    })
}

struct JsonReader<'t> {
    text: &'t str,
    /// Byte offset of the rest.
    at: usize,
}

impl JsonReader<'_> {
    /// The next character after white space.
    fn peek(&mut self) -> Option<char> {
        let rest = &self.text[self.at..];
        let trimmed = rest.trim_start_matches([' ', '\t', '\n', '\r']);
        self.at += rest.len() - trimmed.len();
        trimmed.chars().next()
    }

    /// Consumes a text that comes next, after white space.
    fn take(&mut self, text: &str) -> Option<()> {
        self.peek()?;
        self.take_exactly(text)
    }

    fn take_exactly(&mut self, text: &str) -> Option<()> {
        self.text[self.at..].starts_with(text).then(|| self.at += text.len())
    }

    fn value(&mut self, depth: usize) -> Option<Json> {
        if depth > MAX_DEPTH {
            return None;
        }
        match self.peek()? {
            '"' => self.string().map(Json::Text),
            '[' => {
                let mut items = Vec::new();
                self.items('[', ']', |reader| {
                    reader.value(depth + 1).map(|value| items.push(value))
                })?;
                Some(Json::List(items))
            }
            '{' => {
                let mut members = Vec::new();
                self.items('{', '}', |reader| {
                    let member = reader.string()?;
                    reader.take(":")?;
                    reader.value(depth + 1).map(|value| members.push((member, value)))
                })?;
                Some(Json::Map(members))
            }
            't' => self.take("true").map(|()| Json::Bool(true)),
            'f' => self.take("false").map(|()| Json::Bool(false)),
            'n' => self.take("null").map(|()| Json::Null),
            _ => {
                let rest = &self.text[self.at..];
                let number = rest.split(|it: char| !"+-.0123456789eE".contains(it)).next()?;
                self.at += number.len();
                number.parse::<f64>().is_ok().then(|| Json::Text(number.to_owned()))
            }
        }
    }

    /// Reads what stands between two brackets, separated by commas.
    fn items(
        &mut self,
        open: char,
        close: char,
        mut item: impl FnMut(&mut Self) -> Option<()>,
    ) -> Option<()> {
        self.take(open.encode_utf8(&mut [0; 4]))?;
        let mut is_first = true;
        while self.peek()? != close {
            if !is_first {
                self.take(",")?;
            }
            is_first = false;
            item(self)?;
        }
        self.take(close.encode_utf8(&mut [0; 4]))
    }

    fn string(&mut self) -> Option<String> {
        self.take("\"")?;
        let mut text = String::new();
        loop {
            let rest = &self.text[self.at..];
            let character = rest.chars().next()?;
            self.at += character.len_utf8();
            match character {
                '"' => return Some(text),
                '\\' => {
                    let escape = rest[1..].chars().next()?;
                    self.at += escape.len_utf8();
                    text.push(match escape {
                        'b' => '\u{8}',
                        'f' => '\u{c}',
                        'n' => '\n',
                        'r' => '\r',
                        't' => '\t',
                        'u' => self.code_point()?,
                        '"' | '\\' | '/' => escape,
                        _ => return None,
                    });
                }
                '\0'..='\x1f' => return None,
                _ => text.push(character),
            }
        }
    }

    /// The character of `\u`, whose four digits come next, or of two of them that are a pair.
    fn code_point(&mut self) -> Option<char> {
        let first = self.code_unit()?;
        let second = match first {
            0xd800..0xdc00 => Some(self.take_exactly("\\u").and_then(|()| self.code_unit())?),
            _ => None,
        };
        char::decode_utf16(std::iter::once(first).chain(second)).next()?.ok()
    }

    fn code_unit(&mut self) -> Option<u16> {
        let digits = self.text.get(self.at..self.at + 4)?;
        self.at += 4;
        let are_digits = digits.bytes().all(|it| it.is_ascii_hexdigit());
        are_digits.then(|| u16::from_str_radix(digits, 16).ok())?
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
