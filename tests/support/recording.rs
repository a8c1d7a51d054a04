//! The results of a tokenizer's run in a form that runtime and interpreter share: owned tokens with ranges, and errors.
//! Adjacent texts are joined and errors are sorted by range.

use serde_json::Value;
use tabulex_oracle::formats::html5lib;
use tabulex_oracle::interpreter::{Span, Token};

/// The tokens and errors of a run.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Recording {
    /// The tokens, in the interpreter's types.
    pub tokens: Vec<Token>,
    /// The codes and ranges of the errors.
    pub errors: Vec<(&'static str, Span)>,
}

impl Recording {
    /// Adds a token; adjacent texts are joined.
    pub fn token(&mut self, token: Token) {
        match (self.tokens.last_mut(), &token) {
            (
                Some(Token::Text { text: before, span: whole }),
                Token::Text { text: after, span },
            ) => {
                before.push_str(after);
                whole.end = span.end;
            }
            _ => self.tokens.push(token),
        }
    }

    /// Adds an error.
    pub fn error(&mut self, code: &'static str, span: Span) {
        self.errors.push((code, span));
    }

    /// Sorts the errors, as runs may report two errors at one offset in either order.
    #[must_use]
    pub fn finished(mut self) -> Self {
        self.errors.sort_by_key(|(_, span)| *span);
        self
    }

    /// Adopts the end offset of another run, for a run that does not know its own.
    #[must_use]
    pub fn ended_as(mut self, other: &Self) -> Self {
        if let (Some(Token::EndOfFile { span }), Some(Token::EndOfFile { span: other })) =
            (self.tokens.last_mut(), other.tokens.last())
        {
            *span = *other;
        }
        self
    }

    /// Returns the tokens in the JSON format of the html5lib tests, which has no empty texts and no end of file.
    pub fn to_json(&self) -> Value {
        let is_empty = |token: &Token| matches!(token, Token::Text { text, .. } if text.is_empty());
        let tokens: Vec<Token> =
            self.tokens.iter().filter(|token| !is_empty(token)).cloned().collect();
        html5lib::tokens(&tokens)
    }
}

/// Returns the recording as lines, one per token and error, for reading and comparing.
pub fn lines(recording: &Recording) -> Vec<String> {
    let tokens = recording.tokens.iter().map(Token::to_string);
    let errors = recording.errors.iter().map(|(code, span)| format!("error {span} {code}"));
    tokens.chain(errors).collect()
}

/// Compares two recordings by line, without equal lines at the start and end: up to 12 lines of the first follow `-`,
/// and up to 12 of the second follow `+`.
pub fn difference(first: &Recording, second: &Recording) -> String {
    let (first, second) = (lines(first), lines(second));
    let prefix_len = first.iter().zip(&second).take_while(|(a, b)| a == b).count();
    let max_suffix_len = first.len().min(second.len()) - prefix_len;
    let suffix_len = first
        .iter()
        .rev()
        .zip(second.iter().rev())
        .take(max_suffix_len)
        .take_while(|(a, b)| a == b)
        .count();
    let mut text = format!("      (equal lines: {prefix_len} before, {suffix_len} after)\n");
    for (sign, lines) in [('-', &first), ('+', &second)] {
        for line in lines[prefix_len..lines.len() - suffix_len].iter().take(12) {
            text += &format!("    {sign} {line}\n");
        }
    }
    text
}
