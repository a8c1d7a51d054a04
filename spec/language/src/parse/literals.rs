//! Parsing of strings, characters and numbers. An invalid literal is reported and replaced, so that parsing continues.

use super::grammar::Rule;
use super::{Node, SyntaxReader, children, span};
use crate::diagnostic::{BAD_LITERAL, Diagnostic};
use crate::syntax::{Span, Spanned, Word};

impl SyntaxReader {
    pub(super) fn string_word(&mut self, pair: Node<'_>) -> Word {
        Spanned { span: span(&pair), value: self.string(pair) }
    }

    pub(super) fn string(&mut self, pair: Node<'_>) -> String {
        let mut text = String::new();
        for part in children(pair) {
            match part.as_rule() {
                Rule::escape => text.push(self.escape(&part)),
                _ => text.push_str(part.as_str()),
            }
        }
        text
    }

    pub(super) fn character(&mut self, pair: Node<'_>) -> char {
        let part = children(pair).next().expect("a character literal has one part");
        match part.as_rule() {
            Rule::escape => self.escape(&part),
            _ => part.as_str().chars().next().unwrap_or_default(),
        }
    }

    pub(super) fn escape(&mut self, pair: &Node<'_>) -> char {
        let text = &pair.as_str()[1..];
        let digits = match text.as_bytes()[0] {
            b'0' => return '\0',
            b't' => return '\t',
            b'n' => return '\n',
            b'r' => return '\r',
            b'x' => &text[1..],
            b'u' => text[1..].trim_matches(['{', '}']),
            _ => return text.chars().next().unwrap_or_default(),
        };
        u32::from_str_radix(digits, 16).ok().and_then(char::from_u32).unwrap_or_else(|| {
            let help = "the number of a character is at most 10FFFF, and not in D800 to DFFF";
            self.bad_literal(span(pair), format!("`{}` is not a character", pair.as_str()), help);
            char::REPLACEMENT_CHARACTER
        })
    }

    pub(super) fn number(&mut self, pair: &Node<'_>) -> u32 {
        let text = pair.as_str();
        let number = text
            .strip_prefix("0x")
            .map_or_else(|| text.parse(), |digits| u32::from_str_radix(digits, 16));
        number.unwrap_or_else(|_| {
            let help = "the largest number is 0xFFFFFFFF";
            let message = format!("the number `{text}` does not fit into 32 bits");
            self.bad_literal(span(pair), message, help);
            0
        })
    }

    pub(super) fn bad_literal(&mut self, span: Span, message: String, help: &str) {
        self.diagnostics.push(Diagnostic::new(BAD_LITERAL, span, message).help(help));
    }
}
