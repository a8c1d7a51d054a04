//! Limits on the nesting depth and length of a selector. Parsing and matching recurse into it, and within the limits
//! they need at most half a megabyte of stack.

use cssparser::{Delimiter, ParseError, Parser, Token};

/// Maximum nesting depth of brackets.
const MAX_DEPTH: u8 = 32;
/// Maximum length in bytes of one selector of a list.
const MAX_LENGTH: usize = 2048;

/// Returns the error message for the limit that a text exceeds, if any.
pub(crate) fn find_exceeded(text: &str) -> Option<&'static str> {
    let mut input = Parser::new(text);
    input.set_nested_block_limit(MAX_DEPTH);
    loop {
        let start = input.position();
        if input.parse_until_before(Delimiter::Comma, read_all).is_err() {
            return Some("brackets nested deeper than 32 levels");
        }
        if input.slice_from(start).len() > MAX_LENGTH {
            return Some("selector longer than 2048 bytes");
        }
        // The parser stopped before a comma or at the end of the text.
        if input.next().is_err() {
            return None;
        }
    }
}

/// Reads all tokens; fails if blocks are nested deeper than the parser permits.
fn read_all(input: &mut Parser<'_>) -> Result<(), ParseError<()>> {
    while let Ok(token) = input.next() {
        let opens_block = matches!(
            token,
            Token::Function(_)
                | Token::ParenthesisBlock
                | Token::SquareBracketBlock
                | Token::CurlyBracketBlock
        );
        if opens_block {
            input.parse_nested_block(read_all)?;
        }
    }
    Ok(())
}
