//! Pieces of algorithms: sentences that each contribute one fact about a procedure described in steps, from which
//! `reference` builds the states.

use super::condition;
use crate::document::rules::literal;
use crate::document::statement::Piece;

/// Parses a piece of an algorithm: a word, and what it is about.
pub(super) fn piece(words: &str) -> Option<Piece> {
    let (word, rest) = words.split_once(' ').unwrap_or((words, ""));
    let name = rest.to_owned();
    let character = || char::from_u32(number(rest)?);
    Some(match word {
        "defines" => Piece::Defines(name),
        "identity" => Piece::Identity,
        "digits" => Piece::Digits(characters(rest)?),
        "base" => Piece::Base(rest.parse().ok()?),
        "collect" => Piece::Collect,
        "no-digits" => Piece::NoDigits,
        "semicolon" => Piece::Semicolon,
        "semicolon-missing" => Piece::SemicolonMissing(name),
        "interpret" => Piece::Interpret,
        "table-error" => Piece::TableError,
        "table-replaces" => Piece::TableReplaces,
        "out-of-range" => match rest.split_once(" => ") {
            Some((numbers, one)) => {
                Piece::OutOfRange(ranges(numbers)?, char::from_u32(number(one)?))
            }
            None => Piece::OutOfRange(ranges(rest)?, None),
        },
        "return-character" => Piece::ReturnCharacter(character()?),
        "return-code" => Piece::ReturnCode,
        "also-error" => Piece::AlsoError(ranges(rest)?),
        "longest-name" => Piece::LongestName,
        "no-name" => Piece::NoName(rest == "error"),
        "ambiguous" => Piece::Ambiguous,
        "not-in-attribute" => Piece::NotInAttribute(characters(rest)?),
        "equals-sign" => Piece::EqualsSign(character()?),
        "without-semicolon" => Piece::WithoutSemicolon(name),
        "return-name" => Piece::ReturnName,
        "number" => {
            let (code, numbers) = rest.split_once(' ')?;
            Piece::NumberIs(ranges(numbers)?, code.to_owned())
        }
        "context" => {
            let (context, state) = rest.split_once(' ')?;
            Piece::Context(context.to_owned(), state.to_owned())
        }
        "expect" => {
            let (rest, failure) = rest.rsplit_once(' ')?;
            let (text, success) = rest.rsplit_once(' ')?;
            Piece::Expect(literal(text)?, success.to_owned(), failure.to_owned())
        }
        "expected" => Piece::Expected,
        "unless-end-tag" => Piece::UnlessEndTag(rest.split(" or ").map(str::to_owned).collect()),
        "buffered" => Piece::Buffered,
        "branch-if" => Piece::BranchIf(condition(rest)?),
        "branch" => Piece::Branch,
        _ => return None,
    })
}

/// Parses ranges of numbers, such as `0x0..0x8 0xB 0x110000..`; an open range has no upper end.
fn ranges(words: &str) -> Option<Vec<(u32, Option<u32>)>> {
    let one = |word: &str| match word.split_once("..") {
        Some((first, "")) => Some((number(first)?, None)),
        Some((first, last)) => Some((number(first)?, Some(number(last)?))),
        None => Some((number(word)?, Some(number(word)?))),
    };
    words.split(' ').map(one).collect()
}

/// Parses ranges of characters by number.
pub(super) fn characters(words: &str) -> Option<Vec<(char, char)>> {
    let both =
        |(first, last): (u32, Option<u32>)| Some((char::from_u32(first)?, char::from_u32(last?)?));
    ranges(words)?.into_iter().map(both).collect()
}

/// Parses a decimal or hexadecimal number, such as `10` or `0x10`.
pub(super) fn number(text: &str) -> Option<u32> {
    match text.strip_prefix("0x") {
        Some(digits) => u32::from_str_radix(digits, 16).ok(),
        None => text.parse().ok(),
    }
}
