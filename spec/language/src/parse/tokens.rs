//! A lexer for texts that may not be valid tables. Error messages and recovery are based on its tokens; valid tables
//! are parsed by `grammar.pest` alone.

use crate::diagnostic::{BAD_LITERAL, Diagnostic, SYNTAX};
use crate::syntax::{FileId, Span};
use std::borrow::Cow;

/// Kind of a token.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum TokenClass {
    /// Letters, digits, hyphens and underscores.
    Word,
    /// A character or string literal.
    Literal,
    /// `{`, `(` or `[`.
    Open,
    /// `}`, `)` or `]`.
    Close,
    /// Any other punctuation, of one to three characters.
    Sign,
}

/// A token of the text.
#[derive(Clone, Copy, Debug)]
pub(super) struct Token<'t> {
    /// Kind of the token.
    pub(super) kind: TokenClass,
    /// Byte offset at which the token starts.
    pub(super) start: usize,
    /// Text of the token.
    pub(super) text: &'t str,
}

impl Token<'_> {
    /// Returns the byte offset at which the token ends.
    pub(super) fn end(&self) -> usize {
        self.start + self.text.len()
    }

    /// Whether the token is this word or sign.
    pub(super) fn is(&self, text: &str) -> bool {
        self.text == text
    }
}

/// Signs of several characters, longest first.
const SIGNS: &[&str] = &["..=", "=>", "->", "..", "==", "!=", "&&", "||", ":="];

/// Returns the tokens of the text, up to an unterminated literal.
pub(super) fn tokens(text: &str) -> Vec<Token<'_>> {
    let mut tokens = Vec::new();
    let mut offset = 0;
    while let Some(start) = next_start(text, offset) {
        let rest = &text[start..];
        let first = rest.chars().next().unwrap_or_default();
        let is_word = |c: char| c.is_alphanumeric() || c == '-' || c == '_';
        let (kind, length) = match first {
            '"' => (TokenClass::Literal, string_length(rest)),
            '\'' => (TokenClass::Literal, Some(character_length(rest))),
            '{' | '(' | '[' => (TokenClass::Open, Some(1)),
            '}' | ')' | ']' => (TokenClass::Close, Some(1)),
            _ if first.is_alphanumeric() || first == '_' => {
                (TokenClass::Word, Some(rest.find(|c: char| !is_word(c)).unwrap_or(rest.len())))
            }
            _ => {
                let sign = SIGNS.iter().find(|sign| rest.starts_with(**sign));
                (TokenClass::Sign, Some(sign.map_or(first.len_utf8(), |sign| sign.len())))
            }
        };
        let Some(length) = length else { break };
        offset = start + length;
        tokens.push(Token { kind, start, text: &text[start..offset] });
    }
    tokens
}

/// Returns the byte offset after white space and comments, or `None` at the end.
fn next_start(text: &str, mut offset: usize) -> Option<usize> {
    loop {
        let rest = text.get(offset..)?;
        offset += rest.len() - rest.trim_start_matches([' ', '\t', '\r', '\n']).len();
        let rest = &text[offset..];
        if !rest.starts_with("//") {
            return (!rest.is_empty()).then_some(offset);
        }
        offset += rest.find('\n')?;
    }
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

/// Returns the length in bytes of the character literal at the start of `rest`: up to the next quote in the line, or
/// else one character.
fn character_length(rest: &str) -> usize {
    let line = rest.find('\n').map_or(rest, |end| &rest[..end]);
    let mut is_escaped = false;
    for (at, character) in line.char_indices().skip(1) {
        match character {
            _ if is_escaped => is_escaped = false,
            '\\' => is_escaped = true,
            // `'''` is a quoted apostrophe.
            '\'' if at > 1 || !line[1..].starts_with("''") => return at + 1,
            _ => {}
        }
    }
    1
}

/// Maximum nesting depth of brackets within a machine, which bounds the recursion of the parser and of later passes.
const MAX_NESTING: usize = 64;

/// Returns an error if the text is not a sequence of tokens with balanced brackets of limited depth, or is an empty
/// file. Nothing is parsed after such an error.
pub(super) fn structural_error(file: FileId, text: &str, is_file: bool) -> Option<Diagnostic> {
    let tokens = tokens(text);
    let span = |start: usize, end: usize| Span { file, start: start as u32, end: end as u32 };
    let end = tokens.last().map_or(0, Token::end);
    if is_file && tokens.is_empty() && next_start(text, end).is_none() {
        return Some(empty_file(file));
    }
    if let Some(last) = next_start(text, end) {
        // Quotes pair up in order, so the first string that spans lines is the unterminated one. No other token
        // contains a line end.
        let is_long = |token: &&Token<'_>| token.text.contains('\n');
        let open = tokens.iter().find(is_long).map_or(last, |token| token.start);
        let diagnostic = Diagnostic::new(SYNTAX, span(open, open + 1), "unterminated string");
        return Some(diagnostic.help("end it with `\"`; a quote within it is written `\\\"`"));
    }
    let mut open: Vec<&Token<'_>> = Vec::new();
    for token in &tokens {
        let closes = |before: &&Token<'_>| is_pair(before.text, token.text);
        match token.kind {
            TokenClass::Open if open.len() == MAX_NESTING + usize::from(is_file) => {
                let message = format!("more than {MAX_NESTING} nested blocks");
                let diagnostic = Diagnostic::new(SYNTAX, span(token.start, token.end()), message);
                return Some(diagnostic.help("move the inner ones to a declaration of their own"));
            }
            TokenClass::Open => open.push(token),
            TokenClass::Close if open.last().is_some_and(closes) => drop(open.pop()),
            TokenClass::Close => {
                let diagnostic = missing_open_brace(&tokens, span)
                    .unwrap_or_else(|| unmatched_close(&open, token, span));
                return Some(diagnostic);
            }
            TokenClass::Word | TokenClass::Literal | TokenClass::Sign => {}
        }
    }
    let Some(last) = open.last() else {
        return tokens
            .first()
            .filter(|_| is_file)
            .and_then(|first| missing_macro_call(first, &tokens, span));
    };
    let message = format!("this `{}` is not closed", last.text);
    let mut diagnostic = Diagnostic::new(SYNTAX, span(last.start, last.end()), message);
    if let Some(unclosed_block) = unclosed_block(&tokens) {
        let (outer, inner) = unclosed_block;
        diagnostic.span = span(outer.start, outer.end());
        diagnostic =
            diagnostic.and(span(inner.start, inner.end()), "the next block begins within it");
    }
    Some(diagnostic.help("close it where the block ends"))
}

fn is_pair(open: &str, close: &str) -> bool {
    matches!((open, close), ("{", "}") | ("(", ")") | ("[", "]"))
}

/// Detects a block of rows without an opening brace: its rows begin before any brace.
fn missing_open_brace(
    tokens: &[Token<'_>],
    span: impl Fn(usize, usize) -> Span,
) -> Option<Diagnostic> {
    let is_head = |at: usize| {
        let is_first = at > 0 && ["{", "}", ";"].contains(&tokens[at - 1].text);
        is_first && ["state", "mode", "lexical-mode"].contains(&tokens[at].text)
    };
    let lacks_brace = |at: &usize| {
        let mut after = tokens[at + 1..].iter().filter(|token| token.is("{") || token.is("=>"));
        let is_named = tokens.get(at + 1).is_some_and(|name| name.kind == TokenClass::Word);
        is_named && after.next().is_some_and(|first| first.is("=>"))
    };
    let index = (0..tokens.len()).filter(|&index| is_head(index)).find(lacks_brace)?;
    let (head, name) = (&tokens[index], &tokens[index + 1]);
    let message = format!("the block `{} {}` is not opened", head.text, name.text);
    let diagnostic = Diagnostic::new(SYNTAX, span(head.start, name.end()), message);
    Some(diagnostic.help("write `{` before its first row"))
}

fn unmatched_close(
    open: &[&Token<'_>],
    token: &Token<'_>,
    span: impl Fn(usize, usize) -> Span,
) -> Diagnostic {
    let place = span(token.start, token.end());
    let help = "remove it, or open the block where it begins";
    match open.last() {
        None => Diagnostic::new(SYNTAX, place, format!("this `{}` closes nothing", token.text)),
        Some(other) => {
            let message = format!("this `{}` does not close `{}`", token.text, other.text);
            let opened = span(other.start, other.end());
            Diagnostic::new(SYNTAX, place, message).and(opened, "the unclosed bracket")
        }
    }
    .help(help)
}

/// Detects a block of rows without a closing brace, which therefore contains the head of another one. Returns the
/// opening brace and the first word of the other block.
fn unclosed_block<'a, 't>(tokens: &'a [Token<'t>]) -> Option<(&'a Token<'t>, &'a Token<'t>)> {
    let has_rows = |word: &Token<'_>| ["state", "mode", "lexical-mode"].contains(&word.text);
    let mut open: Vec<(&Token<'_>, bool)> = Vec::new();
    // First word after a brace or semicolon, which names the block.
    let mut head = None;
    for (index, token) in tokens.iter().enumerate() {
        let before = index.checked_sub(1).map(|before| tokens[before]);
        if before.is_none_or(|before| ["{", "}", ";"].contains(&before.text)) {
            head = Some(token);
        }
        match token.kind {
            TokenClass::Open => {
                let is_block = token.is("{") && head.is_some_and(has_rows);
                if let (true, Some((outer, true)), Some(head)) = (is_block, open.last(), head) {
                    return Some((outer, head));
                }
                open.push((token, is_block));
            }
            TokenClass::Close => drop(open.pop()),
            TokenClass::Word | TokenClass::Literal | TokenClass::Sign => {}
        }
    }
    None
}

/// Reports invalid literals, each with the span to remove before parsing continues.
pub(super) fn bad_literals(file: FileId, text: &str) -> Vec<(Span, Diagnostic)> {
    let literals = tokens(text).into_iter().filter(|token| token.kind == TokenClass::Literal);
    let invalid = literals.filter_map(|token| {
        let (message, help) = bad_literal(token.text)?;
        let span = Span { file, start: token.start as u32, end: token.end() as u32 };
        Some((span, Diagnostic::new(BAD_LITERAL, span, message).help(help)))
    });
    invalid.collect()
}

/// Replaces a byte order mark at the start by blanks, which keeps all offsets.
pub(super) fn blank_byte_order_mark(text: &str) -> Cow<'_, str> {
    match text.strip_prefix('\u{FEFF}') {
        Some(rest) => Cow::Owned(format!("   {rest}")),
        None => Cow::Borrowed(text),
    }
}

/// Returns the diagnostic for a file without tokens.
fn empty_file(file: FileId) -> Diagnostic {
    let message = "there is no table: the file is empty or contains only comments";
    let help = "a table is one call of a macro: `machine! { name NAME; start STATE; … }`";
    Diagnostic::new(SYNTAX, Span { file, ..Span::default() }, message).help(help)
}

/// Returns the diagnostic for a file without a macro call.
fn missing_macro_call(
    first: &Token<'_>,
    tokens: &[Token<'_>],
    span: impl Fn(usize, usize) -> Span,
) -> Option<Diagnostic> {
    let is_call = |three: &[Token<'_>]| three.iter().map(|it| it.text).eq(["machine", "!", "{"]);
    if tokens.windows(3).any(is_call) {
        return None;
    }
    let message = match first.text {
        "machine" => "`machine` must be called with `!`".to_owned(),
        other => format!("there is no table: the file begins with `{other}`, and calls no macro"),
    };
    let help = "a table is one call: `machine! {`, its declarations, and `}`";
    Some(Diagnostic::new(SYNTAX, span(first.start, first.end()), message).help(help))
}

/// Returns a message and a help text for an invalid literal, or `None` if it is valid.
fn bad_literal(text: &str) -> Option<(String, String)> {
    if text == "'" {
        let help = "end it with `'`; the quote itself is written `'\\''`";
        return Some(("unterminated character literal".to_owned(), help.to_owned()));
    }
    if text == "'''" {
        let help = "the quote itself is written `'\\''`";
        return Some((
            "this quote ends the literal instead of being its character".to_owned(),
            help.to_owned(),
        ));
    }
    let inner = &text[1..text.len() - 1];
    let (mut rest, mut count) = (inner, 0);
    while let Some(first) = rest.chars().next() {
        let length = if first == '\\' { escape_length(rest) } else { Some(first.len_utf8()) };
        let Some(length) = length else {
            let end = rest.find('}').map_or(2, |end| end + 1).min(rest.len());
            let shown = rest.get(..end).unwrap_or(rest);
            let help = "escapes are `\\0`, `\\t`, `\\n`, `\\r`, `\\\\`, `\\'`, `\\\"`, `\\x0C` and `\\u{FFFD}`";
            return Some((format!("`{shown}` is not an escape"), help.to_owned()));
        };
        rest = &rest[length..];
        count += 1;
    }
    match (text.starts_with('\''), count) {
        (false, _) | (true, 1) => None,
        (true, 0) => {
            let help = "write the character between the quotes";
            Some(("there is no character between the quotes".to_owned(), help.to_owned()))
        }
        (true, _) => {
            let message = format!("`{text}` contains more than one character");
            Some((message, format!("a string has double quotes: `\"{inner}\"`")))
        }
    }
}

/// Returns the length in bytes of the escape at the start of `rest`; `None` if it is invalid.
fn escape_length(rest: &str) -> Option<usize> {
    let is_hex = |digits: &str| digits.bytes().all(|digit| digit.is_ascii_hexdigit());
    match rest.as_bytes().get(1)? {
        b'0' | b't' | b'n' | b'r' | b'\\' | b'\'' | b'"' => Some(2),
        b'x' => rest.get(2..4).filter(|digits| is_hex(digits)).map(|_| 4),
        b'u' => {
            let digits = rest.get(2..)?.strip_prefix('{')?.split_once('}')?.0;
            (matches!(digits.len(), 1..=6) && is_hex(digits)).then_some(digits.len() + 4)
        }
        _ => None,
    }
}
