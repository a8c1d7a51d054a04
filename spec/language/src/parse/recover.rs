//! Recovery from syntax errors: the row or declaration that contains the error is skipped. Only the words with which
//! blocks and declarations begin are known here, not the rest of the grammar.

use super::lexer::{LexicalKind, Token, closing, code};
use crate::vocabulary::DECLARATIONS;
use std::ops::Range;

/// Words that begin blocks of rows, or of parts that are skipped like rows: the clauses of `encodings` and the steps of
/// an algorithm. All other blocks contain declarations, or the steps of one row or declaration.
pub(super) const ROW_BLOCKS: &[&str] =
    &["state", "lexical-mode", "mode", "in", "reset", "fragment", "encodings", "algorithm"];

/// Replaces the row or declaration at byte `offset` with blanks, and adds its words to `skipped_words`.
pub(super) fn blank_out(text: &mut String, offset: usize, skipped_words: &mut Vec<String>) {
    let tokens = code(text);
    let index = tokens.iter().position(|token| token.end() > offset).unwrap_or(tokens.len());
    let skipped = &tokens[enclosing_item(&tokens, index)];
    let (Some(first), Some(last)) = (skipped.first(), skipped.last()) else { return };
    let (start, end) = (first.start, last.end());
    skipped_words.extend(skipped.iter().map(|token| token.text.to_owned()));
    text.replace_range(start..end, &" ".repeat(end - start));
}

/// Returns the token range to skip for an error at token `error`.
pub(super) fn enclosing_item(tokens: &[Token<'_>], error: usize) -> Range<usize> {
    let (inside, has_rows) = block(tokens, error);
    let segments = segments(tokens, inside.clone(), has_rows);
    // An error at the end of a block belongs to the last part of the block.
    let contains_error = |segment: &Range<usize>| segment.end > error;
    let index = segments.iter().position(contains_error).or(segments.len().checked_sub(1));
    let Some(index) = index else { return error..error };
    if !has_rows {
        return segments[index].clone();
    }
    let begins = |segment: &Range<usize>| begins_row(tokens, segment);
    let first = segments[..=index].iter().rposition(begins).unwrap_or(index);
    let next = segments[index + 1..].iter().position(begins);
    let last = next.map_or(segments.len(), |next| index + 1 + next);
    segments[first].start..segments[last - 1].end
}

/// Whether the segment begins a row: it contains an arrow outside of inner blocks, or begins with a literal (no step
/// does), or is a change of a row.
fn begins_row(tokens: &[Token<'_>], segment: &Range<usize>) -> bool {
    let mut depth = 0;
    let first = tokens[segment.start];
    let is_change = ["add", "replace", "remove"].contains(&first.text);
    is_change
        || first.kind == LexicalKind::Literal
        || tokens[segment.clone()].iter().any(|token| {
            depth += token.nesting();
            depth == 0 && (token.is("=>") || token.is("->"))
        })
}

/// Returns the token range of the innermost block of rows or declarations that contains the token `error`, and whether
/// the block contains rows. Outside of all such blocks, the range contains all tokens.
fn block(tokens: &[Token<'_>], error: usize) -> (Range<usize>, bool) {
    let mut open: Vec<usize> = Vec::new();
    for (index, token) in tokens.iter().enumerate().take(error) {
        match token.nesting() {
            1 => open.push(index),
            -1 => drop(open.pop()),
            _ => {}
        }
    }
    while let Some(brace) = open.pop() {
        let head = head(tokens, brace);
        let first = tokens[head.clone()].first().map_or("", |token| token.text);
        let is_inner = head.is_empty()
            || ["when", "otherwise", "else", "if"].contains(&first)
            || tokens[head].iter().any(|token| ["=>", "->", "="].contains(&token.text));
        if tokens[brace].is("{") && !is_inner {
            return (
                brace + 1..closing(tokens, brace).unwrap_or(tokens.len()),
                ROW_BLOCKS.contains(&first),
            );
        }
    }
    (0..tokens.len(), false)
}

/// Returns the range of the tokens before a brace that introduce its block: those after the preceding brace or
/// semicolon.
pub(super) fn head(tokens: &[Token<'_>], brace: usize) -> Range<usize> {
    let ends = |token: &Token<'_>| ["{", "}", ";"].contains(&token.text);
    let before = tokens[..brace].iter().rposition(ends);
    before.map_or(0, |before| before + 1)..brace
}

/// Splits a block into parts that end with a semicolon or a block of their own. In a definition, the tokens after such
/// a block belong to the part, up to the next declaration.
fn segments(tokens: &[Token<'_>], inside: Range<usize>, has_rows: bool) -> Vec<Range<usize>> {
    let (mut segments, mut start, mut depth) = (Vec::new(), inside.start, 0);
    let mut is_definition = false;
    for index in inside.clone() {
        let token = &tokens[index];
        depth += token.nesting();
        is_definition |= !has_rows && depth == 0 && token.is("=");
        let is_continued = || {
            let next = tokens[..inside.end].get(index + 1);
            is_definition && next.is_some_and(|next| !DECLARATIONS.contains(&next.text))
        };
        if depth == 0 && (token.is(";") || token.is("}") && !is_continued()) {
            segments.push(start..index + 1);
            (start, is_definition) = (index + 1, false);
        }
    }
    if start < inside.end {
        segments.push(start..inside.end);
    }
    segments
}
