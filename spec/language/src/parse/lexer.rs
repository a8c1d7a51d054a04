//! The lexer of tables, for texts that may not be valid tables. Messages, recovery and formatting are based on its
//! tokens; valid tables are parsed by `grammar.pest` alone.

use crate::syntax::{FileId, Span};

/// Kind of a token.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LexicalKind {
    /// A comment, up to the end of its line.
    Comment,
    /// A character or string literal.
    Literal,
    /// A digit, and the letters, digits, hyphens and underscores after it.
    Number,
    /// A letter or underscore, and the letters, digits, hyphens and underscores after it.
    Word,
    /// Punctuation, of one to three characters.
    Mark,
}

/// A token of a table's text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Token<'t> {
    /// Kind of the token.
    pub kind: LexicalKind,
    /// Text of the token.
    pub text: &'t str,
    /// Byte offset of the text.
    pub start: usize,
    /// Number of line breaks between the preceding token and this one.
    pub breaks: usize,
}

impl Token<'_> {
    /// Whether the token is a comment.
    pub fn is_comment(&self) -> bool {
        self.kind == LexicalKind::Comment
    }

    /// Returns the byte offset after the text.
    pub fn end(&self) -> usize {
        self.start + self.text.len()
    }

    /// Returns the span of the token in `file`.
    pub(super) fn span(&self, file: FileId) -> Span {
        Span { file, start: self.start as u32, end: self.end() as u32 }
    }

    /// Whether the token has this text.
    pub fn is(&self, text: &str) -> bool {
        self.text == text
    }

    /// Returns 1 for an opening bracket, -1 for a closing one, and 0 for any other token.
    pub fn nesting(&self) -> i32 {
        match self.text {
            "{" | "(" | "[" => 1,
            "}" | ")" | "]" => -1,
            _ => 0,
        }
    }
}

/// Marks of several characters, longest first.
const MARKS: &[&str] = &["..=", "=>", "->", "..", "==", "!=", "&&", "||", ":="];

/// The characters between tokens.
pub(super) const WHITE_SPACE: [char; 4] = [' ', '\t', '\r', '\n'];

/// Returns the tokens of the text except comments, up to an unterminated string.
pub fn code(text: &str) -> Vec<Token<'_>> {
    tokens(text).into_iter().filter(|token| !token.is_comment()).collect()
}

/// Returns the tokens of the text, up to an unterminated string. Comments are tokens too, so that only white space lies
/// between tokens.
pub fn tokens(text: &str) -> Vec<Token<'_>> {
    let (mut tokens, mut offset, mut breaks) = (Vec::new(), 0, 0);
    while let Some(first) = text[offset..].chars().next() {
        if WHITE_SPACE.contains(&first) {
            breaks += usize::from(first == '\n');
            offset += 1;
            continue;
        }
        let rest = &text[offset..];
        let is_word = |c: char| c.is_alphanumeric() || c == '-' || c == '_';
        let word_length = || Some(rest.find(|c| !is_word(c)).unwrap_or(rest.len()));
        let (kind, length) = match first {
            '/' if rest.starts_with("//") => {
                (LexicalKind::Comment, Some(rest.find('\n').unwrap_or(rest.len())))
            }
            '"' => (LexicalKind::Literal, string_length(rest)),
            '\'' => (LexicalKind::Literal, Some(character_length(rest))),
            '0'..='9' => (LexicalKind::Number, word_length()),
            _ if first.is_alphanumeric() || first == '_' => (LexicalKind::Word, word_length()),
            _ => {
                let mark = MARKS.iter().find(|mark| rest.starts_with(**mark));
                (LexicalKind::Mark, Some(mark.map_or(first.len_utf8(), |mark| mark.len())))
            }
        };
        let Some(length) = length else { break };
        tokens.push(Token { kind, text: rest[..length].trim_end(), start: offset, breaks });
        offset += length;
        breaks = 0;
    }
    tokens
}

/// Returns the index of the bracket that closes the one at index `open`; `None` if none does.
pub fn closing(tokens: &[Token<'_>], open: usize) -> Option<usize> {
    let mut depth = 0;
    let closes = |token: &Token<'_>| {
        depth += token.nesting();
        depth == 0
    };
    tokens[open..].iter().position(closes).map(|length| open + length)
}

/// Returns the length in bytes of the string literal at the start of `rest`; `None` if it is unterminated.
fn string_length(rest: &str) -> Option<usize> {
    let mut is_escaped = false;
    for (at, character) in rest.char_indices().skip(1) {
        match character {
            _ if is_escaped => is_escaped = false,
            '\\' => is_escaped = true,
            '"' => return Some(at + 1),
            _ => {}
        }
    }
    None
}

/// Returns the length in bytes of the character literal at the start of `rest`, including both quotes; 1 if the line
/// has no closing quote.
fn character_length(rest: &str) -> usize {
    let line = rest.find('\n').map_or(rest, |end| &rest[..end]);
    let mut is_escaped = false;
    for (at, character) in line.char_indices().skip(1) {
        match character {
            _ if is_escaped => is_escaped = false,
            '\\' => is_escaped = true,
            // In `'''`, the quoted character is an apostrophe, so the second quote does not end the literal.
            '\'' if at > 1 || !line[1..].starts_with("''") => return at + 1,
            _ => {}
        }
    }
    1
}
