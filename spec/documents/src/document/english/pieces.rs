//! Parses the meanings of sentences that each state one fact about a procedure, from which `reference` builds the
//! procedure's states.

use super::condition;
use crate::document::rules::literal;
use crate::document::statement::AlgorithmPart;

/// Parses a piece of an algorithm from its keyword and arguments.
pub(super) fn piece(words: &str) -> Option<AlgorithmPart> {
    let (word, rest) = words.split_once(' ').unwrap_or((words, ""));
    let name = rest.to_owned();
    let character = || char::from_u32(number(rest)?);
    Some(match word {
        "defines" => AlgorithmPart::Defines(name),
        "identity" => AlgorithmPart::Identity,
        "digits" => AlgorithmPart::Digits(characters(rest)?),
        "base" => AlgorithmPart::Base(rest.parse().ok()?),
        "collect" => AlgorithmPart::Collect,
        "no-digits" => AlgorithmPart::NoDigits,
        "semicolon" => AlgorithmPart::Semicolon,
        "semicolon-missing" => AlgorithmPart::SemicolonMissing(name),
        "interpret" => AlgorithmPart::Interpret,
        "table-error" => AlgorithmPart::TableError,
        "table-replaces" => AlgorithmPart::TableReplaces,
        "out-of-range" => match rest.split_once(" => ") {
            Some((numbers, one)) => {
                AlgorithmPart::OutOfRange(ranges(numbers)?, char::from_u32(number(one)?))
            }
            None => AlgorithmPart::OutOfRange(ranges(rest)?, None),
        },
        "return-character" => AlgorithmPart::ReturnCharacter(character()?),
        "return-code" => AlgorithmPart::ReturnCode,
        "also-error" => AlgorithmPart::AlsoError(ranges(rest)?),
        "longest-name" => AlgorithmPart::LongestName,
        "no-name" => AlgorithmPart::NoName(rest == "error"),
        "ambiguous" => AlgorithmPart::Ambiguous,
        "not-in-attribute" => AlgorithmPart::NotInAttribute(characters(rest)?),
        "equals-sign" => AlgorithmPart::EqualsSign(character()?),
        "without-semicolon" => AlgorithmPart::WithoutSemicolon(name),
        "return-name" => AlgorithmPart::ReturnName,
        "number" => {
            let (code, numbers) = rest.split_once(' ')?;
            AlgorithmPart::NumberIs(ranges(numbers)?, code.to_owned())
        }
        "context" => {
            let (context, state) = rest.split_once(' ')?;
            AlgorithmPart::Context(context.to_owned(), state.to_owned())
        }
        "expect" => {
            let (rest, _) = rest.rsplit_once(' ')?;
            let (text, success) = rest.rsplit_once(' ')?;
            AlgorithmPart::Expect(literal(text)?, success.to_owned())
        }
        "expected" => AlgorithmPart::Expected,
        "unless-end-tag" => {
            AlgorithmPart::UnlessEndTag(rest.split(" or ").map(str::to_owned).collect())
        }
        "buffered" => AlgorithmPart::Buffered,
        "branch-if" => AlgorithmPart::BranchIf(condition(rest)?),
        "branch" => AlgorithmPart::Branch,
        _ => return None,
    })
}

/// Parses ranges of numbers, such as `0x0..0x8 0xB 0x110000..`; an open range has no upper end.
fn ranges(words: &str) -> Option<Vec<(u32, Option<u32>)>> {
    let range = |word: &str| match word.split_once("..") {
        Some((first, "")) => Some((number(first)?, None)),
        Some((first, last)) => Some((number(first)?, Some(number(last)?))),
        None => Some((number(word)?, Some(number(word)?))),
    };
    words.split(' ').map(range).collect()
}

/// Parses ranges of code points, such as `0x30..0x39`, as characters.
pub(super) fn characters(words: &str) -> Option<Vec<(char, char)>> {
    let to_characters =
        |(first, last): (u32, Option<u32>)| Some((char::from_u32(first)?, char::from_u32(last?)?));
    ranges(words)?.into_iter().map(to_characters).collect()
}

/// Parses a decimal or hexadecimal number, such as `10` or `0x10`.
pub(super) fn number(text: &str) -> Option<u32> {
    match text.strip_prefix("0x") {
        Some(digits) => u32::from_str_radix(digits, 16).ok(),
        None => text.parse().ok(),
    }
}
