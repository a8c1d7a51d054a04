//! Splits a table's text into tokens without parsing it. Comments are tokens too, so that only white space lies between
//! tokens.

use std::ops::Range;

/// Kind of a token.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TokenKind {
    /// A comment, up to the end of its line.
    Comment,
    /// A character in single quotes, or a string in double quotes.
    Literal,
    /// A number, decimal or hexadecimal.
    Number,
    /// A name or a keyword.
    Word,
    /// Punctuation.
    Mark,
}

/// A token of a table's text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Token<'t> {
    /// Kind of the token.
    pub kind: TokenKind,
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
        self.kind == TokenKind::Comment
    }

    /// Returns the byte offset after the text.
    pub fn end(&self) -> usize {
        self.start + self.text.len()
    }

    /// Whether the token is the word or mark `text`.
    pub fn is(&self, text: &str) -> bool {
        self.text == text && matches!(self.kind, TokenKind::Mark | TokenKind::Word)
    }
}

/// Splits a text into tokens.
pub fn tokens(text: &str) -> Vec<Token<'_>> {
    let mut tokens = Vec::new();
    let mut offset = 0;
    let mut breaks = 0;
    while let Some(first) = text[offset..].chars().next() {
        if first.is_whitespace() {
            breaks += usize::from(first == '\n');
            offset += first.len_utf8();
            continue;
        }
        let rest = &text[offset..];
        let (kind, length) = token(rest, first);
        tokens.push(Token { kind, text: rest[..length].trim_end(), start: offset, breaks });
        breaks = 0;
        offset += length;
    }
    tokens
}

/// Returns the kind and the byte length of the token at the start of the text.
fn token(text: &str, first: char) -> (TokenKind, usize) {
    let prefix_len = |is: fn(char) -> bool| text.find(|c| !is(c)).unwrap_or(text.len());
    if text.starts_with("//") {
        return (TokenKind::Comment, text.find('\n').unwrap_or(text.len()));
    }
    if (first == '"' || first == '\'')
        && let Some(length) = literal(text, first)
    {
        return (TokenKind::Literal, length);
    }
    if first.is_ascii_alphabetic() || first == '_' {
        return (
            TokenKind::Word,
            prefix_len(|c| c.is_ascii_alphanumeric() || c == '-' || c == '_'),
        );
    }
    if first.is_ascii_digit() {
        return (TokenKind::Number, prefix_len(|c| c.is_ascii_alphanumeric()));
    }
    let long_marks = ["..=", "..", "=>"];
    let mark = long_marks.into_iter().find(|mark| text.starts_with(mark));
    (TokenKind::Mark, mark.map_or(first.len_utf8(), str::len))
}

/// Returns the byte length of the literal at the start of the text, including quotes, if it is terminated.
fn literal(text: &str, quote: char) -> Option<usize> {
    let mut is_escaped = false;
    for (at, character) in text.char_indices().skip(1) {
        match character {
            '\n' if quote == '\'' => return None,
            _ if is_escaped => is_escaped = false,
            '\\' => is_escaped = true,
            // In `'''`, the second quote is the character itself.
            _ if character == quote && (quote == '"' || at > 1) => return Some(at + 1),
            _ => {}
        }
        // The longest character literal, `'\u{10FFFF}'`, has 12 bytes; any other single quote begins a lifetime.
        if quote == '\'' && at > 12 {
            return None;
        }
    }
    None
}

/// Returns the byte range of the first `machine! { … }` in a text.
pub(crate) fn find_machine(text: &str) -> Option<Range<usize>> {
    let tokens = tokens(text);
    let is_call = |index: &usize| {
        let token_after = |by: usize| tokens.get(index + by);
        tokens[*index].is("machine")
            && token_after(1).is_some_and(|it| it.is("!"))
            && token_after(2).is_some_and(|it| it.is("{"))
    };
    let first = (0..tokens.len()).find(is_call)?;
    let last = closing(&tokens, first + 2)?;
    Some(tokens[first].start..tokens[last].start + 1)
}

/// Returns the index of the brace that closes the one at `open`.
pub(crate) fn closing(tokens: &[Token<'_>], open: usize) -> Option<usize> {
    let mut depth = 0_usize;
    for (index, token) in tokens.iter().enumerate().skip(open) {
        if token.is("{") {
            depth += 1;
        } else if token.is("}") {
            depth -= 1;
            if depth == 0 {
                return Some(index);
            }
        }
    }
    None
}
