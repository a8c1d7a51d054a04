//! Where reading goes on after a mistake: the row or declaration that holds it is left out. It knows no more of the grammar
//! than the words with which blocks and declarations begin. Invariant: what is left out begins and ends between tokens, and
//! holds the place of the mistake.

use super::tokens::{Kind, Token, tokens};
use std::ops::Range;

/// How the blocks begin that hold rows; all others hold declarations, or steps of one row or declaration.
pub(super) const ROWS: &[&str] =
    &["state", "lexical-mode", "mode", "in", "reset", "fragment", "encodings", "algorithm"];

/// Words with which a declaration begins.
pub(super) const DECLARATIONS: &[&str] = &[
    "action",
    "adjust",
    "algorithm",
    "byte-order-mark",
    "class",
    "condition",
    "counter",
    "doctypes",
    "document",
    "elements",
    "emitting",
    "encodings",
    "entry",
    "errors",
    "extends",
    "flag",
    "foster",
    "fragment",
    "input",
    "integration-points",
    "lexeme",
    "lexical-mode",
    "limit",
    "mode",
    "modes",
    "name",
    "names",
    "newlines",
    "nulls",
    "pointers",
    "procedure",
    "pushed-states",
    "references",
    "reset",
    "scope",
    "selected-content",
    "start",
    "state",
    "steps",
    "tell",
    "template",
    "text-nodes",
    "token",
    "tokenizer",
    "tree",
    "unacknowledged",
];

/// Makes blanks of the row or declaration that holds the place, and keeps its words.
pub(super) fn leave_out(text: &mut String, at: usize, lost: &mut Vec<String>) {
    let tokens = tokens(text);
    let index = tokens.iter().position(|token| token.end() > at).unwrap_or(tokens.len());
    let left_out = &tokens[unit(&tokens, index)];
    let (Some(first), Some(last)) = (left_out.first(), left_out.last()) else { return };
    let (start, end) = (first.start, last.end());
    lost.extend(left_out.iter().map(|token| token.text.to_owned()));
    text.replace_range(start..end, &" ".repeat(end - start));
}

/// What is left out, as indices of tokens, for a mistake at the token of this index.
pub(super) fn unit(tokens: &[Token<'_>], at: usize) -> Range<usize> {
    let (inside, has_rows) = block(tokens, at);
    let segments = segments(tokens, inside.clone(), has_rows);
    // A mistake at the end of a block is one of what stands last in it.
    let holds = |segment: &Range<usize>| segment.end > at;
    let index = segments.iter().position(holds).or(segments.len().checked_sub(1));
    let Some(index) = index else { return at..at };
    if !has_rows {
        return segments[index].clone();
    }
    let begins = |segment: &Range<usize>| begins_row(tokens, segment);
    let first = segments[..=index].iter().rposition(begins).unwrap_or(index);
    let next = segments[index + 1..].iter().position(begins);
    let last = next.map_or(segments.len(), |next| index + 1 + next);
    segments[first].start..segments[last - 1].end
}

/// Whether a row begins here: an arrow is in it, outside of inner blocks, or it begins with a literal as no step does, or it
/// says what becomes of a row.
fn begins_row(tokens: &[Token<'_>], segment: &Range<usize>) -> bool {
    let mut depth = 0;
    let first = tokens[segment.start];
    let is_change = ["add", "replace", "remove"].contains(&first.text);
    is_change
        || first.kind == Kind::Literal
        || tokens[segment.clone()].iter().any(|token| {
            match token.kind {
                Kind::Open => depth += 1,
                Kind::Close => depth -= 1,
                Kind::Word | Kind::Literal | Kind::Sign => {}
            }
            depth == 0 && (token.is("=>") || token.is("->"))
        })
}

/// The innermost block around the token that holds rows or declarations, and whether it holds rows.
fn block(tokens: &[Token<'_>], at: usize) -> (Range<usize>, bool) {
    let mut open: Vec<usize> = Vec::new();
    for (index, token) in tokens.iter().enumerate().take(at) {
        match token.kind {
            Kind::Open => open.push(index),
            Kind::Close => drop(open.pop()),
            Kind::Word | Kind::Literal | Kind::Sign => {}
        }
    }
    while let Some(brace) = open.pop() {
        let head = head(tokens, brace);
        let first = tokens[head.clone()].first().map_or("", |token| token.text);
        let is_part = head.is_empty()
            || ["when", "otherwise", "else", "if"].contains(&first)
            || tokens[head].iter().any(|token| ["=>", "->", "="].contains(&token.text));
        if tokens[brace].is("{") && !is_part {
            return (brace + 1..closing(tokens, brace), ROWS.contains(&first));
        }
    }
    (0..tokens.len(), false)
}

/// What stands before the brace and belongs to it.
fn head(tokens: &[Token<'_>], brace: usize) -> Range<usize> {
    let ends = |token: &Token<'_>| ["{", "}", ";"].contains(&token.text);
    let before = tokens[..brace].iter().rposition(ends);
    before.map_or(0, |before| before + 1)..brace
}

/// The index of what closes the brace, or the number of tokens.
fn closing(tokens: &[Token<'_>], brace: usize) -> usize {
    let mut depth = 0;
    let closes = |token: &Token<'_>| {
        match token.kind {
            Kind::Open => depth += 1,
            Kind::Close => depth -= 1,
            Kind::Word | Kind::Literal | Kind::Sign => {}
        }
        depth == 0
    };
    tokens[brace..].iter().position(closes).map_or(tokens.len(), |length| brace + length)
}

/// The parts of a block: each ends with a semicolon, or with a block of its own. In a definition, what follows such a block
/// belongs to it, up to the next declaration.
fn segments(tokens: &[Token<'_>], inside: Range<usize>, has_rows: bool) -> Vec<Range<usize>> {
    let (mut segments, mut start, mut depth) = (Vec::new(), inside.start, 0);
    let mut is_definition = false;
    for index in inside.clone() {
        let token = &tokens[index];
        match token.kind {
            Kind::Open => depth += 1,
            Kind::Close => depth -= 1,
            Kind::Word | Kind::Literal | Kind::Sign => {}
        }
        is_definition |= !has_rows && depth == 0 && token.is("=");
        let goes_on = || {
            let next = tokens[..inside.end].get(index + 1);
            is_definition && next.is_some_and(|next| !DECLARATIONS.contains(&next.text))
        };
        if depth == 0 && (token.is(";") || token.is("}") && !goes_on()) {
            segments.push(start..index + 1);
            (start, is_definition) = (index + 1, false);
        }
    }
    if start < inside.end {
        segments.push(start..inside.end);
    }
    segments
}
