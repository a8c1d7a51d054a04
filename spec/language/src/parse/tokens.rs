//! Errors that show in the tokens of a text, before it is parsed.

use super::grammar::{Grammar, Rule};
use super::lexer::{LexicalKind, Token, WHITE_SPACE, code, tokens};
use crate::diagnostic::{BAD_LITERAL, Diagnostic, SYNTAX};
use crate::syntax::{FileId, Span};
use pest::Parser as _;
use std::borrow::Cow;

/// Maximum nesting depth of brackets within a machine, which bounds the recursion of the parser and of later passes.
const MAX_NESTING: usize = 64;

/// Returns an error if the text has an unterminated string, unbalanced brackets or too deeply nested ones, or if it is
/// a file that is empty or contains no macro call. Nothing is parsed after such an error.
pub(super) fn structural_error(file: FileId, text: &str, is_file: bool) -> Option<Diagnostic> {
    let end = tokens(text).last().map_or(0, Token::end);
    let (tokens, rest) = (code(text), text[end..].trim_start_matches(WHITE_SPACE));
    if is_file && tokens.is_empty() && rest.is_empty() {
        return Some(empty_file(file));
    }
    if !rest.is_empty() {
        // Quotes pair up in order, so the first string that spans lines is the unterminated one. No other token
        // contains a line end.
        let is_long = |token: &&Token<'_>| token.text.contains('\n');
        let last = text.len() - rest.len();
        let open = tokens.iter().find(is_long).map_or(last, |token| token.start);
        return Some(unterminated_string(file, open));
    }
    let mut open: Vec<&Token<'_>> = Vec::new();
    for token in &tokens {
        let closes = |before: &&Token<'_>| is_pair(before.text, token.text);
        match token.nesting() {
            1 if open.len() == MAX_NESTING + usize::from(is_file) => {
                let message = format!("more than {MAX_NESTING} nested blocks");
                let help = "move the inner blocks to a declaration of their own";
                return Some(Diagnostic::new(SYNTAX, token.span(file), message).help(help));
            }
            1 => open.push(token),
            -1 if open.last().is_some_and(closes) => drop(open.pop()),
            -1 => {
                let diagnostic = missing_open_brace(&tokens, file);
                return Some(diagnostic.unwrap_or_else(|| unmatched_close(&open, token, file)));
            }
            _ => {}
        }
    }
    let Some(last) = open.last() else {
        let first = tokens.first().filter(|_| is_file);
        return first.and_then(|first| missing_macro_call(first, &tokens, file));
    };
    let message = format!("this `{}` is not closed", last.text);
    let mut diagnostic = Diagnostic::new(SYNTAX, last.span(file), message);
    if let Some((outer, inner)) = unclosed_block(&tokens) {
        diagnostic.span = outer.span(file);
        diagnostic = diagnostic.and(inner.span(file), "the next block begins within it");
    }
    Some(diagnostic.help("close it where the block ends"))
}

/// Returns the diagnostic for a string without its closing quote, whose opening one is at this offset.
fn unterminated_string(file: FileId, quote: usize) -> Diagnostic {
    let quote = Span { file, start: quote as u32, end: quote as u32 + 1 };
    let help = "end it with `\"`; a quote within it is written `\\\"`";
    Diagnostic::new(SYNTAX, quote, "unterminated string").help(help)
}

fn is_pair(open: &str, close: &str) -> bool {
    matches!((open, close), ("{", "}") | ("(", ")") | ("[", "]"))
}

/// Returns the diagnostic for a block of rows without an opening brace, whose rows thus begin before any brace; `None`
/// if there is no such block.
fn missing_open_brace(tokens: &[Token<'_>], file: FileId) -> Option<Diagnostic> {
    let is_head = |at: usize| {
        let is_first = at > 0 && ["{", "}", ";"].contains(&tokens[at - 1].text);
        is_first && ["state", "mode", "lexical-mode"].contains(&tokens[at].text)
    };
    let lacks_brace = |at: &usize| {
        let mut after = tokens[at + 1..].iter().filter(|token| token.is("{") || token.is("=>"));
        let is_named = tokens.get(at + 1).is_some_and(|name| name.kind == LexicalKind::Word);
        is_named && after.next().is_some_and(|first| first.is("=>"))
    };
    let index = (0..tokens.len()).filter(|&index| is_head(index)).find(lacks_brace)?;
    let (head, name) = (&tokens[index], &tokens[index + 1]);
    // A string without its closing quote takes in the brace.
    let mut before_steps = tokens[index..].iter().take_while(|token| !token.is("=>"));
    if let Some(string) = before_steps.find(|token| token.text.contains('\n')) {
        return Some(unterminated_string(file, string.start));
    }
    let message = format!("the block `{} {}` is not opened", head.text, name.text);
    let span = Span { end: name.end() as u32, ..head.span(file) };
    Some(Diagnostic::new(SYNTAX, span, message).help("write `{` before its first row"))
}

fn unmatched_close(open: &[&Token<'_>], token: &Token<'_>, file: FileId) -> Diagnostic {
    let place = token.span(file);
    let help = "remove it, or open the block where it begins";
    match open.last() {
        None => Diagnostic::new(SYNTAX, place, format!("this `{}` closes nothing", token.text)),
        Some(other) => {
            let message = format!("this `{}` does not close `{}`", token.text, other.text);
            Diagnostic::new(SYNTAX, place, message).and(other.span(file), "the unclosed bracket")
        }
    }
    .help(help)
}

/// Detects a block of rows that lacks its closing brace and therefore contains the head of another block. Returns the
/// opening brace of the former and the first word of the latter.
fn unclosed_block<'a, 't>(tokens: &'a [Token<'t>]) -> Option<(&'a Token<'t>, &'a Token<'t>)> {
    let has_rows = |word: &Token<'_>| ["state", "mode", "lexical-mode"].contains(&word.text);
    let mut open: Vec<(&Token<'_>, bool)> = Vec::new();
    // `head` is the first word after a brace or semicolon: the keyword of the block that may follow.
    let mut head = None;
    for (index, token) in tokens.iter().enumerate() {
        let before = index.checked_sub(1).map(|before| tokens[before]);
        if before.is_none_or(|before| ["{", "}", ";"].contains(&before.text)) {
            head = Some(token);
        }
        match token.nesting() {
            1 => {
                let is_block = token.is("{") && head.is_some_and(has_rows);
                if let (true, Some((outer, true)), Some(head)) = (is_block, open.last(), head) {
                    return Some((outer, head));
                }
                open.push((token, is_block));
            }
            -1 => drop(open.pop()),
            _ => {}
        }
    }
    None
}

/// Reports invalid literals, each with the span to remove before parsing continues.
pub(super) fn bad_literals(file: FileId, text: &str) -> Vec<(Span, Diagnostic)> {
    let literals = tokens(text).into_iter().filter(|token| token.kind == LexicalKind::Literal);
    let invalid = literals.filter_map(|token| {
        let (message, help) = bad_literal(token.text)?;
        let span = token.span(file);
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

/// Returns the diagnostic for a file without a macro call; `None` if the file has one.
fn missing_macro_call(first: &Token<'_>, tokens: &[Token<'_>], file: FileId) -> Option<Diagnostic> {
    let is_call = |three: &[Token<'_>]| three.iter().map(|it| it.text).eq(["machine", "!", "{"]);
    if tokens.windows(3).any(is_call) {
        return None;
    }
    let message = match first.text {
        "machine" => "`machine` must be called with `!`".to_owned(),
        other => format!("there is no table: the file begins with `{other}`, and calls no macro"),
    };
    let help = "a table is one call: `machine! {`, its declarations, and `}`";
    Some(Diagnostic::new(SYNTAX, first.span(file), message).help(help))
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
    Grammar::parse(Rule::escape, rest).ok().map(|escape| escape.as_str().len())
}
