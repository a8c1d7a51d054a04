//! Pieces of algorithms: sentences that each contribute one fact about a procedure described in steps, from which
//! `reference` builds the states.

use super::{Rule, acts, number, one_character, state};
use crate::document::statement::{Piece, Statement};
use pest::iterators::Pair;

/// Parses a sentence as a piece of an algorithm.
pub(super) fn piece(pair: &Pair<'_, Rule>) -> Option<Statement> {
    let mut inner = pair.clone().into_inner();
    let piece = match pair.as_rule() {
        Rule::identity => Piece::Identity,
        Rule::defines => {
            Piece::Defines(tabulex_language::model::kebab_case(inner.next()?.as_str()))
        }
        Rule::not_a_reference | Rule::is_parsed => return Some(Statement::Remark),
        Rule::digits_of => Piece::Digits(digits(pair)?),
        Rule::base_of => {
            let hexadecimal = inner.any(|part| part.as_rule() == Rule::hexadecimal);
            Piece::Base(if hexadecimal { 16 } else { 10 })
        }
        Rule::collect_digits => Piece::Collect,
        Rule::no_digits => Piece::NoDigits,
        Rule::semicolon_too => Piece::Semicolon,
        Rule::semicolon_missing => Piece::SemicolonMissing(acts::UNNAMED.to_owned()),
        Rule::interpret => Piece::Interpret,
        Rule::table_error => Piece::TableError,
        Rule::table_row_found | Rule::table_code => Piece::TableReplaces,
        Rule::out_of_range => {
            let numbers = ranges(&inner.next()?)?;
            let instead = inner
                .next()
                .and_then(|part| part.into_inner().find_map(|part| one_character(&part)));
            Piece::OutOfRange(numbers, instead)
        }
        Rule::return_character => {
            Piece::ReturnCharacter(inner.find_map(|part| one_character(&part))?)
        }
        Rule::return_code => Piece::ReturnCode,
        Rule::also_an_error => Piece::AlsoError(ranges(&inner.next()?)?),
        Rule::longest_name | Rule::longest_buffered => Piece::LongestName,
        Rule::no_name => Piece::NoName(inner.any(|part| part.as_rule() == Rule::no_name_error)),
        Rule::ambiguous => Piece::Ambiguous,
        Rule::not_in_attribute => Piece::NotInAttribute(after_name(inner)?),
        Rule::equals_sign => Piece::EqualsSign(one_character(&inner.next()?)?),
        Rule::name_without_semicolon => Piece::WithoutSemicolon(acts::error_code(pair)),
        Rule::return_name => Piece::ReturnName,
        Rule::number_is => {
            let numbers = kind_of_number(&inner.next()?)?;
            Piece::NumberIs(numbers, acts::error_code(&inner.next()?))
        }
        Rule::buffered_otherwise => Piece::Branch,
        Rule::expect_rule => {
            let context = inner.next()?.as_str().to_lowercase();
            Piece::Context(context, state(&inner.next()?)?)
        }
        Rule::expect_switch => {
            let texts: Vec<String> = inner.map(|part| part.as_str().trim().to_owned()).collect();
            let [expected, success, failure] = <[String; 3]>::try_from(texts).ok()?;
            Piece::Expect(
                expected,
                tabulex_language::model::kebab_case(&success),
                tabulex_language::model::kebab_case(&failure),
            )
        }
        Rule::expect_next | Rule::expect_end => Piece::Expected,
        Rule::buffered => Piece::Buffered,
        _ => return None,
    };
    Some(Statement::Piece(piece))
}

fn digits(pair: &Pair<'_, Rule>) -> Option<Vec<(char, char)>> {
    let mut found = Vec::new();
    for part in pair.clone().into_inner() {
        match part.as_rule() {
            Rule::ascii_hex => found.extend([('0', '9'), ('A', 'F'), ('a', 'f')]),
            Rule::ascii_digits => found.push(('0', '9')),
            _ => found.push(two(part)?),
        }
    }
    Some(found)
}

/// Returns the first and last character of a range.
fn two(pair: Pair<'_, Rule>) -> Option<(char, char)> {
    let mut ends = pair.into_inner().map(|part| one_character(&part));
    Some((ends.next()??, ends.next()??))
}

/// Returns the characters before which a name in an attribute does not count.
fn after_name<'i>(pairs: impl Iterator<Item = Pair<'i, Rule>>) -> Option<Vec<(char, char)>> {
    let mut found = Vec::new();
    for part in pairs {
        match part.as_rule() {
            Rule::either_next => {
                let one = part.into_inner().find_map(|part| one_character(&part))?;
                found.extend([(one, one), ('0', '9'), ('A', 'Z'), ('a', 'z')]);
            }
            Rule::in_ranges => {
                for range in part.into_inner() {
                    found.push(two(range)?);
                }
            }
            _ => {}
        }
    }
    Some(found)
}

/// Returns ranges of numbers; an open range has no upper end.
fn ranges(pair: &Pair<'_, Rule>) -> Option<Vec<(u32, Option<u32>)>> {
    let mut found = Vec::new();
    for part in pair.clone().into_inner() {
        let numbers: Option<Vec<u32>> =
            part.clone().into_inner().map(|part| number(part.as_str())).collect();
        found.push(match (part.as_rule(), &numbers?[..]) {
            (Rule::number_zero, _) => (0, Some(0)),
            (Rule::number_above, [above]) => (above + 1, None),
            (_, [first, last]) => (*first, Some(*last)),
            (_, [one]) => (*one, Some(*one)),
            _ => return None,
        });
    }
    Some(found)
}

/// Returns the numbers of a named class.
fn kind_of_number(pair: &Pair<'_, Rule>) -> Option<Vec<(u32, Option<u32>)>> {
    let named = pair.clone().into_inner().next().and_then(|part| number(part.as_str()));
    let words = pair.as_str();
    Some(match (pair.as_rule(), named) {
        // Controls are the Unicode ones without ASCII whitespace: tab, line feed, form feed, carriage return and space.
        (Rule::number_or_control, Some(one)) => vec![
            (one, Some(one)),
            (0x00, Some(0x08)),
            (0x0B, Some(0x0B)),
            (0x0E, Some(0x1F)),
            (0x7F, Some(0x9F)),
        ],
        (_, Some(above)) if words.starts_with("greater") => vec![(above + 1, None)],
        (_, Some(one)) => vec![(one, Some(one))],
        (_, None) if words.ends_with("surrogate") => vec![(0xD800, Some(0xDFFF))],
        (_, None) => {
            let planes =
                (0..=16).map(|plane| (plane * 0x1_0000 + 0xFFFE, Some(plane * 0x1_0000 + 0xFFFF)));
            std::iter::once((0xFDD0, Some(0xFDEF))).chain(planes).collect()
        }
    })
}
